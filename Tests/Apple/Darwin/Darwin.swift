// Names and forms are those of the systems that are stood in for.
// swift-format-ignore-file

@_exported public import Glibc

// What of Darwin our sources use and Glibc does not have. Types and meaning are those of the manual pages; the lock
// locks, the rest is there to be type-checked.

public struct os_unfair_lock {
  fileprivate var mutex = pthread_mutex_t()
  public init() {}
}

public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {
  pthread_mutex_lock(&lock.pointee.mutex)
}

public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock>) {
  pthread_mutex_unlock(&lock.pointee.mutex)
}

extension stat {
  public var st_mtimespec: timespec { st_mtim }
  public var st_ctimespec: timespec { st_ctim }
}

/// `listxattr(2)`
public func listxattr(
  _ path: UnsafePointer<CChar>!, _ names: UnsafeMutablePointer<CChar>!, _ size: Int,
  _ options: Int32
) -> Int { 0 }

/// `getxattr(2)`
public func getxattr(
  _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!,
  _ value: UnsafeMutableRawPointer!, _ size: Int, _ position: UInt32, _ options: Int32
) -> Int { 0 }

/// `fsetxattr(2)`
@discardableResult
public func fsetxattr(
  _ descriptor: Int32, _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!, _ size: Int,
  _ position: UInt32, _ options: Int32
) -> Int32 { 0 }

// `posix_spawnattr_t` is a pointer there, and its functions take what may be nil.

/// `posix_spawnattr_init(3)`
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }

/// `posix_spawnattr_destroy(3)`
@discardableResult
public func posix_spawnattr_destroy(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }

/// `posix_spawnattr_setsigdefault(3)`
@discardableResult
public func posix_spawnattr_setsigdefault(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }

/// `posix_spawnattr_setsigmask(3)`
@discardableResult
public func posix_spawnattr_setsigmask(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }

/// `posix_spawnattr_setflags(3)`
@discardableResult
public func posix_spawnattr_setflags(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ flags: Int16
) -> Int32 { 0 }

/// `posix_spawn_file_actions_init(3)`
@discardableResult
public func posix_spawn_file_actions_init(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }

/// `posix_spawn_file_actions_destroy(3)`
@discardableResult
public func posix_spawn_file_actions_destroy(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }

/// `posix_spawn_file_actions_addopen(3)`
@discardableResult
public func posix_spawn_file_actions_addopen(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32,
  _ path: UnsafePointer<CChar>!, _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }

/// `posix_spawn_file_actions_adddup2(3)`
@discardableResult
public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32,
  _ copy: Int32
) -> Int32 { 0 }

/// `posix_spawnp(2)`
public func posix_spawnp(
  _ process: UnsafeMutablePointer<pid_t>!, _ file: UnsafePointer<CChar>!,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>!,
  _ attributes: UnsafePointer<posix_spawnattr_t?>!,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }

/// `getrlimit(2)`
public let RLIMIT_NOFILE: Int32 = 8

/// `setsockopt(2)`
public let SO_NOSIGPIPE: Int32 = 0x1022

/// `socket(2)`
public let SOCK_STREAM: Int32 = 1
