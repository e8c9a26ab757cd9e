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
