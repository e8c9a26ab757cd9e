internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// An object as the content of a form.
struct OpenAPIForm {
  /// The boundary of parts: the same every time, as everything that is made of a description.
  private static let boundary = "stubdb-part-boundary"

  /// The media type, with the boundary of parts.
  let type: String
  let content: String

  /// Nil for a type that is no form, and for a value that is no object: a text is a form already.
  init?(_ value: JSONValue?, _ type: String) {
    guard case .object(let members)? = value else { return nil }
    let fields = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .flatMap { name, value in Self.texts(of: value).map { (name, $0) } }
    switch type.prefix(while: { $0 != ";" }).lowercased() {
    case "application/x-www-form-urlencoded":
      self.type = type
      content = fields.map { URLParts.QueryItem(name: $0, value: $1).description }
        .joined(separator: "&")
    case "multipart/form-data":
      self.type = "multipart/form-data; boundary=\(Self.boundary)"
      content =
        fields.map { name, text in
          let quoted = name.replacingScalar("\"", with: "%22").replacingScalar("\r", with: "%0D")
            .replacingScalar("\n", with: "%0A")
          return
            "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(quoted)\"\r\n\r\n\(text)\r\n"
        }.joined() + "--\(Self.boundary)--\r\n"
    default: return nil
    }
  }

  /// The texts of a field: one for each element of a list.
  private static func texts(of value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    default: [value.canonicalText]
    }
  }
}
