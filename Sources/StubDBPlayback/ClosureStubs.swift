import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBSupport

/// The closures in front of a scenario, newest first.
final class ClosureStubs: Sendable {
  private let stubs = Locked([ClosureStub]())

  func add(_ stub: ClosureStub) {
    stubs.withLock { $0.insert(stub, at: 0) }
  }

  func remove(_ stub: ClosureStub) {
    stubs.withLock { $0.removeAll { $0 === stub } }
    stub.end()
  }

  func removeAll() {
    let removed = stubs.withLock { stubs in
      defer { stubs = [] }
      return stubs
    }
    for stub in removed { stub.end() }
  }

  func end() { removeAll() }

  /// The closures whose pattern matches the request, in the order in which they are asked.
  func candidates(for request: PreparedRequest) -> [ClosureStub] {
    let all = stubs.withLock { $0 }
    return all.isEmpty ? [] : all.filter { $0.filter.matches(request) }
  }
}

/// Asks one closure after another, and finally the scenario.
struct ClosureCall: Sendable {
  let candidates: [ClosureStub]
  let request: WaitingRequest
  let player: Player

  /// Begins; the decision is handed over once, at some later time.
  func begin(_ done: @escaping @Sendable (Player.Decision) -> Void) -> any Cancellable {
    let chain = Chain()
    ask(0, done, chain)
    return chain
  }

  private func ask(
    _ index: Int, _ done: @escaping @Sendable (Player.Decision) -> Void, _ chain: Chain
  ) {
    // If the run ends, the closures end with it, and the scenario must not answer in their place.
    guard !player.isEnded else { return done(.failure(.ended)) }
    guard index < candidates.count else {
      return done(player.decideFromRun(about: request))
    }
    let stub = candidates[index]
    let call = stub.call(request.request) { result in
      switch result {
      case .success(let response?) where response.delegation != .next:
        done(player.decide(about: request, returning: response, from: stub.origin))
      case .success:
        ask(index + 1, done, chain)
      case .failure(let error):
        done(player.decide(about: request, throwing: error, from: stub.origin))
      }
    }
    chain.wait(for: call, at: index)
  }

  /// The call in progress.
  private final class Chain: Cancellable {
    private struct State {
      var call: (any Cancellable)?
      var index = -1
      var isCancelled = false
    }

    private let state = Locked(State())

    /// A later call may be reported before an earlier one, which has then ended.
    func wait(for call: any Cancellable, at index: Int) {
      let isCancelled = state.withLock { state in
        if index > state.index { (state.call, state.index) = (call, index) }
        return state.isCancelled
      }
      if isCancelled { call.cancel() }
    }

    func cancel() {
      let call = state.withLock { state in
        state.isCancelled = true
        return state.call
      }
      call?.cancel()
    }
  }
}

extension RequestFilter {
  /// - Throws: `DocumentError` for a URL that cannot be read.
  init(method: HTTPRequest.Method?, url: String) throws(DocumentError) {
    let pattern = try RequestPattern(method: method, url: url)
    do throws(EngineError) {
      self = try RequestFilter(pattern)
    } catch {
      throw DocumentError(.invalidValue, message: error.message)
    }
  }
}
