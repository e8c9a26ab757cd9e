internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Patterns for what a JSONPath or an XPath selects.
enum SelectedValue {
  /// Satisfied by every value but null.
  static let notNull: [String: JSONValue] = ["not": ["equalToJson": .null]]

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
}
