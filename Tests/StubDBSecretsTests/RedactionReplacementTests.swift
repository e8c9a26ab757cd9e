import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport
import Testing

/// Which values a redaction selects and replaces, and what it finds of them in a file.
struct RedactionReplacementTests {
  private func scenario(_ json: String) throws -> Scenario {
    try ScenarioDocument.decode(
      Data(#"{"scenario":"a/b","stubs":[{"key":"k","responses":[{"json":\#(json)}]}]}"#.utf8))
  }

  private func prepared(
    _ scenario: Scenario, _ rules: RedactionRule...
  ) throws -> PreparedRedaction {
    var redactor = ScenarioRedactor(rules: rules)
    try redactor.study(scenario, findings: [])
    return redactor.finished()
  }

  private func all() throws -> RedactionRule {
    .jsonPointer(try #require(JSONPointer(parsing: "")))
  }

  private func quoted(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  @Test func theFirstGroupThatTookPartIsSelected() throws {
    let scenario = try scenario(#"["token=abc111 key=def222 id=ghi333"]"#)
    let regex = try #require(BoundedRegex(#"token=(\w+)|key=(\w+)|id=\w+"#))
    let result = try #require(
      try prepared(scenario, .regex(regex)).redacted(scenario))
    #expect(
      ScenarioDocument.encode(result.scenario)
        .contains("token=REDACTED-1 key=REDACTED-2 REDACTED-3"))
  }

  /// Each mark can be read in two ways, so a search that backtracks would try 2^5000 of them.
  @Test(arguments: ["+", "%25", #"\/"#, "&amp;"])
  func aLargeValueOfMarksIsReplaced(mark: String) throws {
    let value = "Zq" + String(repeating: mark + "a", count: 5_000)
    let scenario = try scenario(try "[\(quoted(value)), \(quoted("x" + value + "!"))]")
    let pointer = try #require(JSONPointer(parsing: "/0"))
    let prepared = try prepared(scenario, .jsonPointer(pointer))
    let result = try #require(try prepared.redacted(scenario))
    #expect(ScenarioDocument.encode(result.scenario).contains(#""xREDACTED-1!""#))
    #expect(!prepared.isFound(in: Data((value.dropLast() + "b").utf8)))
  }

  @Test func theLongestOfManyValuesWithOneBeginningIsReplaced() throws {
    let ids = (0..<3_000).map { String(1_000_000_000 + $0) }
    let scenario = try scenario("[\"100000000\", \(ids.joined(separator: ","))]")
    let prepared = try prepared(scenario, try all())
    #expect(prepared.count == 3_001)
    let result = try #require(try prepared.redacted(scenario))
    #expect(result.places.count == 3_001)
    #expect(prepared.remainder(in: result.scenario).isEmpty)
  }

  @Test func namesThatBecomeTheSameKeepTheirMembers() throws {
    let scenario = try scenario(#"{"id": "q7+Zt3w", "q7+Zt3w": 1, "q7%2BZt3w": 2}"#)
    let pointer = try #require(JSONPointer(parsing: "/id"))
    let result = try #require(
      try prepared(scenario, .jsonPointer(pointer)).redacted(scenario))
    let text = ScenarioDocument.encode(result.scenario)
    #expect(text.contains(#""REDACTED-1": 2"#))
    #expect(text.contains(#""REDACTED-1-2": 1"#))
  }

  @Test func aValueBetweenThePiecesOfAFileIsFound() throws {
    let value =
      String(
        (0..<1_000).map { Character(Unicode.Scalar(UInt8($0 * 7 % 26 + 97))) })
      + "1"
    let scenario = try scenario(try "[\(quoted(value))]")
    let prepared = try prepared(scenario, try all())
    let escaped = value.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
    // The pieces have 48,048 bytes and overlap by half of that.
    for start in [0, 20_000, 25_000, 44_000, 47_000] {
      let file = String(repeating: ".", count: start) + escaped + String(repeating: ".", count: 9)
      #expect(prepared.isFound(in: Data(file.utf8), pieceSize: 1), "\(start)")
    }
    #expect(!prepared.isFound(in: Data(escaped.utf8.dropLast()), pieceSize: 1))
  }

  @Test func aWordIsFoundInAFileOnlyIfAsked() throws {
    let scenario = try scenario(#"["priority"]"#)
    let prepared = try prepared(scenario, try all())
    #expect(prepared.wordCount == 1)
    #expect(!prepared.isFound(in: Data("a priority b".utf8)))
    #expect(prepared.isFound(in: Data("a priority b".utf8), words: true))
  }
}
