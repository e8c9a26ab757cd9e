import Foundation
import HTTPTypes
import StubDBEngine
import StubDBFormats
import StubDBHTTPTypes
import StubDBModel
import Testing

/// Bodies that a path of another tool selects something in, and those that it refuses.
@Suite struct JaywayFilterTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String { pattern }
    /// The operand of WireMock's `matchesJsonPath`, as JSON.
    var pattern: String
    var matching: [String]
    var refused: [String]
  }

  private static let cases = [
    // A filter tests an object itself, and the elements of a list.
    Case(
      pattern: #""$[?(@.sku == 'mug')]""#,
      matching: [#"{"sku": "mug"}"#, #"[1, {"sku": "mug"}]"#],
      refused: [#"{"sku": "cup"}"#, #"{"a": {"sku": "mug"}}"#, "[]", "{}", #"[[{"sku": "mug"}]]"#]),
    Case(
      pattern: #""$[?(@.state != 'done')]""#,
      matching: [#"{"state": "new", "id": 1}"#, #"[{"id": 1}]"#],
      refused: [#"{"state": "done", "id": 1}"#, #"[{"state": "done"}]"#]),
    Case(
      pattern: #""$.a['b c'][?(@.id == '@' && @.n in [1, 2])].x""#,
      matching: [
        #"{"a": {"b c": {"id": "@", "n": 2, "x": null}}}"#,
        #"{"a": {"b c": [{"id": "@", "n": 1, "x": 1}]}}"#,
      ],
      refused: [
        #"{"a": {"b c": {"id": "@", "n": 2}}}"#,
        #"{"a": {"b c": {"y": {"id": "@", "n": 2, "x": 1}}}}"#,
        #"{"id": "@", "n": 2, "x": 1}"#,
      ]),
    Case(
      pattern: #""$.orders[*][?(@.id == 1)]""#,
      matching: [#"{"orders": [{"id": 1}]}"#, #"{"orders": [[{"id": 1}]]}"#],
      refused: [#"{"orders": [{"a": {"id": 1}}]}"#, #"{"orders": [[]], "id": 1}"#]),
    Case(
      pattern: #""$..[?(@.id != 1)]""#,
      matching: [#"{"id": 2}"#, #"{"id": 1, "a": [{"b": {"id": 2}}]}"#],
      refused: [#"{"id": 1}"#, #"{"id": 1, "a": [{"id": 1}]}"#]),
    Case(
      pattern: #"{"expression": "$[?(@.sku == 'mug')].count", "equalTo": "2"}"#,
      matching: [#"[{"sku": "mug", "count": 2}]"#],
      refused: [#"{"a": {"sku": "mug", "count": 2}}"#, #"[{"sku": "cup", "count": 2}]"#]),
    Case(
      pattern: #"{"expression": "$[?(@.sku == 'mug')]", "absent": "(absent)"}"#,
      matching: [#"{"sku": "cup"}"#, "[]"],
      refused: [#"{"sku": "mug"}"#, #"[{"sku": "mug"}]"#]),
    // What is not selected satisfies no operator but that.
    Case(
      pattern: #"{"expression": "$.a", "doesNotContain": "x"}"#,
      matching: [#"{"a": "y"}"#],
      refused: ["{}", #"{"a": null}"#, #"{"a": "xy"}"#, #"{"a": []}"#]),
    Case(
      pattern: #"{"expression": "$.a", "matches": ".*"}"#,
      matching: [#"{"a": "y"}"#, #"{"a": ""}"#], refused: ["{}", #"{"a": null}"#]),
    Case(
      pattern: #"{"expression": "$.a", "or": [{"absent": true}, {"equalTo": "x"}]}"#,
      matching: [#"{"a": "x"}"#], refused: ["{}", #"{"a": null}"#, #"{"a": "y"}"#]),
    // A list is tested element by element in WireMock, and an object as it prints it.
    Case(
      pattern: #"{"expression": "$.a", "doesNotMatch": "[0-9]+"}"#,
      matching: [#"{"a": "x"}"#, #"{"a": true}"#],
      refused: [#"{"a": [1, 2]}"#, #"{"a": []}"#, #"{"a": {}}"#, #"{"a": 1}"#, "{}"]),
    Case(
      pattern: #"{"expression": "$.a", "not": {"equalTo": "x"}}"#,
      matching: [#"{"a": "y"}"#], refused: [#"{"a": ["x"]}"#, #"{"a": "x"}"#]),
    Case(
      pattern: #"{"expression": "$.a", "equalTo": "{\"b\":1}"}"#,
      matching: [#"{"a": "{\"b\":1}"}"#], refused: [#"{"a": {"b": 1}}"#]),
    Case(
      pattern: #"{"expression": "$.a[0:2]", "equalTo": "[1]"}"#,
      matching: [#"{"a": ["[1]"]}"#], refused: [#"{"a": [{"b": 1}]}"#]),
    Case(
      pattern: #"{"expression": "$.a", "contains": ","}"#,
      matching: [#"{"a": "b,c"}"#], refused: [#"{"a": ["b", "c"]}"#, #"{"a": {"b": 1, "c": 2}}"#]),
    Case(
      pattern: #"{"expression": "$.a", "contains": "x"}"#,
      matching: [#"{"a": "ax"}"#, #"{"a": ["b", "x"]}"#, #"{"a": {"b": "x"}}"#],
      refused: [#"{"x": "a"}"#]),
    Case(
      pattern: #"{"expression": "$.a", "matches": "[0-9]+"}"#,
      matching: [#"{"a": "12"}"#, #"{"a": 12}"#], refused: [#"{"a": [1]}"#]),
    Case(
      pattern: #"{"expression": "$.a[*]", "equalToJson": "[1, 2]"}"#,
      matching: [#"{"a": [1, 2]}"#], refused: [#"{"a": [1]}"#, #"{"a": [2, 1]}"#]),
    Case(
      pattern: #"{"expression": "$.a[*].b", "doesNotMatch": "x.*"}"#,
      matching: [#"{"a": [{"b": "y"}]}"#], refused: ["{}", #"{"a": []}"#, #"{"a": [{"b": "xy"}]}"#]),
  ]

  @Test(arguments: cases)
  private func whatWireMockRefusesIsRefused(_ example: Case) throws {
    let run = try ImportRun(
      "a.json", Self.wireMock("[{\"matchesJsonPath\": \(example.pattern)}]"))
    let stub = try #require(run.stubs.first)
    for body in example.matching {
      #expect(try Self.answers(stub, body), "\(body) \(run.documents)")
    }
    for body in example.refused {
      #expect(try !Self.answers(stub, body), "\(body) \(run.documents)")
    }
  }

  @Test func nodesThatAreNotThereSatisfyNoOperatorOfAnXPath() throws {
    let run = try ImportRun(
      "a.json",
      Self.wireMock(#"[{"matchesXPath": {"expression": "/r/a/text()", "doesNotContain": "x"}}]"#))
    let stub = try #require(run.stubs.first)
    #expect(try Self.answers(stub, "<r><a>y</a></r>"))
    #expect(try !Self.answers(stub, "<r/>"))
  }

  @Test func mockServerRefusesNullAndEmptyLists() throws {
    let run = try ImportRun(
      "a.json",
      #"{"httpRequest": {"body": {"type": "JSON_PATH", "jsonPath": "$.a"}}, "httpResponse": {}}"#)
    let stub = try #require(run.stubs.first)
    #expect(try Self.answers(stub, #"{"a": 0}"#))
    for body in ["{}", #"{"a": null}"#, #"{"a": []}"#] {
      #expect(try !Self.answers(stub, body), "\(body)")
    }
  }

  @Test func hoverflyFiltersListsOnly() throws {
    let run = try ImportRun(
      "a.json",
      #"""
      {"data": {"pairs": [{"request": {"body": [{"matcher": "jsonpath", "value": "$.a[?(@.b != 1)]"}]},
        "response": {"status": 200}}]}, "meta": {"schemaVersion": "v5.2"}}
      """#)
    let stub = try #require(run.stubs.first)
    #expect(try Self.answers(stub, #"{"a": [{"b": 2}]}"#))
    #expect(try !Self.answers(stub, #"{"a": {"b": 1, "c": {"b": 2}}}"#))
  }

  /// What matches less makes a stub that answers more where it is negated, and so does a member of an object that is
  /// tested in the place of the object.
  @Test(arguments: [
    (#"{"matchesJsonPath": "$..a[?(@.b == 1)]"}"#, "jsonpath-dialect"),
    (#"{"matchesJsonPath": "$..a[?(@.b != 1)]"}"#, nil),
    (#"{"not": {"matchesJsonPath": "$..a[?(@.b == 1)]"}}"#, nil),
    (#"{"not": {"equalToJson": "[1]", "ignoreExtraElements": true}}"#, nil),
    (#"{"not": {"matchesJsonPath": {"expression": "$[?(@.a == 1)]", "contains": "x"}}}"#, nil),
    (#"{"matchesJsonPath": {"expression": "$.a", "matches": ".*x"}}"#, "operator"),
    (#"{"not": {"matchesJsonPath": {"expression": "$.a", "matches": ".*x"}}}"#, nil),
    (#"{"matchesJsonPath": {"expression": "$.a[*]", "equalToJson": "1"}}"#, nil),
  ])
  func aPathWithoutCounterpartIsReported(pattern: String, id: String?) throws {
    let run = try ImportRun("a.json", Self.wireMock("[\(pattern)]"))
    #expect(run.stubs.isEmpty == (id == nil))
    #expect(
      id.map { run.ids(.changed).contains($0) } ?? run.ids(.dropped).contains("stub-left-out"))
  }

  private static func wireMock(_ patterns: String) -> String {
    #"{"request": {"bodyPatterns": \#(patterns)}, "response": {"status": 200}}"#
  }

  private static func answers(_ stub: Stub, _ body: String) throws -> Bool {
    let scenario = ScenarioName(unchecked: "a/b")
    let source = LoadedScenario.Source(origin: scenario, stub: stub)
    let run = try LoadedScenario(name: scenario, stubs: [source]).run(seed: 0)
    let request = StubRequest(
      method: "POST", url: "https://h.test/a", body: .bytes(Data(body.utf8)))
    if case .respond = run.respond(to: request) { return true }
    return false
  }
}
