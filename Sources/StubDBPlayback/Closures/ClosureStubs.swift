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
