internal import Foundation
internal import StubDBJSON

/// A JSONPath of Jayway's dialect, which WireMock, MockServer and Hoverfly use, as one of RFC 9535.
///
/// https://github.com/json-path/JsonPath#readme and https://www.rfc-editor.org/rfc/rfc9535
struct JaywayPath {
  /// The query of RFC 9535 that selects something where the path does.
  let query: String
  /// The query of the values that the path selects.
  let values: String
  /// Why `values` selects less than the path; nil if it does not.
  let lessInValues: String?
  /// How `query` differs from the path although nothing equal can be written; nil if it does not.
  let difference: String?
  /// Whether the query is written in another way than before.
  let isRewritten: Bool
  /// Whether it selects one value at most, because it has neither wildcards nor filters.
  let isDefinite: Bool

  /// Nil if the query has no counterpart.
  init?(_ text: String, filteredObject: FilteredObject = .tested) {
    var path = text.trimmingCharacters(in: .whitespaces)
    if !path.hasPrefix("$") { path = path.hasPrefix("[") ? "$\(path)" : "$.\(path)" }
    guard let rewritten = Self.rewritten(path), (try? JSONPath(rewritten)) != nil,
      let filtered = FilteredPath(rewritten, filteredObject),
      (try? JSONPath(filtered.query)) != nil, (try? JSONPath(filtered.values)) != nil
    else { return nil }
    query = filtered.query
    values = filtered.values
    lessInValues =
      filtered.leavesOutObjects
      ? "Of an object, the filter in \(text) tests nothing; in the other tool it tests the object itself"
      : nil
    difference =
      filtered.isWider
      ? "Of an object, the filter in \(text) tests the members; in the other tool it does not" : nil
    isRewritten = query != text
    isDefinite = !["*", "?", "..", ":", ","].contains { rewritten.contains($0) }
  }

  /// The path with every filter rewritten; nil for a function at its end.
  private static func rewritten(_ path: String) -> String? {
    var result = ""
    // Scalars: what divides the parts still does where a combining mark follows it.
    var rest = path.unicodeScalars[...]
    while let start = filterStart(rest) {
      result += String(rest[..<start]) + "?"
      rest = rest[start...].dropFirst()
      guard let end = Self.end(of: rest, where: { $0 == "]" }),
        let filter = filter(String(rest[..<end]))
      else { return nil }
      result += filter
      rest = rest[end...]
    }
    result += String(rest)
    return result.hasSuffix("()") ? nil : result
  }

  /// The place of the first `?(`, or without one of the first `?@`.
  private static func filterStart(_ text: Substring.UnicodeScalarView) -> String.Index? {
    for next: Unicode.Scalar in ["(", "@"] {
      var rest = text
      while let mark = rest.firstIndex(of: "?") {
        rest = rest[mark...].dropFirst()
        if rest.first == next { return mark }
      }
    }
    return nil
  }

