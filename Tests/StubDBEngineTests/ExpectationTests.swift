import HTTPTypes
import StubDBEngine
import StubDBModel
import Testing

@Suite struct ExpectationTests {
  private func run() throws -> ScenarioRun {
    let stubs = [
      Stub(key: "list", request: RequestPattern(methods: [.get], path: .template("/items"))),
      Stub(key: "item", request: RequestPattern(path: .template("/items/{id}"))),
    ]
    let name = try #require(ScenarioName("a/b"))
    return try LoadedScenario(Scenario(name: name, stubs: stubs)).run()
  }

  private func send(_ run: ScenarioRun, _ requests: String...) {
    for request in requests {
      let parts = request.split(separator: " ").map(String.init)
      _ = run.respond(to: StubRequest(method: parts[0], url: parts[1]))
    }
  }

  private let items = RequestPattern(path: .template("/items/**"))
  private let post = RequestPattern(methods: [.post])

  @Test func aCountThatIsRightPasses() throws {
    let run = try run()
    send(run, "GET /items", "GET /items/1", "POST /x")
    try run.expect(count: 2, matching: items)
    try run.expect(count: 1...3, matching: items)
    try run.expect(count: 0, matching: RequestPattern(methods: [.put]))
    #expect(try run.requests(matching: items).map(\.number) == [1, 2])
    #expect(run.unusedStubs.map(\.stub.key) == [])
  }

  @Test func aCountThatIsWrongListsTheRequests() throws {
    let run = try run()
    send(run, "GET /items", "POST /x", "GET /items")
    let error = try #require(throws: VerificationError.self) {
      try run.expect(count: 1, matching: items)
    }
    #expect(error.problems.map(\.kind) == [.unexpectedCount])
    #expect(
      error.description == """
        Expected 1 request any method /items/**, but there were 2.
        The requests (✓ for those that were counted):
          ✓ 1. GET /items  (stub list)
            2. POST /x  (no stub)
          ✓ 3. GET /items  (stub list)
        """)
    #expect(run.unusedStubs.map(\.stub.key) == ["item"])
  }

  @Test func anOrderIsOneAmongOthers() throws {
    let run = try run()
    send(run, "GET /items", "GET /z", "POST /x", "GET /items/1")
    try run.expect(inOrder: [items, post, items])
    let error = try #require(throws: VerificationError.self) {
      try run.expect(inOrder: [post, items, post])
    }
    #expect(error.problems.map(\.kind) == [.unexpectedOrder])
    #expect(
      error.description.hasPrefix(
        "Expected requests in an order: number 3, POST /**, did not come after number 2."
      ))
  }

  @Test func aPatternThatMeansNothingIsSaid() throws {
    let error = try #require(throws: VerificationError.self) {
      try run().expect(count: 1, matching: RequestPattern(path: .value(.matches("["))))
    }
    #expect(error.problems.map(\.kind) == [.invalidExpectation])
  }
}
