import Dispatch
import HTTPTypes
import StubDBModel
import Testing

@testable import StubDBEngine
@testable import StubDBPlayback

/// Closures in front of a scenario, and what the run keeps of their requests.
@Suite struct ClosurePlayingTests {
  private func player(
    _ stubs: Stub..., answer: @escaping ClosureStub.Answer
  ) throws -> Player {
    let player = Player(
      try LoadedScenario(Scenario(name: try #require(ScenarioName("a")), stubs: stubs)),
      options: PlaybackOptions())
    player.closures.add(ClosureStub(filter: .everything, origin: "closure", answer: answer))
    return player
  }

  /// The request that waits for the closures.
  private func waiting(_ url: String, in player: Player) throws -> ClosureCall {
    guard case .closures(let candidates, let request) = player.decide(about: StubRequest(url: url))
    else { throw PlaybackTestFailure.notAnswered }
    return ClosureCall(candidates: candidates, request: request, player: player)
  }

  private func decision(of call: ClosureCall) async -> Player.Decision {
    // ThreadSanitizer does not see the order of a continuation that is resumed before it is awaited.
    let (decisions, continuation) = AsyncStream.makeStream(of: Player.Decision.self)
    _ = call.begin { continuation.yield($0) }
    for await decision in decisions { return decision }
    return .failure(.ended)
  }

  @Test func theJournalIsInOrderOfArrivalWheneverClosuresReturn() async throws {
    let player = try player { $0.url == "/left" ? nil : .status(200) }
    let calls = try ["/left", "/2", "/3"].map { try waiting($0, in: player) }
    for call in calls.reversed() { _ = await decision(of: call) }
    #expect(player.run.journal.map(\.request.url) == ["/left", "/2", "/3"])
    #expect(player.run.journal.map(\.number) == [1, 2, 3])
    #expect(player.run.journal.map(\.stubKey) == [nil, "closure", "closure"])
  }

  @Test(arguments: [false, true])
  func aClosureThatReturnsAfterTheEndAnswersNothing(throwing: Bool) async throws {
    let gate = DispatchSemaphore(value: 0)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let player = try player { _ in
      begin.finish()
      Self.wait(for: gate)
      if throwing { throw PlaybackTestFailure.notAnswered }
      return .status(200)
    }
    let call = try waiting("/x", in: player)
    async let decided = decision(of: call)
    for await _ in begun {}
    player.end()
    gate.signal()
    guard case .failure(.ended) = await decided else { throw PlaybackTestFailure.notAnswered }
    #expect(player.run.journal.isEmpty)
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }

  @Test func theScenarioGoesOnWithTheLimitAndTheArrivalOfARequestThatClosuresLeave() async throws {
    let hostile = RequestPattern(headers: [HeaderPattern(.accept, .matches("(a+)+b"))])
    let player = try player(Stub(key: "s", request: hostile)) { _ in nil }
    let request = player.run.prepare(
      StubRequest(url: "/", headers: [.accept: String(repeating: "a", count: 60)]))
    guard case .closures(let candidates, let waiting) = player.decide(about: request) else {
      throw PlaybackTestFailure.notAnswered
    }
    let before = request.context.budget.left
    let call = ClosureCall(candidates: candidates, request: waiting, player: player)
    guard case .unmatched = await decision(of: call) else { throw PlaybackTestFailure.notAnswered }
    #expect(request.context.budget.left < before)
  }

  @Test func aResponseThatDelegatesToTheNextStubIsNone() async throws {
    let player = try player(Stub(key: "s")) { _ in StubResponse(delegation: .next) }
    guard case .answer(_, let event) = await decision(of: try waiting("/x", in: player)) else {
      throw PlaybackTestFailure.notAnswered
    }
    #expect(event.stubKey == "s")
  }

  @Test func aTemplateOfAClosureIsRefused() async throws {
    let player = try player { _ in
      StubResponse(body: .text("{{request.path}}"), isTemplate: true)
    }
    guard case .failure(.refused(let message)) = await decision(of: try waiting("/x", in: player))
    else { throw PlaybackTestFailure.notAnswered }
    #expect(
      message.hasPrefix("closure returned a template, which only a stub of a scenario can be"))
    #expect(player.problems().map(\.kind) == [.failedTemplate])
    #expect(player.problems().map(\.message) == [message])
  }
}
