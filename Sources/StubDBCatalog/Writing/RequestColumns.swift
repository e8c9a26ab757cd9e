internal import StubDBModel

/// A request pattern as columns: what is listed and searched plainly, the rest as JSON.
struct RequestColumns {
  var method: String?
  var scheme: String?
  var host: String?
  var port: Int?
  var path: String?
  /// What the plain columns do not say; nil where they say it all.
  var pattern: String?

  init(_ request: RequestPattern) {
    var members = request.jsonObject
    method = Self.take("method", from: &members)
    scheme = Self.take("scheme", from: &members)
    host = Self.take("host", from: &members)
    path = Self.take("path", from: &members)
    if case .number(let number) = members["port"] {
      port = number.integerValue
      members["port"] = nil
    }
    pattern = members.isEmpty ? nil : JSONValue.object(members).canonicalText
  }

  /// Takes a member out if it is a plain string.
  private static func take(_ key: String, from members: inout [String: JSONValue]) -> String? {
    guard case .string(let text) = members[key] else { return nil }
    members[key] = nil
    return text
  }
}
