#if Server
import Foundation
import NIOCore
import StubDBSupport

/// Has a listener pause when a connection cannot be accepted, as when the process has too many open files.
///
/// The connection goes on waiting in the kernel, so that another try at once would fail at once, again and again.
final class AcceptPause: Sendable {
  private static let time = TimeAmount.seconds(1)
  /// How long nothing more is said about it.
  private static let quietTime = TimeAmount.minutes(1)

  private let note: @Sendable (String) -> Void
  private let lastNote = Locked<NIODeadline?>(nil)

  init(_ note: @escaping @Sendable (String) -> Void) {
    self.note = note
  }

  /// Adds the pause to a listener.
  @Sendable func add(to channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(
        AcceptBackoffHandler { [self] error in
          say(error)
          return Self.time
        })
    }
  }

  /// Says why no connection is accepted, unless that was said a short time ago.
  func say(_ error: IOError, at now: NIODeadline = .now()) {
    let isNew = lastNote.withLock { last in
      if let last, now - last < Self.quietTime { return false }
      last = now
      return true
    }
    guard isNew else { return }
    let advice =
      error.errnoCode == EMFILE || error.errnoCode == ENFILE
      ? "; end clients or sessions, or raise the limit of open files (ulimit -n)" : ""
    let reason = String(cString: strerror(error.errnoCode))
    note("No further connection is accepted for now: \(reason)\(advice)")
  }
}
#endif
