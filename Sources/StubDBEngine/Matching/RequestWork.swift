import StubDBSupport

/// Where the memory is counted that the content of requests takes.
package protocol ContentMemory: Sendable {
  /// Takes memory; false if there is too little left.
  func take(byteCount: Int) -> Bool

  /// Gives memory back that was taken.
  func giveBack(byteCount: Int)

  /// Does work whose memory is not counted as a whole, while no other such work is done.
  func inTurn<Result: Sendable>(_ work: () -> Result) -> Result
}

/// The work on one request, as the front end sees it that waits for the answer.
///
/// The front end says that the client has gone, and where memory is counted; the work says whether there was enough.
package final class RequestWork: Sendable {
  private struct State {
    var isCancelled = false
    var lacksMemory = false
  }

  private let memory: (any ContentMemory)?
  private let state = Locked(State())

  /// Begins the work on a request; its memory is not counted if nothing counts it.
  package init(memory: (any ContentMemory)?) {
    self.memory = memory
  }

  /// The client has gone: long work is given up.
  package func cancel() {
    state.withLock { $0.isCancelled = true }
  }

  /// Whether the client has gone.
  package var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Whether there was too little memory for the content in the forms that patterns and templates need.
  ///
  /// What was decided then means nothing.
  package var lacksMemory: Bool { state.withLock(\.lacksMemory) }

  func take(byteCount: Int) -> Bool {
    guard let memory, !memory.take(byteCount: byteCount) else { return true }
    state.withLock { $0.lacksMemory = true }
    return false
  }

  func giveBack(byteCount: Int) { memory?.giveBack(byteCount: byteCount) }

  /// Does work that may take much memory, after that of other requests whose memory is counted in the same place.
  func inTurn<Result: Sendable>(_ work: () -> Result) -> Result {
    if let memory { memory.inTurn(work) } else { work() }
  }
}
