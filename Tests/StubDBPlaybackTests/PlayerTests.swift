import Foundation
import HTTPTypes
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBEngine
@testable import StubDBPlayback

@Suite struct PlayerTests {
  /// A front end that collects events until the end.
  private final class Collector: ResponseSink {
    let ends = AsyncStream.makeStream(of: ResponseEvent.self)

    func tell(_ event: ResponseEvent) {
      switch event {
      case .whole, .finish, .failure: ends.continuation.yield(event)
      case .head, .content: break
      }
    }
  }

  private final class CountingSearch: OtherScenarioSearch {
    let count = Locked(0)

    func scenarios(matching request: StubRequest) -> [ScenarioName] {
      count.withLock { $0 += 1 }
      return []
    }
  }

  @Test func anExchangeLeavesThePlayerThatContinuesItsOwn() throws {
    let scenario = try LoadedScenario(
      Scenario(name: ScenarioName(unchecked: "a"), stubs: [Stub(key: "s")]))
    let first = Player(scenario, options: PlaybackOptions())
    var exchange = Exchange(first, patience: Patience(isIncremental: true), sink: Collector())
    let second = Player(continuing: first, with: scenario)
    #expect(exchange != nil && second.waiting.count == 1)
    exchange = nil
    #expect(second.waiting.count == 0)
  }

  private func end(of request: StubRequest, in player: Player) async throws -> ResponseEvent {
    let sink = Collector()
    let patience = Patience(isIncremental: true)
    let exchange = try #require(Exchange(player, patience: patience, sink: sink))
    exchange.answer(request)
    var ends = sink.ends.stream.makeAsyncIterator()
    let end = try #require(await ends.next())
    exchange.cancel()
    return end
  }

  @Test func theReportOnAnUnmatchedRequestIsMadeOnce() async throws {
    let search = CountingSearch()
    let name = try #require(ScenarioName("a"))
    let stub = Stub(key: "s", request: RequestPattern(path: .template("/other")))
    let scenario = try LoadedScenario(
      name: name, stubs: [LoadedScenario.Source(origin: name, stub: stub)], otherScenarios: search)
    let player = Player(scenario, options: PlaybackOptions())
    let request = StubRequest(url: "https://h.test/x")
    guard case .failure(.unmatched(_, let message)) = try await end(of: request, in: player) else {
      throw PlaybackTestFailure.notAnswered
    }
    let problems = [player.problems(), player.problems()]
    #expect(problems.map { $0.map(\.message) } == [[message], [message]])
    #expect(search.count.withLock { $0 } == 1)
  }

  /// Equal requests are distinguished by their place in the journal.
  @Test func eachUnmatchedRequestCarriesItsOwnEntry() throws {
    let player = Player(nil, options: PlaybackOptions())
    let request = StubRequest(url: "https://h.test/x")
    let numbers = (0..<2).map { _ in
      if case .unmatched(let event) = player.decide(about: request) { event.number } else { 0 }
    }
    #expect(numbers == [1, 2])
  }

  @Test func thePatternsOfClosuresAndOfTheScenarioShareTheLimitOnTheWorkOfARequest() throws {
    let hostile = RequestPattern(headers: [HeaderPattern(.accept, .matches("(a+)+b"))])
    let scenario = try LoadedScenario(
      Scenario(
        name: try #require(ScenarioName("a")), stubs: [Stub(key: "s", request: hostile)]))
    func steps(withClosures count: Int) throws -> Int {
      let player = Player(scenario, options: PlaybackOptions())
      for _ in 0..<count {
        let filter = try RequestFilter(hostile)
        player.closures.add(ClosureStub(filter: filter, origin: "test") { _ in nil })
      }
      let request = player.run.prepare(
        StubRequest(url: "/", headers: [.accept: String(repeating: "a", count: 60)]))
      guard case .unmatched = player.decide(about: request) else {
        throw PlaybackTestFailure.notAnswered
      }
      return request.context.budget.taken
    }
    #expect(try steps(withClosures: 3) > 3 * steps(withClosures: 0))
    let allowances = 61 * (WorkBudget.allowance + BoundedRegex.stepCost)
    #expect(try steps(withClosures: 60) <= WorkBudget.answering.left + allowances)
  }

  @Test func whatWaitsIsToldThatTheRunHasEnded() async throws {
    let stub = Stub(key: "s", responses: [StubResponse(fault: .never)])
    let scenario = try LoadedScenario(
      Scenario(name: try #require(ScenarioName("a")), stubs: [stub]))
    let player = Player(scenario, options: PlaybackOptions())
    let sink = Collector()
    let exchange = try #require(
      Exchange(player, patience: Patience(isIncremental: true), sink: sink))
    exchange.answer(StubRequest(url: "https://h.test/x"))
    player.end()
    var ends = sink.ends.stream.makeAsyncIterator()
    guard case .failure(.ended) = await ends.next() else {
      throw PlaybackTestFailure.notAnswered
    }
    #expect(Exchange(player, patience: Patience(isIncremental: true), sink: sink) == nil)
  }

  /// More than Dispatch has threads, because the timers of the scenario use Dispatch.
  @Test func closuresThatBlockKeepNeitherTimersNorTimeOutsFromFiring() async throws {
    let gate = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let late = Stub(key: "late", responses: [StubResponse(delay: .fixed(.milliseconds(1)))])
    let scenario = try LoadedScenario(
      Scenario(name: try #require(ScenarioName("a")), stubs: [late]))
    let player = Player(scenario, options: PlaybackOptions())
    let filter = try RequestFilter(RequestPattern(path: .template("/block")))
    player.closures.add(
      ClosureStub(filter: filter, origin: "test") { _ in
        beginning.yield()
        Self.wait(for: gate)
        return .status(200)
      })
    let count = 100
    let blocked = (0..<count).map { _ in
      Task { try await end(of: StubRequest(url: "https://h.test/block"), in: player) }
    }
    for await _ in begun.prefix(count) {}
    guard case .whole = try await end(of: StubRequest(url: "https://h.test/late"), in: player)
    else { throw PlaybackTestFailure.notAnswered }
    let sink = Collector()
    let impatience = Patience(isIncremental: true, timeout: .milliseconds(1))
    let exchange = try #require(Exchange(player, patience: impatience, sink: sink))
    exchange.answer(StubRequest(url: "https://h.test/block"))
    var ends = sink.ends.stream.makeAsyncIterator()
    guard case .failure(.timedOut) = await ends.next() else {
      throw PlaybackTestFailure.notAnswered
    }
    for _ in 0...count { gate.signal() }
    for task in blocked { _ = try await task.value }
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }
}