  /// The place of the first scalar of a kind that is in no text, no expression and no brackets.
  static func end(
    of text: Substring.UnicodeScalarView, where isEnd: (Unicode.Scalar) -> Bool
  ) -> String.Index? {
    var depth = 0
    // The quotation mark or slash that ends the text or the expression around the place.
    var quote: Unicode.Scalar?
    var index = text.startIndex
    while index < text.endIndex {
      let scalar = text[index]
      if scalar == "\\" {
        index = text.index(after: index)
        if index == text.endIndex { return nil }
      } else if let open = quote {
        if scalar == open { quote = nil }
      } else if depth == 0, isEnd(scalar) {
        return index
      } else {
        switch scalar {
        case "'", "\"", "/": quote = scalar
        case "[": depth += 1
        case "]": depth -= 1
        default: break
        }
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// The values of a list, at the commas that are in no text.
  private static func values(_ list: String) -> [String] {
    var values: [String] = []
    var rest = list.unicodeScalars[...]
    while let comma = end(of: rest, where: { $0 == "," }) {
      values.append(String(rest[..<comma]))
      rest = rest[comma...].dropFirst()
    }
    return (values + [String(rest)]).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// A filter with the operators that RFC 9535 writes in another way.
  private static func filter(_ text: String) -> String? {
    var filter = text
    for rule in rules {
      while let match = filter.firstMatch(of: rule.pattern.matchingSemantics(.unicodeScalar)) {
        let groups = match.output.map { $0.substring.map(String.init) ?? "" }
        guard let replacement = rule.replacement(groups) else { return nil }
        filter.replaceSubrange(match.range, with: replacement)
      }
    }
    let unknown = [
      " nin ", " subsetof ", " anyof ", " noneof ", ".min()", ".max()", ".avg()", ".sum()",
      ".keys()",
    ]
    return unknown.contains { filter.contains($0) } ? nil : filter
  }

  private typealias Rule = (
    pattern: Regex<AnyRegexOutput>, replacement: ([String]) -> String?
  )

  /// Written as literals, which the compiler checks: an expression that cannot be read would be a rule less.
  nonisolated(unsafe) private static let rules: [Rule] = [
    (
      Regex(#/(@[^\s=!<>&|()~]*)\s*=~\s*\/((?:[^\/\\]|\\.)*)\/([a-zA-Z]*)/#),
      { groups in
        let expression = groups[2].replacingOccurrences(of: "\\/", with: "/")
        // Jayway matches the whole text, with or without anchors.
        let whole =
          AnchoredExpression.isChoice(expression)
          ? expression : AnchoredExpression.withoutEnds(expression)
        guard let bare = flagged(whole, groups[3]) else { return nil }
        let escaped = bare.replacingOccurrences(of: "\\", with: "\\\\")
          .replacingOccurrences(of: "'", with: "\\'")
        return "match(\(groups[1]), '\(escaped)')"
      }
    ),
    (
      Regex(#/(@[^\s=!<>&|()~]*)\s+in\s+\[((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]'"])*)\]/#),
      { groups in choice(groups).map { "(\($0))" } }
    ),
    (
      Regex(#/(@[^\s=!<>&|()~]*)\s+nin\s+\[((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]'"])*)\]/#),
      { groups in choice(groups).map { "!(\($0))" } }
    ),
    (
      Regex(#/(@[^\s=!<>&|()~]*)\s+size\s+(\d+)/#),
      { "length(\($0[1])) == \($0[2])" }
    ),
    (Regex(#/(@[^\s=!<>&|()~]*)\s+empty\s+true/#), { "length(\($0[1])) == 0" }),
    (Regex(#/(@[^\s=!<>&|()~]*)\s+empty\s+false/#), { "length(\($0[1])) > 0" }),
    (Regex(#/(@[^\s=!<>&|()~]*)\.(?:length|size)\(\)/#), { "length(\($0[1]))" }),
  ]

  /// An expression with flags as one without, because I-Regexp has none; nil where that is not known.
  private static func flagged(_ expression: String, _ flags: String) -> String? {
    if flags.isEmpty { return expression }
    guard flags == "i" else { return nil }
    var result = ""
    for token in ExpressionToken.tokens(of: expression) {
      switch token {
      case .plain(let letter) where letter.isLetter:
        guard letter.isASCII else { return nil }
        result += "[\(letter.lowercased())\(letter.uppercased())]"
      case .set(let text) where text.contains(where: \.isLetter): return nil
      case .plain, .set: result += token.text
      case .escaped(let text):
        guard
          ["\\d", "\\w", "\\s", "\\D", "\\W", "\\S"].contains(text)
            || !text.contains(where: \.isLetter)
        else { return nil }
        result += text
      }
    }
    // The letters of `(?i)` and `(?<name>` are no text.
    return result.contains("(?") ? nil : result
  }

  /// Comparisons of a path with each value of a list; nil for an empty one.
  private static func choice(_ groups: [String]) -> String? {
    let values = values(groups[2])
    guard !values.isEmpty else { return nil }
    return values.map { "\(groups[1]) == \($0)" }.joined(separator: " || ")
  }
}
