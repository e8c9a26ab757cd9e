import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBServing
import StubDBSupport
import Testing

@Suite struct ScenarioRunTests {
  private func run(_ stubs: Stub...) throws -> ScenarioRun {
    let name = try #require(ScenarioName("checkout/pay"))
    return try LoadedScenario(Scenario(name: name, stubs: stubs)).run()
  }

  private func texts(_ texts: String..., repeating count: Int = 1) -> [StubResponse] {
    texts.map { StubResponse(body: .text($0), repeatCount: count) }
  }

  @Test func concurrentRequestsNeverShareATurn() throws {
    let run = try run(
      Stub(key: "a", responses: texts("0", "1", "2", "3", repeating: 500), then: .next),
      Stub(key: "b", responses: texts("0", "1", repeating: 100), then: .fail))
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<300 { _ = run.respond(to: StubRequest(url: "https://a.test/")) }
    }
    let journal = run.journal
    #expect(journal.map(\.number) == Array(1...2_400))
    let turns = Dictionary(grouping: journal) { "\($0.stubKey ?? "-")\($0.responseIndex ?? -1)" }
      .mapValues(\.count)
    #expect(
      turns == [
        "a0": 500, "a1": 500, "a2": 500, "a3": 500, "b0": 100, "b1": 100, "--1": 200,
      ])
    let order = journal.filter { $0.stubKey == "a" }.compactMap(\.responseIndex)
    #expect(order == order.sorted())
    #expect(journal.filter { !$0.isMatched }.allSatisfy { !$0.nearMisses.isEmpty })
  }

  @Test func journalSaysWhatAnswered() throws {
    let run = try run(Stub(key: "a", request: RequestPattern(path: .template("/a"))))
    let (hit, miss) = (StubRequest(url: "https://a.test/a"), StubRequest(url: "https://a.test/b"))
    _ = run.respond(to: hit)
    _ = run.respond(to: miss)
    #expect(run.journal.map(\.request) == [hit, miss])
    #expect(run.journal.map(\.scenario?.rawValue) == ["checkout/pay", nil])
    #expect(run.journal.map(\.responseIndex) == [0, nil])
    #expect(run.journal.map { $0.nearMisses.map(\.key) } == [[], ["a"]])
  }

  @Test func runsOfOneScenarioDoNotShareTheirCounters() throws {
    let name = try #require(ScenarioName("a"))
    let scenario = try LoadedScenario(
      Scenario(name: name, stubs: [Stub(key: "a", responses: texts("1", "2"))]))
    for _ in 0..<2 {
      guard case .respond(let selection) = scenario.run().respond(to: StubRequest(url: "http://x"))
      else { throw EngineTestFailure.notAnswered }
      #expect(selection.event.responseIndex == 0)
    }
  }

  @Test func aRunThatWentAsItSaysHasNoProblems() throws {
    let run = try run(
      Stub(key: "a", isRequired: true, responses: texts("1", "2")),
      Stub(key: "unused", responses: texts("1", "2")))
    for _ in 0..<3 { _ = run.respond(to: StubRequest(url: "https://a.test/")) }
    #expect(run.problems() == [])
  }

  @Test func problemsNameRequestsStubsAndSequences() throws {
    let run = try run(
      Stub(
        key: "needed", isRequired: true, request: RequestPattern(path: .template("/needed"))),
      Stub(
        key: "begun", request: RequestPattern(path: .template("/begun")),
        responses: texts("1", "2", repeating: 2), then: .fail),
      Stub(
        key: "single", request: RequestPattern(path: .template("/single")),
        responses: texts("1", repeating: 5)))
    for path in ["begun", "single", "nowhere"] {
      _ = run.respond(to: StubRequest(url: "https://a.test/\(path)"))
    }
    let problems = run.problems()
    #expect(problems.map(\.kind) == [.unmatchedRequest, .unusedStub, .unfinishedSequence])
    #expect(problems.map(\.stubKey) == [nil, "needed", "begun"])
    #expect(problems[0].request?.url == "https://a.test/nowhere")
    #expect(problems[0].message.hasPrefix("No stub of scenario \"checkout/pay\" answers"))
    #expect(
      problems[1].message
        == "stub \"needed\" of scenario \"checkout/pay\" is required, but no request reached it")
    #expect(
      problems[2].message
        == "stub \"begun\" of scenario \"checkout/pay\" gave 1 of its 4 responses: 3 more "
        + "requests were expected")
  }

  /// A scenario that an overlay includes, too, is in a load twice.
  @Test func aStubThatAnOverlayIncludesTooIsRequiredOnce() throws {
    let stub = Stub(key: "a", isRequired: true, request: RequestPattern(path: .template("/a")))
    let other = Stub(key: "a", isRequired: true, request: RequestPattern(path: .template("/b")))
    let (shared, own) = (
      ScenarioName(unchecked: "shop/shared"), ScenarioName(unchecked: "shop/paid")
    )
    let loaded = try LoadedScenario(
      name: own,
      stubs: [
        LoadedScenario.Source(origin: shared, stub: stub, layer: 1),
        LoadedScenario.Source(origin: shared, stub: stub),
        LoadedScenario.Source(origin: own, stub: other),
      ])
    let run = loaded.run()
    #expect(run.problems().map(\.scenario) == [shared, own])
    #expect(run.unusedStubs.map(\.origin) == [shared, own])
    _ = run.respond(to: StubRequest(url: "https://a.test/a"))
    #expect(run.problems().map(\.scenario) == [own])
    #expect(run.problems(requiringStubs: true).map(\.scenario) == [own])
    #expect(run.unusedStubs.map(\.origin) == [own])
  }

  @Test func aSequenceThatAnotherLayerFinishedIsFinished() throws {
    let stub = Stub(key: "a", isRequired: true, responses: texts("1", "2"), then: .next)
    let origin = ScenarioName(unchecked: "shop/shared")
    let loaded = try LoadedScenario(
      name: ScenarioName(unchecked: "shop/paid"),
      stubs: [1, 0].map { LoadedScenario.Source(origin: origin, stub: stub, layer: $0) })
    let run = loaded.run()
    for expected in [1, 0, 0, 0] {
      _ = run.respond(to: StubRequest(url: "https://a.test/"))
      #expect(run.problems().count == expected)
    }
  }

  @Test func aSequencePartlyUsedIsAProblemOnlyWhereItIsAskedFor() throws {
    func problems(_ stub: Stub, requiringWholeSequences: Bool = false) throws -> [String] {
      let run = try run(stub)
      _ = run.respond(to: StubRequest(url: "https://a.test/"))
      return run.problems(requiringWholeSequences: requiringWholeSequences).map(\.message)
    }
    let message =
      "stub \"a\" of scenario \"checkout/pay\" gave 1 of its 2 responses: 1 more request was "
      + "expected"
    for then in [AfterLastResponse.repeatLast, .cycle, .next, .passthrough] {
      let stub = Stub(key: "a", responses: texts("1", "2"), then: then)
      #expect(try problems(stub) == [])
      #expect(try problems(stub, requiringWholeSequences: true) == [message])
    }
    #expect(
      try problems(Stub(key: "a", responses: texts("1", "2"), then: .fail)) == [message])
    #expect(
      try problems(Stub(key: "a", isRequired: true, responses: texts("1", "2"))) == [message])
  }

  @Test func theJournalPrintsALineForEachRequest() throws {
    let run = try run(
      Stub(
        key: "a", request: RequestPattern(path: .template("/a")), responses: texts("1", "2")))
    for path in ["a?page=2", "a", "b"] {
      var request = StubRequest(url: "https://ada:hunter2@a.test/\(path)")
      request.headers[.authorization] = "Bearer 0123456789"
      _ = run.respond(to: request)
    }
    let waiting = try #require(run.reserve(run.prepare(StubRequest(url: "/c"))))
    _ = run.record(waiting, answeredBy: "closure at Tests/A.swift:3")
    let lines = run.journal.map { "\($0)" }
    #expect(lines[0].hasSuffix("a.test/a?page=2: stub \"a\" of checkout/pay, response 1"))
    #expect(lines[1].hasSuffix("a.test/a: stub \"a\" of checkout/pay, response 2"))
    #expect(lines[2].hasSuffix("a.test/b: no stub answers, nearest is \"a\""))
    #expect(lines[3] == "4. GET /c: closure at Tests/A.swift:3")
    #expect(!"\(run.journal)".contains("0123456789"))
    #expect(!"\(run.journal)".contains("hunter2"))
  }

  @Test func headerFieldsAreFoundByAText() {
    let request = StubRequest(
      url: "/", headers: [.contentType: "text/plain", .accept: "a", .accept: "b"])
    #expect(request.headers["content-type"] == "text/plain")
    #expect(request.headers["Accept"] == "a, b")
    #expect(request.headers["X-None"] == nil)
    #expect(request.headers["not a name"] == nil)
    #expect(request.headers[.contentType] == "text/plain")
  }

  @Test func nothingIsDecidedOrWrittenDownAfterTheEnd() throws {
    let run = try run(Stub(key: "a", request: RequestPattern(path: .template("/a"))))
    #expect(run.respond(to: StubRequest(url: "https://a.test/a")) != nil)
    run.end()
    for path in ["a", "nowhere"] {
      #expect(run.respond(to: StubRequest(url: "https://a.test/\(path)")) == nil)
    }
    #expect(run.journal.map(\.stubKey) == ["a"])
    #expect(run.problems() == [])
  }

  @Test func aReservedEntryKeepsItsPlace() throws {
    let run = try run(Stub(key: "a", request: RequestPattern(path: .template("/a"))))
    func reserve(_ url: String) throws -> WaitingRequest {
      try #require(run.reserve(run.prepare(StubRequest(url: url))))
    }
    let waiting = try ["/1", "/a", "/3", "/4"].map(reserve)
    _ = run.respond(to: StubRequest(url: "/a"))
    #expect(run.journal.map(\.number) == [5])
    _ = run.respond(to: waiting[2])
    _ = run.respond(to: waiting[1])
    _ = run.record(waiting[0], answeredBy: "closure")
    #expect(run.journal.map(\.stubKey) == ["closure", "a", nil, "a"])
    #expect(run.journal.map(\.number) == [1, 2, 3, 5])
    run.end()
    #expect(run.record(waiting[3], answeredBy: "closure") == nil)
    #expect(run.reserve(run.prepare(StubRequest(url: "/6"))) == nil)
    #expect(run.journal.count == 4)
  }

  @Test func entriesAreComparedWithoutASearchForTheNearestStubs() throws {
    let runs = try (["x", "y"] as [Stub.Key]).map {
      try run(Stub(key: $0, request: RequestPattern(path: .template("/a"))))
    }
    for run in runs { _ = run.respond(to: StubRequest(url: "/b")) }
    runs[0].journal[0].discardExplanation()
    #expect(runs[0].journal == runs[1].journal)
    #expect(runs.map { $0.journal[0].nearMisses.count } == [0, 1])
  }

  /// A search that looks at the journal would wait for itself.
  @Test func searchesForTheReportHoldNoLock() throws {
    final class Curious: OtherScenarioSearch {
      let run = Locked<ScenarioRun?>(nil)

      func scenarios(matching request: StubRequest) -> [ScenarioName] {
        let run = run.withLock { $0 }
        return run?.journal[0].nearMisses.compactMap { ScenarioName($0.key) } ?? []
      }
    }
    let name = try #require(ScenarioName("a"))
    let stub = Stub(key: "near", request: RequestPattern(path: .template("/a")))
    let search = Curious()
    let run = try LoadedScenario(
      name: name, stubs: [LoadedScenario.Source(origin: name, stub: stub)], otherScenarios: search
    ).run()
    search.run.withLock { $0 = run }
    defer { search.run.withLock { $0 = nil } }
    _ = run.respond(to: StubRequest(url: "/b"))
    #expect(run.report(on: run.journal[0]).otherScenarios.map(\.rawValue) == ["near"])
  }

  @Test func reportNamesOtherScenariosThatMatch() throws {
    struct Everywhere: OtherScenarioSearch {
      func scenarios(matching request: StubRequest) -> [ScenarioName] {
        ["login/ok", "login/slow"].compactMap(ScenarioName.init)
      }
    }
    let run = try LoadedScenario(
      name: try #require(ScenarioName("a")), stubs: [], catalogDescription: "/shop.stubdb",
      otherScenarios: Everywhere()
    ).run()
    _ = run.respond(to: StubRequest(url: "http://x/"))
    let report = run.report(on: run.journal[0])
    #expect(report.otherScenarios.map(\.rawValue) == ["login/ok", "login/slow"])
    #expect(report.text.contains("A stub of scenario \"login/ok\" (and of 1 more) answers it."))
  }
}

enum EngineTestFailure: Error {
  case notAnswered
}
