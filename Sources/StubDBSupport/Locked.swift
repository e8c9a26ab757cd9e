#if canImport(Darwin)
  public import Darwin
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Android)
  public import Android
#else
  public import Glibc
#endif

/// A value that is accessed only with a lock held.
///
/// `Synchronization.Mutex` needs macOS 15 and iOS 18; this box supports older systems and is the only lock in the
/// package. `NSLock` takes four allocations on Linux, and a box is made for every request.
///
/// Inlinable, because a request takes a dozen locks, and a generic function of another module is slow otherwise. It is
/// public for that reason alone: the compiler does not inline what is `package` into other modules.
public final class Locked<Value>: @unchecked Sendable {
  #if canImport(Darwin)
    @usableFromInline typealias Primitive = os_unfair_lock
  #else
    @usableFromInline typealias Primitive = pthread_mutex_t
  #endif

  // Safe to share: `value` is accessed only between locking and unlocking, and `withLock` passes it to a synchronous
  // closure. The lock keeps its address for its whole life.
  // Safe not to check: the lock gives exclusive access, so the check at run time would only cost time.
  @exclusivity(unchecked) @usableFromInline var value: Value
  @usableFromInline let lock: UnsafeMutablePointer<Primitive>

  /// Makes a box with a value.
  @inlinable
  public init(_ value: sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    lock.initialize(to: Primitive())
    #if !canImport(Darwin)
      pthread_mutex_init(lock, nil)
    #endif
  }

  @inlinable
  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(lock)
    #endif
    lock.deallocate()
  }

  /// Runs the closure with the lock held and returns its result.
  ///
  /// Not reentrant: calling `withLock` of the same box inside the closure deadlocks.
  @inlinable
  public func withLock<Result>(
    _ body: (inout Value) throws -> sending Result
  ) rethrows -> sending Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
    #else
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
    #endif
    return try body(&value)
  }
}
