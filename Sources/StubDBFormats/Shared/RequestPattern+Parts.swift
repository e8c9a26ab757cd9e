internal import HTTPTypes
import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Parts of patterns as the readers of foreign formats set them.
extension RequestPattern {
  /// A part as a document has it.
  ///
  /// - Throws: `DocumentError` for what a document does not take there.
  static func reading(_ part: RequestPart, _ value: JSONValue) throws -> RequestPattern {
    try RequestPattern(jsonObject: [part.rawValue: value], at: JSONPointer(["request"]))
  }

  /// Sets the pattern of a header field.
  ///
  /// - Throws: `DocumentError` for a name that no field has.
  mutating func setHeader(_ name: String, _ pattern: ValuePattern) throws {
    guard let field = HTTPField.Name(name) else {
      _ = try Self.reading(.headers, .object([name: ""]))
      return
    }
    headers.removeAll { $0.name.rawName == name }
    headers.append(HeaderPattern(field, pattern))
  }
}

extension PathPattern {
  /// A pattern of the path, of which a text alone is a template.
  init(_ pattern: ValuePattern) {
    self = pattern.literal.map(PathPattern.template) ?? .value(pattern)
  }
}

extension [NamedPattern] {
  subscript(name: String) -> ValuePattern? {
    get { first { $0.name == name }?.pattern }
    set {
      removeAll { $0.name == name }
      if let newValue { append(NamedPattern(name, newValue)) }
    }
  }
}

extension ValuePattern {
  /// Any text, but not none.
  static let anyText = ValuePattern.matches("[\\s\\S]*")

  /// The pattern, or no value.
  var orAbsent: ValuePattern { .or([.absent, self]) }

  /// A pattern that satisfies all; the only one as it is.
  static func all(_ patterns: [ValuePattern]) -> ValuePattern {
    patterns.count == 1 ? patterns[0] : .and(patterns)
  }
}

extension HTTPRequest.Method {
  /// The methods of `GET` or `GET|POST` in any case; nil for any other text.
  static func list(_ text: String) -> [HTTPRequest.Method]? {
    let names = text.split(separator: "|").map { $0.uppercased() }
    let isPlain = names.allSatisfy { $0.allSatisfy { $0.isLetter && $0.isASCII } }
    return names.isEmpty || !isPlain ? nil : names.compactMap { HTTPRequest.Method($0) }
  }
}

extension URLParts {
  /// The scheme, the host and the port; nil without a host.
  var origin: String? {
    guard let scheme, let host else { return nil }
    return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
  }

  /// The template of a path that is literal.
  static func literal(_ path: some StringProtocol) -> String {
    literalTemplate(canonicalPath(path))
  }
}
