internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Patterns for what a JSONPath or an XPath selects.
enum SelectedValue {
  /// Satisfied by every value but null.
  static let notNull: [String: JSONValue] = ["not": ["equalToJson": .null]]

  /// Satisfied by texts, numbers and booleans.
  static let isScalar: [String: JSONValue] = [
    "matchesJsonSchema": ["type": ["boolean", "number", "string"]]
  ]
  /// A number that WireMock writes as XPath does: without separators.
  static let shortNumber = "-?[0-9]{1,3}(?:\\.[0-9]{1,3})?"

  static func isShortNumber(_ value: JSONValue?) -> Bool {
    guard case .string(let text) = value else { return false }
    return text.wholeMatch(of: #/-?[1-9][0-9]{0,2}(\.[0-9]{0,2}[1-9])?|0(\.[0-9]{0,2}[1-9])?/#)
      != nil
  }

  /// The operand of `matchesJsonPath` for a query, and for what it selects.
  static func pattern(_ query: String, _ members: [String: JSONValue]) -> JSONValue {
    .object(members.merging(["expression": .string(query)]) { _, new in new })
  }

  /// The pattern, made such that nothing satisfies it that a path does not select.
  ///
  /// An operator that is about what is not there, such as `doesNotContain`, is satisfied by nothing here. In other tools,
  /// what a path does not select satisfies none; with `refusesNull` null does not either. `whole` makes the pattern of a
  /// body from that of `$.value` or `/r/a`.
  static func refusingNothing(
    _ members: [String: JSONValue], refusesNull: Bool,
    whole: ([String: JSONValue]) -> [String: JSONValue]
  ) -> [String: JSONValue] {
    let bodies = ["{}", "<r/>"] + (refusesNull ? [#"{"value": null}"#] : [])
    guard let pattern = try? RequestPattern(jsonObject: ["body": .object(whole(members))]),
      bodies.contains(where: { isSatisfied(pattern, by: $0) })
    else { return members }
    let something: JSONValue = refusesNull ? .object(notNull) : ["contains": ""]
    return ["and": [something, .object(members)]]
  }

  private static func isSatisfied(_ pattern: RequestPattern, by body: String) -> Bool {
    ExportedRun.matches(
      StubRequest(method: "POST", url: "http://example.test/", body: .bytes(Data(body.utf8))),
      pattern)
  }

  // MARK: Lists and objects as texts

  /// Whether a pattern of a value may be satisfied by the text of a list or an object, which begins with a bracket.
  ///
  /// A part that is looked for is taken for one of their texts.
  static func mayBeOfListOrObject(_ members: [String: JSONValue]) -> Bool {
    guard members.keys.allSatisfy({ ["equalTo", "caseInsensitive"].contains($0) }) else {
      if plainPart(members) != nil, members["contains"] != nil { return false }
      guard case .string(let expression)? = members["matches"] else {
        return !members.keys.allSatisfy(Self.comparesQuantities)
      }
      // One that begins with a letter, a digit or a set of them, which must be there.
      let start = #/\^?([A-Za-z0-9_\/-]|\[[A-Za-z0-9_-]+\]|\\[dw])(?![*?|]|\{0)/#
      return expression.contains("|") || expression.prefixMatch(of: start) == nil
    }
    guard case .string(let text)? = members["equalTo"] else { return true }
    return text.hasPrefix("[") || text.hasPrefix("{")
  }

  /// Whether an operator is about numbers or dates.
  private static func comparesQuantities(_ name: String) -> Bool {
    WireMockPatternReader.numbers.contains(name) || WireMockPatternReader.dates.contains(name)
      || WireMockPatternReader.dateOptions.contains(name)
  }

  /// The part that a pattern looks for in a text, if it has no character that JSON or XML writes in another way.
  static func plainPart(_ members: [String: JSONValue]) -> String? {
    var part: String
    switch (members.count, members["contains"], members["matches"]) {
    case (1, .string(let text)?, nil): part = text
    case (1, nil, .string(let text)?):
      guard text.hasPrefix(".*"), text.hasSuffix(".*"), text.count > 4 else { return nil }
      part = String(text.dropFirst(2).dropLast(2))
      guard !part.contains(where: { "\\.*+?()|^$".contains($0) }) else { return nil }
    default: return nil
    }
    let isPlain = part.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !"\"[]{},:\\<>&'".unicodeScalars.contains($0)
    }
    return isPlain && part.contains { $0 != " " } ? part : nil
  }
}
