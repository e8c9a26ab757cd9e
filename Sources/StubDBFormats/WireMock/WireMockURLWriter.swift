internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Says in WireMock's ways what the path and the query must be.
struct WireMockURLWriter {
  let request: RequestPattern
  /// Whether the names of placeholders are needed: for their patterns, or by templates.
  let needsNames: Bool

  struct Members {
    var values: JSONObject = [:]
    /// Whether they say all that there is to say of the query.
    var coverQuery = false
  }

  /// - Throws: ``Untranslatable`` for what WireMock cannot say.
  func members() throws -> Members {
    if let whole = request.wholeURL { return try wholeURL(whole) }
    guard request.queryIsExact else { return Members(values: try path()) }
    if case .template(let path) = request.path, !URLParts.isOpen(template: path),
      let query = literalQuery
    {
      return Members(values: ["url": .string(path + query)], coverQuery: true)
    }
    guard !needsNames else {
      throw Untranslatable("queryIsExact", "WireMock has no such rule beside named placeholders")
    }
    let single = request.query.filter { !$0.pattern.isAboutAllValues }.map(\.name)
    let expression =
      try expressionBeforeQuery()
      + WireMockExactQuery.tail(names: request.query.map(\.name), once: single)
    return Members(values: ["urlPattern": .string(expression)])
  }

  /// A query of one parameter at most, in the only way in which it can be written; nil for others.
  private var literalQuery: String? {
    guard let only = request.query.first else { return "" }
    guard request.query.count == 1, let value = only.pattern.literal ?? only.pattern.onlyLiteral,
      !value.isEmpty
    else { return nil }
    let text = "?\(URLParts.encodedQuery(only.name))=\(URLParts.encodedQuery(value))"
    return text == "?\(only.name)=\(value)" && text.utf8.allSatisfy(\.isUsualInQuery) ? text : nil
  }

  private func path() throws -> JSONObject {
    switch request.path {
    case nil: return [:]
    case .template(let path) where !URLParts.isOpen(template: path):
      return ["urlPath": .string(path)]
    case .template(let path):
      let names = URLParts.placeholders(of: path)
      let hasPlainNames = !names.contains { $0.contains { ".;*".contains($0) } }
      let hasWildcard = path.split(separator: "/").contains("**")
      if hasPlainNames, !hasWildcard { return ["urlPathTemplate": .string(path)] }
      // There, `**` does not represent no segment.
      guard !needsNames else {
        throw Untranslatable("a path with ** and named placeholders")
      }
      return ["urlPathPattern": .string(Self.expression(ofTemplate: path))]
    case .value(let pattern):
      if let path = pattern.literal { return ["urlPath": .string(path)] }
      return ["urlPathPattern": .string(try Self.expression(pattern))]
    }
  }

  /// An expression for the path that cannot match beyond it.
  private func expressionBeforeQuery() throws -> String {
    switch request.path {
    case nil: return "[^?]*"
    case .template(let path): return Self.expression(ofTemplate: path)
    case .value(let pattern):
      let expression = try Self.expression(pattern)
      let isNarrow =
        expression.range(of: #"\\[SWDPXRZzQ?]|\[\^|^\.|[^\\]\."#, options: .regularExpression)
        == nil
      guard isNarrow else {
        throw Untranslatable("queryIsExact", "the expression for the path may match a query, too")
      }
      return "(?:\(expression))"
    }
  }

  /// The path of a document as an expression; nil if it has none.
  static func expression(of path: JSONValue) -> String? {
    let stub = try? Stub(jsonObject: ["key": "stub", "request": ["path": path]])
    switch stub?.request.path {
    case .template(let path): return expression(ofTemplate: path)
    case .value(let pattern): return try? expression(pattern)
    case nil: return nil
    }
  }

  /// `/a/{id}/**` as an expression.
  static func expression(ofTemplate path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
      if segment == "**" { return "(?:/[^?]*)?" }
      return URLParts.isPlaceholder(segment) ? "/[^/?]+" : "/" + escaped(String(segment))
    }.joined()
  }

  /// A text as an expression; what needs no escape has none.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.isASCII, !scalar.properties.isAlphabetic,
        !"0123456789_-/%~!&=:@,;'\" ".unicodeScalars.contains(scalar)
      {
        result += "\\"
      }
      result.unicodeScalars.append(scalar)
    }
  }

  /// A pattern of one value as an expression for all of it.
  static func expression(_ pattern: ValuePattern) throws -> String {
    let text = escaped(pattern.text)
    switch pattern.operator {
    case .equalTo: return pattern.literal == nil ? "(?iu)\(text)" : text
    case .contains: return "(?s).*\(text).*"
    case .doesNotContain: return "(?s)(?!.*\(text)).*"
    case .matches: return pattern.text
    case .anything: return "(?s).*"
    case .doesNotMatch where !hasReferences(pattern.text):
      return "(?s)(?!(?:\(pattern.text))\\z).*"
    default:
      throw Untranslatable(pattern.operator.rawValue, "WireMock has no such pattern of a path")
    }
  }

  private static func hasReferences(_ expression: String) -> Bool {
    expression.range(of: #"\\[1-9k]"#, options: .regularExpression) != nil
  }

  // MARK: - The whole URL

  private func wholeURL(_ pattern: ValuePattern) throws -> Members {
    guard request.path == nil, !request.queryIsExact, request.scheme == nil, request.host == nil,
      request.port == nil
    else { throw Untranslatable("url", "WireMock has one pattern of the URL") }
    if let literal = pattern.literal, let parts = URLParts(literal), let scheme = parts.scheme,
      let host = parts.host, parts.description == literal
    {
      let target = literal.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
      var members = Members(values: ["url": .string(String(target))], coverQuery: false)
      members.values["scheme"] = .string(scheme)
      members.values["host"] = ["equalTo": .string(host)]
      members.values["port"] = parts.effectivePort.map { .number(JSONNumber($0)) }
      return members
    }
    guard pattern.operator == .matches, let split = WireMockURLExpression(pattern.text) else {
      throw Untranslatable("url", "WireMock has no pattern of the whole URL")
    }
    return Members(values: split.members, coverQuery: false)
  }
}

extension ValuePattern {
  /// The text of the single value of a list; nil for others.
  fileprivate var onlyLiteral: String? {
    self.operator == .hasExactly && patterns.count == 1 ? patterns[0].literal : nil
  }
}

extension UInt8 {
  /// Whether clients write the octet in a query as it is, and in no other way.
  fileprivate var isUsualInQuery: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
