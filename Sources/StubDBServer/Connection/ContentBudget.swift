#if Server
import StubDBEngine
import StubDBSupport

/// The memory that the content of requests takes that are received or answered at present, on all connections: as it
/// came, unpacked, and in the forms that patterns and templates need.
///
/// A connection takes it in large steps, and none for small requests, so that the lock is rarely asked for.
final class ContentBudget: ContentMemory {
  /// Content up to this size is not counted: connections need as much anyway.
  private static let free = 64 << 10
  private static let step = 1 << 20

  private let limit: Int
  private let used = Locked(0)
  /// Held by work whose memory is not counted as a whole.
  private let turn = Locked(())

  init(limit: Int) {
    self.limit = limit
  }

  /// What one connection has taken.
  struct Share {
    fileprivate var byteCount = 0
  }

  /// Takes memory for content that has this size so far.
  ///
  /// - Throws: A ``Refusal`` if there is too little left.
  func reserve(_ share: inout Share, for byteCount: Int) throws(Refusal) {
    let missing = byteCount - Self.free - share.byteCount
    guard missing > 0 else { return }
    let taken = (missing + Self.step - 1) / Self.step * Self.step
    guard take(byteCount: taken) else { throw refusal }
    share.byteCount += taken
  }

  /// What a request is answered with for which there is too little memory.
  var refusal: Refusal {
    Refusal(
      503, "Service unavailable",
      "The server holds as much content of requests at once as it may, \(limit) bytes; send the "
        + "request again later.")
  }

  func take(byteCount: Int) -> Bool {
    used.withLock { used in
      guard used + byteCount <= limit else { return false }
      used += byteCount
      return true
    }
  }

  func giveBack(byteCount: Int) {
    used.withLock { $0 -= byteCount }
  }

  func inTurn<Result: Sendable>(_ work: () -> Result) -> Result {
    turn.withLock { _ in work() }
  }

  func release(_ share: inout Share) {
    guard share.byteCount > 0 else { return }
    giveBack(byteCount: share.byteCount)
    share.byteCount = 0
  }
}
#endif
