internal import Foundation
internal import StubDBModel

/// Translates the ways in which WireMock says what the URL must be.
enum WireMockURL {
  /// Of several of them, WireMock takes the first.
  private static let order = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]

  static func translate(
    _ name: String, _ value: SourceValue, of request: SourceValue,
    into pattern: inout RequestPattern
  ) throws {
    guard order.first(where: { request.given($0) != nil }) == name else {
      value.ignore()
      return
    }
    guard let text = value.text else { throw Untranslatable(name, "it is no text") }
    switch name {
    case "url": literal(text, value, into: &pattern)
    case "urlPath": pattern.path = .template(URLParts.literal(text))
    case "urlPathPattern": pattern.path = .value(.matches(text))
    case "urlPathTemplate": try template(text, of: request, into: &pattern)
    default: try expression(text, value, of: request, into: &pattern)
    }
  }

  private static func literal(
    _ text: String, _ value: SourceValue, into pattern: inout RequestPattern
  ) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    pattern.path = .template(URLParts.literal(parts[0]))
    pattern.queryIsExact = true
    guard parts.count == 2 else { return }
    let items = URLParts.queryItems(parts[1])
    // What `queryParameters` ask for is asked for, too, wherever they stand in the mapping.
    for (name, values) in NamedValues(items.map { ($0.name, $0.value) }).values
    where !name.isEmpty && pattern.query[name] == nil {
      pattern.query[name] = .hasExactly(values.map { .equalTo($0) })
    }
    if items.count > 1 {
      value.change(.unordered, "The query parameters of a url may come in any order")
    }
  }

  private static func expression(
    _ text: String, _ value: SourceValue, of request: SourceValue,
    into pattern: inout RequestPattern
  ) throws {
    if let exact = WireMockExactQuery(text) {
      pattern.queryIsExact = true
      if let path = WireMockExactQuery.literal(exact.path) {
        pattern.path = .template(URLParts.literal(path))
      } else if exact.path != "[^?]*" {
        pattern.path = .value(.matches(exact.pathExpression))
      }
      // Patterns of the parameters follow; those without one may have any value.
      for name in exact.names where pattern.query[name] == nil { pattern.query[name] = .anything }
      return
    }
    let expression = try TargetExpression(text)
    if hasUnescapedQuestionMark(text) {
      value.note(
        .changed, .regexDialect,
        "Did you mean \\\\? for the question mark? It makes the character before it optional")
    }
    // With `queryParameters` beside it, a pattern that refuses a query refuses all requests.
    if let path = expression.path, !path.refusesQuery || request["queryParameters"] == nil {
      pattern.path = path.expression.map { .value(.matches($0)) }
      if path.refusesQuery { pattern.queryIsExact = true }
      return
    }
    pattern.wholeURL = .matches(expression.url)
  }

  /// Whether a `?` right after a literal and before a group or a name is almost surely meant as a query.
  private static func hasUnescapedQuestionMark(_ text: String) -> Bool {
    guard let mark = text.range(of: #"[A-Za-z0-9]\?(\(|[A-Za-z])"#, options: .regularExpression)
    else { return false }
    return !text[..<mark.lowerBound].contains("\\?")
  }

  private static func template(
    _ text: String, of request: SourceValue, into pattern: inout RequestPattern
  ) throws {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.allSatisfy({ !$0.contains("{") || URLParts.isPlaceholder($0) }) else {
      throw Untranslatable("urlPathTemplate", "a variable is a part of a segment in \(text)")
    }
    let template = segments.map { segment in
      guard URLParts.isPlaceholder(segment) else {
        return segment.contains("**") ? String(segment) : URLParts.literal(segment)
      }
      return String(segment.filter { !".;*".contains($0) })
    }.joined(separator: "/")
    guard text.contains("**") else {
      pattern.path = .template(template)
      return
    }
    // There, `**` represents any text, and not for a missing segment: the expression says so, the template has the names.
    let expression = WildcardTemplate.expression(text)
    if segments.contains(where: { URLParts.isPlaceholder($0) }) {
      guard segments.allSatisfy({ $0 == "**" || !$0.contains("**") }) else {
        throw Untranslatable("urlPathTemplate", "** is a part of a segment in \(text)")
      }
      pattern.path = .template(template)
      pattern.wholeURL = .matches("\(TargetExpression.origin)\(expression)(?:\\?.*)?")
    } else {
      pattern.path = .value(.matches(expression))
    }
  }
}

/// A path template of WireMock as an expression: a variable represents a part of a segment, `**` for any text.
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
