import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBEngine

/// The texts and distances of near misses for each operator.
@Suite struct MismatchTextTests {
  static let rows: [(pattern: String, body: String, lines: [String])] = [
    (
      #"{"equalTo": "caf\u00e9"}"#, "cafe\u{301}",
      [#"body: "café" | "café" (é is U+0065 U+0301, expected is U+00E9)"#]
    ),
    (#"{"greaterThanNumber": 10}"#, "9", [#"body: > 10 | "9""#]),
    (
      #"{"before": "now -1 days", "truncateExpected": "first hour of day"}"#, "2999-01-01",
      [#"body: before now -1 days, first hour of day | "2999-01-01""#]
    ),
    (
      #"{"equalToJson": {"id": "${json-unit.any-number}", "at": "${json-unit.regex}[0-9]+"}}"#,
      #"{"id": "x", "at": "y"}"#,
      [#"body /at: a string that matches "[0-9]+" | "y""#, #"body /id: any number | "x""#]
    ),
    (#"{"matchesJsonPath": "$.a"}"#, "{}", ["body: $.a selects something | selects nothing"]),
    (
      #"{"matchesJsonPath": "$.search[?(@.id == '1')].date"}"#,
      #"{"search": {"id": "1", "date": "d"}}"#,
      [
        #"body: $.search[?(@.id == '1')].date selects something | selects nothing: "$.search" is an object, and a filter tests its members (RFC 9535); to test the object itself write "$[?(@.id == '1')].date""#
      ]
    ),
    (
      #"{"matchesJsonPath": "$.search[?(@.id == '2')]"}"#, #"{"search": {"id": "1"}}"#,
      [
        #"body: $.search[?(@.id == '2')] selects something | selects nothing: "$.search" is an object, and a filter tests its members (RFC 9535)"#
      ]
    ),
    (
      #"{"matchesJsonPath": {"expression": "$.*", "equalTo": "c"}}"#, #"["a", "b"]"#,
      [#"body: $.* selects "c" | selects "a", "b""#]
    ),
    (
      #"{"matchesJsonSchema": {"properties": {"n": {"minimum": 3}}, "required": ["id"]}}"#,
      #"{"n": 1}"#,
      [
        #"body: the member "id" (schema required) | {"n":1}"#,
        "body /n: 3 or more (schema minimum) | 1",
      ]
    ),
    (#"{"form": {"a": "1", "b": "2"}}"#, "a=1&b=3", [#"form b: "2" | "3""#]),
    (
      #"{"graphql": {"query": "{ user { id } }", "variables": {"id": 1}}}"#,
      #"{"query": "{ user { name } }", "variables": {"id": 2}}"#,
      ["graphql query: { user { id } } | { user { name } }", "body /variables/id: 1 | 2"]
    ),
    (
      #"{"equalToXml": "<o><i n='1'/><i n='2'/></o>"}"#, "<o><i n='1'/><i n='3'/><x/></o>",
      [#"body /o/i[2]/@n: "2" | "3""#, "body /o/x: absent | <x>"]
    ),
    (
      #"{"matchesXPath": {"expression": "//i", "equalTo": "a"}}"#, "<o><i>b</i></o>",
      [#"body: //i selects "a" | selects "b""#]
    ),
    (
      #"{"matchesXPath": "//i"}"#, "<o>",
      [
        #"body: //i selects something | not XML: the element o is not closed (line 1, column 4); the body is "<o>""#
      ]
    ),
  ]

  @Test(arguments: rows.indices)
  func eachOperatorSaysWhatIsOff(index: Int) throws {
    let (pattern, body, lines) = Self.rows[index]
    let document = #"{"scenario": "a", "stubs": [{"key": "s", "request": {"body": \#(pattern)}}]}"#
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    _ = run.respond(
      to: StubRequest(method: "POST", url: "https://a.test/", body: .bytes(Data(body.utf8))))
    let miss = try #require(run.journal[0].nearMisses.first)
    let found = miss.mismatches.map { mismatch in
      let place = mismatch.pointer.map { $0.tokens.isEmpty ? "" : " \($0)" } ?? ""
      return "\(mismatch.part)\(place): \(mismatch.expected) | \(mismatch.actual)"
    }
    #expect(found == lines)
    #expect(miss.distance > 0 && miss.distance <= 1)
  }

  @Test(arguments: [
    (#"{"equalToNumber": 100}"#, "99", "5"),
    (#"{"before": "2026-01-01"}"#, "2026-01-02", "2030-01-01"),
    (#"{"form": {"a": "1", "b": "2"}}"#, "a=1&b=3", "a=2&b=3"),
    (
      #"{"equalToXml": "<a><b>1</b><c>2</c></a>"}"#, "<a><b>1</b><c>3</c></a>",
      "<a><b>0</b><c>3</c></a>"
    ),
    (
      #"{"matchesJsonPath": {"expression": "$.a", "equalTo": "open"}}"#, #"{"a": "opened"}"#,
      #"{"a": "zzz"}"#
    ),
    (
      #"{"matchesJsonSchema": {"items": {"type": "string"}}}"#, #"["a", "b", 1]"#, "[1, 2, 3]"
    ),
    (
      #"{"graphql": {"query": "{ a b c }"}}"#, #"{"query": "{ a b d }"}"#,
      #"{"query": "mutation { x }"}"#
    ),
  ])
  func whatIsNearerHasTheSmallerDistance(pattern: String, near: String, far: String) throws {
    let document = #"{"scenario": "a", "stubs": [{"key": "s", "request": {"body": \#(pattern)}}]}"#
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    for body in [near, far] {
      _ = run.respond(
        to: StubRequest(method: "POST", url: "https://a.test/", body: .bytes(Data(body.utf8))))
    }
    let distances = run.journal.compactMap { $0.nearMisses.first?.distance }
    #expect(distances.count == 2 && distances[0] < distances[1], "\(distances)")
  }
}
