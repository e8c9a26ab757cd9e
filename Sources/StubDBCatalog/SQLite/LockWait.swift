internal import CStubDBSQLite
internal import Foundation
internal import StubDBSupport

/// Waiting for the lock of a catalog that another program holds.
package enum LockWait {
  /// Not task-local: with optimization, Swift 6.3 binds an optional closure to a task-local value with SIGSEGV.
  private static let notify = Locked<(@Sendable (String) -> Void)?>(nil)

  /// Calls a closure with the path of a catalog once an operation of this process has waited for its lock for two seconds.
  ///
  /// Without it, operations wait in silence.
  package static func onWait(_ notify: @escaping @Sendable (String) -> Void) {
    Self.notify.withLock { $0 = notify }
  }

  fileprivate static func note(_ path: String) { notify.withLock(\.self)?(path) }
}

/// How a connection waits for the lock of another one.
///
/// It does as SQLite's own handler, and says after some time that it waits.
/// https://www.sqlite.org/c3ref/busy_handler.html
package final class LockWaiter {
  /// After how many milliseconds it says so.
  private static let patience = 2000

  private let path: String
  private let longest: Int
  private var waited = 0
  private var isNoted = false

  package init(path: String, longest: Int) {
    (self.path, self.longest) = (path, longest)
  }

  /// Waits; 0 if it has waited long enough.
  ///
  /// `count` is how often it has waited for this lock before.
  package func wait(_ count: Int32) -> Int32 {
    if count == 0 { waited = 0 }
    guard waited < longest else { return 0 }
    let pause = min(longest - waited, count < 10 ? 1 + 2 * Int(count) : 50)
    sqlite3_sleep(Int32(pause))
    waited += pause
    if waited >= Self.patience, !isNoted {
      isNoted = true
      LockWait.note(path)
    }
    return 1
  }
}
