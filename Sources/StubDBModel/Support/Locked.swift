internal import Foundation

/// A value that is only reached while a lock is held.
///
/// `Synchronization.Mutex` needs macOS 15 and iOS 18; this box serves the platforms below and is the
/// only lock in the package.
package final class Locked<Value>: @unchecked Sendable {
  // Safe to share: `value` is only touched between `lock()` and `unlock()`, and `withLock` hands it
  // out for the length of a synchronous closure.
  private var value: Value
  private let lock = NSLock()

  package init(_ value: sending Value) {
    self.value = value
  }

  /// Runs the closure while the lock is held and returns what it returns.
  ///
  /// Not reentrant: calling `withLock` of the same box inside the closure deadlocks.
  package func withLock<Result>(
    _ body: (inout Value) throws -> sending Result
  ) rethrows -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
