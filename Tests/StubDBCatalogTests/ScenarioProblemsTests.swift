import HTTPTypes
import StubDBCatalog
import StubDBJSON
import StubDBModel
import Testing

/// Every stub that no document could hold, or that cannot be played, is named.
@Suite struct ScenarioProblemsTests {
  private static func scenario(_ stubs: [Stub]) -> Scenario {
    Scenario(name: ScenarioName(unchecked: "shop/problems"), stubs: stubs)
  }

  private static func expression(_ key: Stub.Key, _ expression: String) -> Stub {
    Stub(
      key: key, request: RequestPattern(headers: [HeaderPattern(.accept, .matches(expression))]))
  }

  private static func body(_ key: Stub.Key, depth: Int) -> Stub {
    let value = (0..<depth).reduce(JSONValue.string("x")) { value, _ in .array([value]) }
    return Stub(key: key, responses: [.json(value)])
  }

  @Test func allStubsAreNamedWithTheirPlaces() {
    let problems = ScenarioProblems.refused(
      in: Self.scenario([
        Self.expression("a", "["), Self.expression("b", "x"), Self.expression("c", "("),
        Stub(key: "d", responses: [.json(["text": .string(String(repeating: "y", count: 5_000))])]),
        Stub(
          key: "e",
          responses: [StubResponse(body: .text("{{#unknown}}"), isTemplate: true)]),
      ]))
    #expect(problems.map(\.key) == ["a", "c", "e"])
    #expect(
      problems.map { $0.pointer?.tokens.prefix(2).joined(separator: "/") }
        == ["stubs/0", "stubs/2", "stubs/4"])
    #expect(problems.allSatisfy { $0.scenario?.rawValue == "shop/problems" })
  }

  @Test func aKeyThatIsThereTwiceIsAProblem() {
    let problems = ScenarioProblems.refused(
      in: Self.scenario([Stub(key: "a"), Stub(key: "b"), Stub(key: "a")]))
    #expect(problems.map(\.key) == ["a"])
    #expect(problems.first?.pointer?.description == "/stubs/2/key")
  }

  @Test(arguments: [(100, false), (500, false), (600, true)])
  func contentsThatNestTooDeepForADocumentAreProblems(depth: Int, isProblem: Bool) {
    let problems = ScenarioProblems.refused(in: Self.scenario([Self.body("a", depth: depth)]))
    #expect(problems.map(\.key) == (isProblem ? ["a"] : []))
  }
}
