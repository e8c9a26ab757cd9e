import Foundation
import StubDBPlayback
import StubDBSupport
import StubDBTestSupport
import Testing

@testable import StubDBTesting
@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that have the shared session take turns; all others run beside them.
@Suite struct SessionReachTests {
  /// Counts who is inside at the same time.
  private final class Presence: Sendable {
    private let state = Locked((now: 0, most: 0, waiting: [CheckedContinuation<Void, Never>]()))

    var most: Int { state.withLock(\.most) }

    func enter() {
      let waiting = state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    func leave() { state.withLock { $0.now -= 1 } }

    /// Returns once so many have entered.
    func wait(for count: Int) async {
      while most < count {
        await withCheckedContinuation { continuation in
          let isReached = state.withLock { state in
            if state.most < count { state.waiting.append(continuation) }
            return state.most >= count
          }
          if isReached { continuation.resume() }
        }
      }
    }
  }

  private func perform(
    _ scenario: String, _ reach: SessionReach, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    let trait = ScenarioTrait.scenario(scenario, catalog: TestCatalog.path, reach: reach)
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
  }

  /// Each of the 20 others waits for all of them, while a test that has the shared session waits for them too.
  @Test func twentyTakeTurnsAndTwentyOthersRunBesideThem() async throws {
    let (shared, others) = (Presence(), Presence())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        let scenario = "checkout/\(number.isMultiple(of: 2) ? "accepted" : "declined")"
        group.addTask {
          try await perform(scenario, .sharedSession) {
            shared.enter()
            await others.wait(for: 20)
            let texts = [try await charge(in: .shared), try await charge(in: .stubbed)]
            #expect(texts == ["\(scenario) 1", "\(scenario) 2"])
            shared.leave()
          }
        }
        group.addTask {
          try await perform("checkout/declined", .ownSessions) {
            others.enter()
            await others.wait(for: 20)
            let text = try await charge(in: .stubbed)
            #expect(text == "checkout/declined 1")
            others.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(shared.most == 1)
    #expect(others.most == 20)
  }

  @Test func aTestThatFailsGivesTheSharedSessionBack() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await perform("checkout/declined", .sharedSession) {
        _ = try await charge(in: .shared)
        throw Failure()
      }
    }
    try await perform("checkout/accepted", .sharedSession) {
      let texts = [try await charge(in: .shared), try await charge(in: .shared)]
      #expect(texts == ["checkout/accepted 1", "checkout/accepted 2"])
    }
  }

  @Test func aTestThatIsCancelledWhileItWaitsDoesNotBegin() async throws {
    let waits = Presence()
    let ran = Locked(false)
    let cancelled = Locked(Task<Void, any Error>?.none)
    try await perform("checkout/declined", .sharedSession) {
      let other = Task {
        waits.enter()
        try await SharedSessionTurn.perform { ran.withLock { $0 = true } }
      }
      await waits.wait(for: 1)
      other.cancel()
      _ = try await charge(in: .shared)
      cancelled.withLock { $0 = other }
    }
    let waiting = cancelled.withLock { $0 }
    let other = try #require(waiting)
    await #expect(throws: CancellationError.self) { try await other.value }
    let hasRun = ran.withLock { $0 }
    #expect(!hasRun)
  }

  #if canImport(FoundationNetworking)
    /// The stubs are gone by then, so the request goes to the real network, where nothing listens at this address.
    @Test func aLateRequestToTheSharedSessionIsNamed() async throws {
      let url = try #require(URL(string: "http://127.0.0.2:9/v1/late?token=abc"))
      var late: [String] = []
      // What other tests of this process report meanwhile takes all late requests with it.
      for _ in 0..<50 where late.isEmpty {
        let (hasEnded, end) = AsyncStream.makeStream(of: Void.self)
        let client = Locked(Task<Void, Never>?.none)
        try await perform("checkout/declined", .sharedSession) {
          _ = try await charge(in: .shared)
          let task = Task {
            for await _ in hasEnded {}
            _ = try? await URLSession.shared.data(from: url)
          }
          client.withLock { $0 = task }
        }
        end.finish()
        await client.withLock(\.self)?.value
        late = LateRequests.take().filter { $0.contains("aLateRequestToTheSharedSessionIsNamed()") }
      }
      #expect(late.count == 1)
      #expect(late.first?.hasPrefix("GET /v1/late came ") == true)
      #expect(late.first?.hasSuffix(" had ended, and went to the real network") == true)
    }

    /// On Linux Foundation asks on the thread of the caller, whose test is known.
    @Test func anotherTestDoesNotSeeTheStubs() async throws {
      let requests = SharedRequests()
      try await perform("checkout/accepted", .sharedSession) {
        let type = try #require(StubInterceptor.current.protocolClass as? StubURLProtocol.Type)
        let request = URLRequest(url: try #require(URL(string: "https://api.shop.test/charges")))
        #expect(type.canInit(with: request))
        SharedSessionWatch.$requests.withValue(requests) { #expect(!type.canInit(with: request)) }
        await Task.detached { #expect(type.canInit(with: request)) }.value
        let texts = [try await charge(in: .shared), try await charge(in: .shared)]
        #expect(texts == ["checkout/accepted 1", "checkout/accepted 2"])
      }
    }
  #endif
}
