import Foundation
import StubDBEngine
import StubDBModel
import Testing

/// What a document may hold but this version does not play.
@Suite struct RefusalTests {
  private static let stubs: [(json: String, pointer: String)] = [
    (#""responses": [{"text": "a", "template": true}]"#, "responses/0/template")
  ]

  private static let rows =
    stubs.map { ($0.json, $0.pointer) }

  @Test(arguments: rows)
  func whatIsNotSupportedYetIsRefusedWithItsPlace(stub: String, pointer: String) throws {
    let included = """
      {"scenario": "base/all", "stubs": [{"key": "fine"}, {"key": "odd", "priority": 1, \(stub)}]}
      """
    let main = #"{"scenario": "main", "includes": ["base/all"], "stubs": [{"key": "own"}]}"#
    let (scenario, base) = (
      try ScenarioDocument.decode(Data(main.utf8)),
      try ScenarioDocument.decode(Data(included.utf8))
    )
    let error = try #require(throws: EngineError.self) {
      try LoadedScenario(scenario, including: [base])
    }
    #expect(error.code == .notSupported)
    #expect(error.scenario.rawValue == "base/all")
    #expect(error.stubKey == "odd")
    #expect(error.pointer?.description == "/stubs/1/\(pointer)")
    #expect(
      error.message == "not supported yet: /stubs/1/\(pointer) in stub \"odd\" of scenario "
        + "\"base/all\": this version keeps it but cannot play it; take it out of the stub to "
        + "play the scenario")
  }

  @Test func anIncludeThatWasNotGivenIsRefused() throws {
    let scenario = Scenario(
      name: try #require(ScenarioName("a")), includes: [try #require(ScenarioName("b"))])
    let error = try #require(throws: EngineError.self) { try LoadedScenario(scenario) }
    #expect(error.code == .missingInclude)
    #expect(error.pointer?.description == "/includes/0")
  }

  @Test(arguments: ["[", "a)|(b", "(?x)(a"])
  func aRegularExpressionThatIsNoneIsRefused(expression: String) throws {
    let stub = Stub(key: "s", request: RequestPattern(path: .value(.matches(expression))))
    let error = try #require(throws: EngineError.self) {
      try LoadedScenario(Scenario(name: try #require(ScenarioName("a")), stubs: [stub]))
    }
    #expect(error.code == .invalidRegularExpression)
    #expect(
      error.message == "/stubs/0/request/path/matches in stub \"s\" of scenario \"a\": "
        + "\"\(expression)\" is not a regular expression")
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
