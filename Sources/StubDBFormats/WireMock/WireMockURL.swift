internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates the ways in which WireMock says what the URL must be.
enum WireMockURL {
  /// Of several of them, WireMock takes the first.
  private static let order = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]

  static func translate(
    _ name: String, _ value: SourceValue, of request: SourceValue,
    into document: inout [String: JSONValue]
  ) throws {
    guard order.first(where: { request[$0].map { !$0.isNull } ?? false }) == name else {
      value.ignore()
      return
    }
    guard let text = value.text else { throw Untranslatable(name, "it is no text") }
    switch name {
    case "url": literal(text, value, into: &document)
    case "urlPath": document["path"] = .string(escaped(text))
    case "urlPathPattern": document["path"] = .object(["matches": .string(text)])
    case "urlPathTemplate": try template(text, of: request, into: &document)
    default: try pattern(text, value, of: request, into: &document)
    }
  }

  private static func literal(
    _ text: String, _ value: SourceValue, into document: inout [String: JSONValue]
  ) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    document["path"] = .string(escaped(String(parts[0])))
    document["queryIsExact"] = true
    guard parts.count == 2 else { return }
    let items = URLParts.queryItems(parts[1])
    let values = NamedValues(items.filter { !$0.name.isEmpty }.map { ($0.name, $0.value) }).values
    var query: [String: JSONValue] = [:]
    if case .object(let before) = document["query"] { query = before }
    for (name, values) in values {
      // What `queryParameters` ask for is asked for, too, wherever they stand in the mapping.
      query[name] = query[name] ?? .array(values.map(JSONValue.string))
    }
    document["query"] = .object(query)
    if items.count > 1 {
      value.change(.unordered, "The query parameters of a url may come in any order")
    }
  }

  private static func pattern(
    _ text: String, _ value: SourceValue, of request: SourceValue,
    into document: inout [String: JSONValue]
  ) throws {
    if let exact = WireMockExactQuery(text) {
      document["queryIsExact"] = true
      if let path = WireMockExactQuery.literal(exact.path) {
        document["path"] = .string(escaped(path))
      } else if exact.path != "[^?]*" {
        document["path"] = .object(["matches": .string(exact.pathExpression)])
      }
      // Patterns of the parameters follow; those without one may have any value.
      var query: [String: JSONValue] = [:]
      for name in exact.names { query[name] = ["anything": true] }
      if case .object(let before) = document["query"] { query.merge(before) { _, last in last } }
      if !query.isEmpty { document["query"] = .object(query) }
      return
    }
    let expression = try TargetExpression(text)
    if hasUnescapedQuestionMark(text) {
      value.tree.log.add(
        .changed, .regexDialect, at: value,
        "Did you mean \\\\? for the question mark? It makes the character before it optional")
    }
    // With `queryParameters` beside it, a pattern that refuses a query refuses all requests.
    if let path = expression.path, !path.refusesQuery || request["queryParameters"] == nil {
      document["path"] = path.expression.map { ["matches": .string($0)] }
      if path.refusesQuery { document["queryIsExact"] = true }
      return
    }
    document["url"] = ["matches": .string(expression.url)]
  }

  /// Whether a `?` right after a literal and before a group or a name is almost surely meant as a query.
  private static func hasUnescapedQuestionMark(_ text: String) -> Bool {
    guard let mark = text.range(of: #"[A-Za-z0-9]\?(\(|[A-Za-z])"#, options: .regularExpression)
    else { return false }
    return !text[..<mark.lowerBound].contains("\\?")
  }

  /// A path that stands for itself.
  private static func escaped(_ path: String) -> String {
    URLParts.literalTemplate(URLParts.canonicalPath(path))
  }

  private static func template(
    _ text: String, of request: SourceValue, into document: inout [String: JSONValue]
  ) throws {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.allSatisfy({ !$0.contains("{") || URLParts.isPlaceholder($0) }) else {
      throw Untranslatable("urlPathTemplate", "a variable is a part of a segment in \(text)")
    }
    let template = segments.map { segment in
      guard URLParts.isPlaceholder(segment) else {
        return segment.contains("**") ? String(segment) : escaped(String(segment))
      }
      return String(segment.filter { !".;*".contains($0) })
    }.joined(separator: "/")
    guard text.contains("**") else {
      document["path"] = .string(template)
      return
    }
    // There, `**` stands for any text, and not for a missing segment: the expression says so, the template has the names.
    let expression = WildcardTemplate.expression(text)
    if segments.contains(where: { URLParts.isPlaceholder($0) }) {
      guard segments.allSatisfy({ $0 == "**" || !$0.contains("**") }) else {
        throw Untranslatable("urlPathTemplate", "** is a part of a segment in \(text)")
      }
      document["path"] = .string(template)
      document["url"] = ["matches": .string("\(TargetExpression.origin)\(expression)(?:\\?.*)?")]
    } else {
      document["path"] = ["matches": .string(expression)]
    }
  }
}

/// A path template of WireMock as an expression: a variable stands for a part of a segment, `**` for any text.
enum WildcardTemplate {
  static func expression(_ template: String) -> String {
    var expression = ""
    var rest = template[...]
    while let match = rest.firstMatch(of: #/\{[^}]+\}|\*\*/#) {
      expression += literal(rest[..<match.range.lowerBound])
      expression += match.output == "**" ? ".*" : "[^/]+"
      rest = rest[match.range.upperBound...]
    }
    return expression + literal(rest)
  }

  private static func literal(_ text: Substring) -> String {
    ForeignExpression.quoted(URLParts.canonicalPath(text))
  }
}
