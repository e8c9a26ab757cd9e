#if Server
import StubDBSupport

/// The memory that the content of requests takes that are received or answered at present, on all connections.
///
/// A connection takes it in large steps, and none for small requests, so that the lock is rarely asked for.
final class ContentBudget: Sendable {
  /// Content up to this size is not counted: connections need as much anyway.
  private static let free = 64 << 10
  private static let step = 1 << 20

  private let limit: Int
  private let used = Locked(0)

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
    let isThere = used.withLock { used in
      guard used + taken <= limit else { return false }
      used += taken
      return true
    }
    guard isThere else {
      throw Refusal(
        503, "Service unavailable",
        "The server holds as much content of requests at once as it may, \(limit) bytes; send the "
          + "request again later.")
    }
    share.byteCount += taken
  }

  func release(_ share: inout Share) {
    guard share.byteCount > 0 else { return }
    used.withLock { $0 -= share.byteCount }
    share.byteCount = 0
  }
}
#endif
