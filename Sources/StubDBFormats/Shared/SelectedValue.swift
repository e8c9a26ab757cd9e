internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Patterns for what a JSONPath or an XPath selects.
enum SelectedValue {
  /// Satisfied by every value but null.
  static let notNull = BodyPattern.not(.equalToJSON(.null))

  /// Satisfied by texts, numbers and booleans.
  static let scalarSchema: JSONValue = ["type": ["boolean", "number", "string"]]
  /// A number that WireMock writes as XPath does: without separators.
  static let shortNumber = "-?[0-9]{1,3}(?:\\.[0-9]{1,3})?"

  static func isShortNumber(_ pattern: ValuePattern) -> Bool {
    pattern.operator == .equalTo
      && pattern.text.wholeMatch(
        of: #/-?[1-9][0-9]{0,2}(\.[0-9]{0,2}[1-9])?|0(\.[0-9]{0,2}[1-9])?/#) != nil
  }

  /// The pattern of what a JSONPath selects, made such that nothing satisfies it that the path does not select.
  ///
  /// An operator that is about what is not there, such as `doesNotContain`, is satisfied by nothing here. In other tools,
  /// what a path does not select satisfies none; with `refusesNull` null does not either.
  static func refusingNothing(_ pattern: BodyPattern, refusesNull: Bool) -> BodyPattern {
    let bodies = ["{}"] + (refusesNull ? [#"{"value": null}"#] : [])
    let whole = BodyPattern.matchesJSONPath("$.value", pattern)
    guard bodies.contains(where: { isSatisfied(whole, by: $0) }) else { return pattern }
    return .and([refusesNull ? notNull : .value(.contains("")), pattern])
  }

  /// The same for what an XPath selects.
  static func refusingNothing(_ pattern: ValuePattern) -> ValuePattern {
    isSatisfied(.matchesXPath(XPathPattern("/r/a", value: pattern)), by: "<r/>")
      ? PresentValue.demanded(pattern) : pattern
  }

  private static func isSatisfied(_ pattern: BodyPattern, by body: String) -> Bool {
    ExportedRun.matches(
      StubRequest(method: "POST", url: "http://example.test/", body: .bytes(Data(body.utf8))),
      RequestPattern(body: [pattern]))
  }

  // MARK: Lists and objects as texts

  /// Whether a pattern may be satisfied by the text of a list or an object, which begins with a bracket.
  ///
  /// A part that is looked for is taken for one of their texts.
  static func mayBeOfListOrObject(_ pattern: BodyPattern) -> Bool {
    guard case .value(let pattern) = pattern.storage else { return true }
    switch pattern.operator.kind {
    case .text: return pattern.text.hasPrefix("[") || pattern.text.hasPrefix("{")
    case .part: return pattern.operator != .contains || plainPart(pattern) == nil
    case .number, .date: return false
    case .expression where pattern.operator == .matches:
      // One that begins with a letter, a digit or a set of them, which must be there.
      let start = #/\^?([A-Za-z0-9_\/-]|\[[A-Za-z0-9_-]+\]|\\[dw])(?![*?|]|\{0)/#
      return pattern.text.contains("|") || pattern.text.prefixMatch(of: start) == nil
    case .expression, .isTrue, .name, .pattern, .patterns: return true
    }
  }

  /// The part that a pattern looks for in a text, if it has no character that JSON or XML writes in another way.
  static func plainPart(_ pattern: ValuePattern) -> String? {
    var part = pattern.text
    switch pattern.operator {
    case .contains: break
    case .matches:
      guard part.hasPrefix(".*"), part.hasSuffix(".*"), part.count > 4 else { return nil }
      part = String(part.dropFirst(2).dropLast(2))
      guard !part.contains(where: { "\\.*+?()|^$".contains($0) }) else { return nil }
    default: return nil
    }
    let isPlain = part.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !"\"[]{},:\\<>&'".unicodeScalars.contains($0)
    }
    return isPlain && part.contains { $0 != " " } ? part : nil
  }
}

/// Patterns that only a value satisfies which is there.
///
/// An operator that is about what a value is not, such as `not`, is satisfied by a missing one here. In other tools, a
/// name that a request does not have satisfies none.
enum PresentValue {
  /// The pattern, which a missing value does not satisfy.
  static func demanded(_ pattern: ValuePattern) -> ValuePattern { .and([.contains(""), pattern]) }

  /// The patterns of cookies, of which a missing one satisfies `absent` alone.
  static func demanded(_ cookies: [NamedPattern]) -> [NamedPattern] {
    let request = StubRequest(method: "GET", url: "http://example.test/")
    return cookies.map { cookie in
      let isFree =
        cookie.pattern != .absent
        && ExportedRun.matches(request, RequestPattern(cookies: [cookie]))
      return isFree ? NamedPattern(cookie.name, demanded(cookie.pattern)) : cookie
    }
  }
}
