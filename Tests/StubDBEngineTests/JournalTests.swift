import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBModel
import StubDBServing
import StubDBSupport
import Testing

@testable import StubDBEngine

@Suite struct JournalTests {
  /// A run with a stub at `/a`, which answers requests to the paths one after another.
  private func run(
    _ paths: [String] = [], limit: JournalLimit = .unlimited,
    observer: ScenarioRun.Observer? = nil
  ) throws -> ScenarioRun {
    let name = try #require(ScenarioName("checkout/pay"))
    let stub = Stub(key: "a", request: RequestPattern(path: .template("/a")))
    let run = try LoadedScenario(Scenario(name: name, stubs: [stub]))
      .run(journalLimit: limit, observer: observer)
    for path in paths { ask(run, path) }
    return run
  }

  private func ask(_ run: ScenarioRun, _ path: String, _ content: String = "") {
    let request = StubRequest(url: "https://a.test/\(path)", body: .bytes(Data(content.utf8)))
    _ = run.respond(to: request)
  }

  private func entries(_ count: Int) -> JournalLimit {
    JournalLimit(entryCount: count, byteCount: .max)
  }

  private var pattern: RequestPattern { RequestPattern(path: .template("/a")) }

  @Test func theJournalKeepsNoStubsThatAreNotPlayedAnyMore() throws {
    var run: ScenarioRun? = try self.run(["a"])
    weak let stubs = run?.scenario.stubs
    let later = try LoadedScenario(
      Scenario(name: try #require(ScenarioName("shop")), stubs: [Stub(key: "b")]))
    let next = ScenarioRun(continuing: try #require(run), with: later)
    run = nil
    #expect(stubs == nil)
    let entry = try #require(next.journal.first)
    #expect(entry.stubKey == "a" && entry.scenario?.rawValue == "checkout/pay")
    #expect(entry.status == 200)
  }

  @Test(arguments: [1, 3, 40, 100])
  func aLimitedJournalKeepsTheNewestEntries(_ limit: Int) throws {
    let run = try run(Array(repeating: "a", count: 250), limit: entries(limit))
    #expect(run.journal.map(\.number) == Array((251 - limit)...250))
    #expect(run.droppedCount == 250 - limit)
  }

  @Test func contentCountsToo() throws {
    let url = "https://a.test/a".utf8.count
    let run = try run(limit: JournalLimit(entryCount: 100, byteCount: 3 * url + 10))
    for content in ["1234", "5678", "90"] { ask(run, "a", content) }
    #expect(run.journal.map(\.number) == [1, 2, 3])
    ask(run, "a", "1")
    #expect(run.journal.map(\.number) == [2, 3, 4])
    ask(run, "a", String(repeating: "more than all of them ", count: 10))
    #expect(run.journal.map(\.number) == [5])
    ask(run, "a", "small")
    #expect(run.journal.map(\.number) == [6])
  }

  @Test func fieldsAndURLsCountAsContentDoes() throws {
    let run = try run(limit: JournalLimit(entryCount: 100, byteCount: 2_000))
    let long = String(repeating: "x", count: 900)
    for number in 1...6 {
      let isField = number.isMultiple(of: 2)
      var request = StubRequest(url: "https://a.test/a" + (isField ? "" : "?\(long)"))
      if isField { request.headers[.userAgent] = long }
      _ = run.respond(to: request)
    }
    #expect(run.journal.map(\.number) == [5, 6])
    #expect(run.droppedCount == 4)
  }

  private struct Kept: KeptAnswer {
    let keptByteCount: Int
  }

  @Test func whatIsKeptOfAnswersCountsToo() throws {
    let url = "https://a.test/a".utf8.count
    let run = try run(limit: JournalLimit(entryCount: 100, byteCount: 3 * url + 20))
    for count in [10, 0, 8] {
      ask(run, "a")
      run.conclude(
        try #require(run.journal.last), status: 200, kept: Kept(keptByteCount: count), after: .zero)
    }
    #expect(run.journal.map(\.number) == [1, 2, 3])
    #expect(run.keptAnswer(toEntry: 1)?.keptByteCount == 10)
    // The fourth has no place beside the first; without it, what is kept of the third is not too much.
    ask(run, "a", "123")
    #expect(run.journal.map(\.number) == [2, 3, 4])
    run.removeJournalEntries([3])
    ask(run, "a", "12345678")
    #expect(run.journal.map(\.number) == [2, 4, 5])
    #expect(run.keptAnswer(toEntry: 1) == nil && run.keptAnswer(toEntry: 3) == nil)
  }

  @Test func removedEntriesAreGone() throws {
    let run = try run(["a", "b", "a", "b", "a"], limit: entries(4))
    run.removeJournalEntries([1, 2, 4, 9, .min, .max])
    #expect(run.journal.map(\.number) == [3, 5])
    #expect(run.journalEntry(2) == nil && run.journalEntry(.min) == nil)
    #expect(run.droppedCount == 1 && run.lastNumber == 5)
    let page = run.journal(after: .min, limit: 1)
    #expect(page.entries.map(\.number) == [3] && page.last == 3 && page.missing == 1)
    #expect(run.journal(after: 3, limit: 9).entries.map(\.number) == [5])
    // What was removed is not counted as dropped once its place is needed.
    for _ in 1...3 { ask(run, "a") }
    #expect(run.journal.map(\.number) == [5, 6, 7, 8] && run.droppedCount == 2)
  }

  @Test func statusAndTimeStayWithTheirEntry() throws {
    let run = try run(limit: entries(40))
    for _ in 1...250 {
      ask(run, "a")
      let event = try #require(run.journal.last)
      run.conclude(event, status: 418, after: .milliseconds(event.number))
    }
    run.removeJournalEntries([240, 250])
    ask(run, "a")
    let page = run.journal(after: 0, limit: 100)
    let decided = page.entries.dropLast()
    #expect(decided.map(\.number) == Array(212...239) + Array(241...249))
    #expect(page.durations == decided.map { .milliseconds($0.number) } + [nil])
    #expect(decided.allSatisfy { $0.status == 418 } && run.duration(ofEntry: 240) == nil)
    // The entry of an earlier run, whose number is another request's now.
    let later = try self.run(["a"])
    later.conclude(decided[0], status: 418, after: .seconds(1))
    let first = try self.run(["a"]).journal[0]
    later.conclude(first, status: 418, after: .seconds(1))
    #expect(later.duration(ofEntry: 1) == nil && later.journal[0].status == 200)
  }

  @Test func verificationSaysThatItIsIncomplete() throws {
    let run = try run(["b", "b", "a", "a"], limit: entries(1))
    #expect(run.problems().map(\.kind) == [.incompleteJournal])
    #expect(
      run.problems().first?.message
        == "The journal is incomplete: 3 entries were dropped, 2 of them are problems")
    #expect(run.problems(acceptingUnmatched: true) == [])
    #expect(throws: VerificationError.self) { try run.expect(count: 1, matching: pattern) }
    #expect(throws: VerificationError.self) { try run.expect(inOrder: [pattern, pattern]) }
    // Whatever was dropped, these are certain.
    try run.expect(count: 1...100, matching: pattern)
    try run.expect(inOrder: [pattern])
    do {
      try run.expect(count: 0, matching: pattern)
    } catch {
      #expect(error.problems.map(\.kind) == [.unexpectedCount])
    }
  }

  @Test func matchedEntriesMayBeDroppedWithoutAProblem() throws {
    #expect(try run(["a", "a", "a"], limit: entries(1)).problems() == [])
  }

  @Test func pagesFollowEachOtherByNumber() throws {
    let run = try run(Array(repeating: "a", count: 10), limit: entries(8))
    var page = run.journal(after: 0, limit: 5)
    #expect(page.entries.map(\.number) == Array(3...7))
    #expect(page.missing == 2)
    page = run.journal(after: page.last, limit: 5)
    #expect(page.entries.map(\.number) == [8, 9, 10])
    #expect(page.missing == 0)
    page = run.journal(after: page.last, limit: 5)
    #expect(page.entries == [] && page.last == 10)
    ask(run, "a")
    #expect(run.journal(after: page.last, limit: 5).entries.map(\.number) == [11])
  }

  @Test func aPageEndsBeforeARequestThatIsNotDecided() throws {
    let run = try run(["a"])
    let waiting = try #require(run.reserve(run.prepare(StubRequest(url: "https://a.test/a"))))
    ask(run, "a")
    #expect(run.journal(after: 0, limit: 9).entries.map(\.number) == [1])
    _ = run.respond(to: waiting)
    #expect(run.journal(after: 1, limit: 9).entries.map(\.number) == [2, 3])
  }

  @Test func aRequestThatIsDecidedAfterItsEntryWasDroppedIsCounted() throws {
    let run = try run(limit: entries(2))
    let waiting = try #require(run.reserve(run.prepare(StubRequest(url: "https://a.test/b"))))
    for _ in 0..<3 { ask(run, "a") }
    #expect(run.problems() == [])
    _ = run.respond(to: waiting)
    #expect(run.journal.map(\.number) == [3, 4])
    #expect(run.problems().map(\.kind) == [.incompleteJournal])
  }

  @Test func anObserverIsToldEachEntryWithoutTheLock() throws {
    let seen = Locked<[ServeEvent]>([])
    let observed = Locked<ScenarioRun?>(nil)
    let run = try run(observer: { event in
      // Would wait for ever if the run were locked.
      let count = observed.withLock { $0 }?.journal.count ?? 0
      seen.withLock { if count == event.number { $0.append(event) } }
    })
    observed.withLock { $0 = run }
    for path in ["a", "b"] { ask(run, path) }
    let waiting = try #require(run.reserve(run.prepare(StubRequest(url: "https://a.test/b"))))
    _ = run.record(waiting, answeredBy: "closure")
    #expect(seen.withLock { $0 } == run.journal)
    observed.withLock { $0 = nil }
  }
}

@Suite struct RunResetTests {
  private func run() throws -> ScenarioRun {
    let document = """
      {"scenario": "shop", "stubs": [
        {"key": "pay", "request": {"path": "/pay"},
         "flow": {"name": "order", "becomes": "paid"}, "capture": {"id": {"query": "id"}},
         "responses": [{"text": "1"}, {"text": "2"}]},
        {"key": "state", "request": {"path": "/state"}, "flow": {"name": "order", "requires": "paid"}},
        {"key": "kept", "request": {"path": "/kept", "captured": {"id": "7"}}}
      ]}
      """
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    _ = answer(run, "pay?id=7")
    return run
  }

  /// The key of the stub that answers, with the number of its response; nil if none does.
  private func answer(_ run: ScenarioRun, _ path: String) -> String? {
    guard case .respond(let selection)? = run.respond(to: StubRequest(url: "/\(path)")) else {
      return nil
    }
    return "\(selection.event.stubKey ?? "") \((selection.event.responseIndex ?? -1) + 1)"
  }

  @Test(arguments: [
    (RunParts.counters, ["pay 1", "state 1", "kept 1"], ["started", "paid"]),
    (.flows, [nil, "kept 1", "pay 2"], ["started", "started"]),
    (.captures, ["state 1", nil, "pay 2"], ["started", "paid"]),
  ])
  func onlyThePartIsForgotten(_ parts: RunParts, _ answers: [String?], _ states: [String]) throws {
    let run = try run()
    run.reset(parts)
    #expect(run.flowStates == ["order": states[1]])
    let paths = parts == .counters ? ["pay?id=7", "state", "kept"] : ["state", "kept", "pay?id=7"]
    #expect(paths.map { answer(run, $0) } == answers)
  }

  @Test func anEmptiedJournalGoesOnWithTheNextNumber() throws {
    let run = try run()
    _ = answer(run, "nowhere")
    let waiting = try #require(run.reserve(run.prepare(StubRequest(url: "/nowhere"))))
    run.reset(.journal)
    #expect(run.problems() == [])
    #expect(run.journal == [])
    _ = run.respond(to: waiting)
    #expect(run.problems() == [])
    #expect(answer(run, "pay?id=7") == "pay 2")
    #expect(run.journal.map(\.number) == [4])
  }

  @Test func afterAWholeResetTheRunBeginsAnew() throws {
    let run = try run()
    run.reset()
    #expect(run.flowStates == ["order": "started"])
    #expect(["kept", "state", "pay?id=7"].map { answer(run, $0) } == [nil, nil, "pay 1"])
  }

  @Test func aFlowIsSetToAState() throws {
    let run = try run()
    #expect(run.setState("started", ofFlow: "order"))
    #expect(answer(run, "state") == nil)
    #expect(!run.setState("paid", ofFlow: "parcel"))
    #expect(run.flowStates == ["order": "started"])
  }
}

@Suite struct OriginTests {
  @Test(arguments: [
    ("https://api.shop.test", "https://api.shop.test"),
    ("HTTP://API.shop.test:8080/", "http://api.shop.test:8080"),
    ("https://api.shop.test:443", "https://api.shop.test"),
    ("https://api.shop.test/v1", nil), ("https://ada@api.shop.test", nil), ("/v1", nil),
    ("api.shop.test", nil), ("mailto:ada", nil),
  ])
  func anOriginIsAURLWithoutAPath(_ text: String, _ expected: String?) {
    #expect(Origin(text)?.description == expected)
  }

  @Test func aScenarioNamesTheOriginsOfItsStubs() throws {
    let document = """
      {"scenario": "shop", "stubs": [
        {"key": "a", "request": {"url": "https://api.shop.test/a"}},
        {"key": "b", "request": {"host": "pay.test"}},
        {"key": "c", "request": {"url": "wss://api.shop.test/events"}},
        {"key": "d", "request": {"url": "http://pay.test:8080/"}},
        {"key": "e", "request": {"host": "only.test", "path": "/x"}},
        {"key": "f", "request": {"host": {"contains": "x"}}},
        {"key": "g", "request": {"path": "/g"}},
        {"key": "h", "request": {"url": {"equalTo": "https://whole.test/h"}}}
      ]}
      """
    let scenario = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8)))
    #expect(
      scenario.origins.map(\.description) == [
        "https://api.shop.test", "http://pay.test:8080", "https://only.test", "https://whole.test",
      ])
  }
}
