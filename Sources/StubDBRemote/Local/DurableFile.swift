internal import Foundation

/// Files that are there as a whole or not at all, also after a loss of power.
enum DurableFile {
  /// Writes a file beside its place, flushes it, and renames it over what is there.
  static func write(_ data: Data, to target: URL, permissions: mode_t = 0o644) throws {
    let (temporary, descriptor) = try made(beside: target)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: data)
      fchmod(descriptor, permissions)
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("write", temporary) }
      try handle.close()
      try rename(temporary, to: target)
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  /// An empty file with an unused name, open and locked until it is closed, so that it is known to be nobody's leftover.
  private static func made(beside target: URL) throws -> (file: URL, descriptor: Int32) {
    while true {
      let file = target.deletingLastPathComponent()
        .appendingPathComponent(prefix(of: target) + UUID().uuidString.prefix(8))
      let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        if errno == EINTR || errno == EEXIST { continue }
        throw failure("create", file)
      }
      flock(descriptor, LOCK_EX | LOCK_NB)
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (file, descriptor) }
      // Another writer removed it as a leftover before it was locked.
      close(descriptor)
    }
  }

  private static func prefix(of target: URL) -> String { ".\(target.lastPathComponent).tmp-" }

  /// Removes what killed writers of a file have left beside it.
  ///
  /// Call it only where no other machine writes: its locks may not be seen.
  static func removeLeftovers(beside target: URL) {
    let folder = target.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix(of: target)) {
      let path = folder.appendingPathComponent(name).path
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      close(descriptor)
    }
  }

  /// Renames a file over what is at the target, and flushes the folder.
  static func rename(_ file: URL, to target: URL) throws {
    guard Foundation.rename(file.path, target.path) == 0 else { throw failure("replace", target) }
    let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func failure(_ verb: String, _ file: URL) -> RemoteError {
    RemoteError(.inputOutput, "cannot \(verb) \(file.path): \(String(cString: strerror(errno)))")
  }
}

/// A lock that processes take in turn, and that ends with its process.
enum FileLock {
  /// Waits for the lock of a file, which is made if it is missing, and runs the closure with it.
  ///
  /// Where holders rename or remove the file, `asLongAsItIsThere` makes those who waited start again with the file that
  /// is at the path now.
  static func holding<Value>(
    _ file: URL, asLongAsItIsThere: Bool = false, _ body: () throws -> Value
  ) throws -> Value {
    while true {
      let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw failure("open", file) }
      defer { close(descriptor) }
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw failure("lock", file) }
      }
      if !asLongAsItIsThere || isStill(descriptor, at: file) { return try body() }
    }
  }

  private static func isStill(_ descriptor: Int32, at file: URL) -> Bool {
    var (held, present) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && stat(file.path, &present) == 0
      && held.st_ino == present.st_ino && held.st_dev == present.st_dev
  }

  private static func failure(_ verb: String, _ file: URL) -> RemoteError {
    RemoteError(.inputOutput, "cannot \(verb) \(file.path): \(String(cString: strerror(errno)))")
  }
}
