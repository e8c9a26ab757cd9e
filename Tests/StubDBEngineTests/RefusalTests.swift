import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import Testing

/// Documents that are valid but cannot be played.
@Suite struct RefusalTests {
  private static let rows: [(stub: String, pointer: String, reason: String)] = [
    (
      #""responses": [{}, {"text": "a\n {{nwo}}", "template": true}]"#, "responses/1/text",
      "template: \"nwo\" is not known here; did you mean \"now\"? (line 2, column 4)"
    ),
    (
      #""responses": [{"json": {"a": [1, {"b~": "{{request.qurey.q}}"}]}, "template": true}]"#,
      "responses/0/json/a/1/b~0",
      "template: a request has no \"qurey\"; did you mean \"query\"? (line 1, column 3)"
    ),
    (
      #""responses": [{"json": {"{{#each request.json}}": 1, "x": 2}, "template": true}]"#,
      "responses/0/json/x",
      "an object with a block as a name has no other members but {{else}}"
    ),
    (
      #""responses": [{"json": {"{{else}}": 1}, "template": true}]"#, "responses/0/json",
      "{{else}} goes with {{#if …}} or {{#unless …}}"
    ),
    (
      #""responses": [{"headers": {"X-A": "{{uper 'a'}}"}, "template": true}]"#,
      "responses/0/headers/X-A",
      "template: \"uper\" is not a function; did you mean \"upper\"? (line 1, column 3)"
    ),
    (
      #""responses": [{"status": "{{", "template": true}]"#, "responses/0/status",
      #"template: "{{" is not closed; write "}}" after it, or "\{{" for two braces (line 1, column 1)"#
    ),
    (
      #""responses": [{"chunks": [{"text": "{{/if}}"}], "template": true}]"#,
      "responses/0/chunks/0/text",
      "template: {{/if}} closes nothing: no block is open here (line 1, column 1)"
    ),
    (
      #""responses": [{"text": "{{jsonPath request.body '$['}}", "template": true}]"#,
      "responses/0/text", "template: \"$[\" is not a JSONPath of RFC 9535: "
    ),
    (
      #""capture": {"a": {"jsonPath": "a"}}"#, "capture/a/jsonPath",
      "\"a\" is not a JSONPath of RFC 9535: "
    ),
    (
      #""capture": {"a": {"pathParameter": "id"}}"#, "capture/a/pathParameter",
      "the path has no placeholder {id}; add it to the path"
    ),
    (
      #""capture": {"a/{{this}}": null}"#, "capture/a~1{{this}}",
      "template: \"this\" is for the inside of {{#each}} (line 1, column 5)"
    ),
    (
      #""request": {"captured": {"{{x}}": true}}"#, "request/captured/{{x}}",
      "template: \"x\" is not known here (line 1, column 3)"
    ),
    (
      #""request": {"headers": {"X-A": {"equalToCaptured": "{{x}}"}}}"#, "request/headers/X-A",
      "template: \"x\" is not known here (line 1, column 3)"
    ),
  ]

  @Test(arguments: rows.indices)
  func whatCannotBePlayedIsRefusedWithItsPlace(index: Int) throws {
    let row = Self.rows[index]
    let included = """
      {"scenario": "base/all", "stubs": [{"key": "fine"}, {"key": "odd", "priority": 1, \(row.stub)}]}
      """
    let main = #"{"scenario": "main", "includes": ["base/all"], "stubs": [{"key": "own"}]}"#
    let (scenario, base) = (
      try ScenarioDocument.decode(Data(main.utf8)),
      try ScenarioDocument.decode(Data(included.utf8))
    )
    let error = try #require(throws: EngineError.self) {
      try LoadedScenario(scenario, including: [base])
    }
    #expect(error.scenario.rawValue == "base/all")
    #expect(error.stubKey == "odd")
    #expect(error.pointer?.description == "/stubs/1/\(row.pointer)")
    let prefix = "/stubs/1/\(row.pointer) in stub \"odd\" of scenario \"base/all\": \(row.reason)"
    #expect(error.message.hasPrefix(prefix))
    #expect(LoadedScenario.problems(in: base) == [error])
  }

  @Test func anIncludeThatWasNotGivenIsRefused() throws {
    let scenario = Scenario(
      name: try #require(ScenarioName("a")), includes: [try #require(ScenarioName("b"))])
    let error = try #require(throws: EngineError.self) { try LoadedScenario(scenario) }
    #expect(error.code == .missingInclude)
    #expect(error.pointer?.description == "/includes/0")
  }

  @Test(arguments: [
    ("[", "a '[' that is not closed at character 1"),
    ("a)|(b", "a ')' that closes nothing at character 2"),
    ("(?x)(a", "a '(' that is not closed at character 5"),
    ("a{x}", "a '{' that begins no repetition; write \\{ at character 2"),
    (
      "(?<=a+)b",
      "a look-behind that may be endless; give it a bound, such as {0,100}, at character 6"
    ),
  ])
  func aRegularExpressionThatIsNoneIsRefused(expression: String, reason: String) throws {
    let stub = Stub(key: "s", request: RequestPattern(path: .value(.matches(expression))))
    let error = try #require(throws: EngineError.self) {
      try LoadedScenario(Scenario(name: try #require(ScenarioName("a")), stubs: [stub]))
    }
    #expect(error.code == .invalidRegularExpression)
    #expect(
      error.message == "/stubs/0/request/path/matches in stub \"s\" of scenario \"a\": "
        + "\"\(expression)\" is not a regular expression: \(reason)")
  }

  @Test func aPlaceholderThatThePathLacksIsRefused() throws {
    let pattern = RequestPattern(
      path: .template("/{id}"), pathParameters: [NamedPattern("name", .anything)])
    let error = try #require(throws: EngineError.self) {
      try LoadedScenario(
        Scenario(name: try #require(ScenarioName("a")), stubs: [Stub(key: "s", request: pattern)]))
    }
    #expect(error.code == .invalidPattern)
    #expect(error.pointer?.description == "/stubs/0/request/pathParameters/name")
  }

  @Test func aBodyLeftInACatalogNeedsItsReader() throws {
    struct Reader: StoredBodyReader {
      func data(for body: StoredBody) throws -> Data { Data("stored".utf8) }
    }
    let name = try #require(ScenarioName("a"))
    let body = ResponseBody(
      kind: .text, content: .stored(StoredBody(digest: Data(count: 32), byteCount: 6)))
    let reading = try LoadedScenario(name: name, stubs: [], bodies: Reader())
    #expect(try reading.body(of: body) == Data("stored".utf8))
    let error = try #require(throws: EngineError.self) {
      try LoadedScenario(name: name, stubs: []).body(of: body)
    }
    #expect(error.code == .unreadableBody)
  }
}
