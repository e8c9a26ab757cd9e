internal import Foundation
internal import StubDBFiles

/// Files that are there as a whole or not at all, also after a loss of power.
enum DurableFile {
  /// Replaces what is at a path.
  static func write(
    _ data: Data, to target: URL, permissions: mode_t = 0o644
  ) throws(RemoteError) {
    do throws(FileWriteError) {
      try TemporaryFile.replace(target.path, with: data, permissions: permissions)
    } catch {
      throw RemoteError(error)
    }
  }

  /// Renames a file over what is at the target, and flushes the folder.
  static func rename(_ file: URL, to target: URL) throws(RemoteError) {
    guard Foundation.rename(file.path, target.path) == 0 else {
      throw RemoteError(.inputOutput, "cannot replace \(target.path): \(Self.reason)")
    }
    do throws(FileWriteError) {
      try TemporaryFile.synchronizeFolder(of: target.path)
    } catch {
      throw RemoteError(error)
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

extension RemoteError {
  fileprivate init(_ error: FileWriteError) {
    let verb =
      switch error.step {
      case .create: "create a file beside"
      case .write, .flush: "write"
      case .rename, .link: "replace"
      case .flushFolder: "bring to the disk"
      }
    self.init(.inputOutput, "cannot \(verb) \(error.path): \(error.reason)")
  }
}

/// A lock that processes take in turn, and that ends with its process.
enum FileLock {
  /// Waits for the lock of a file, which is made if it is missing, and runs the closure with it.
  ///
  /// A file that others put there for this one to be led to another place, a link or a pipe, is never opened. Where
  /// holders rename or remove the file, `isOwn` makes those who waited start again with the file that is at the path now,
  /// and what is no file of its own is removed.
  static func holding<Value>(
    _ file: URL, isOwn: Bool = false, permissions: mode_t = 0o666, _ body: () throws -> Value
  ) throws -> Value {
    while true {
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let descriptor = open(file.path, flags, permissions)
      guard descriptor >= 0 else {
        if isOwn, errno == ELOOP || errno == ENXIO, unlink(file.path) == 0 { continue }
        throw failure("open", file)
      }
      defer { close(descriptor) }
      if isOwn, !isAlone(descriptor) {
        guard unlink(file.path) == 0 else { throw failure("remove", file) }
        continue
      }
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw failure("lock", file) }
      }
      if !isOwn || isStill(descriptor, at: file) { return try body() }
    }
  }

  /// Whether a descriptor is that of a regular file without a second name.
  private static func isAlone(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && mode_t(status.st_mode) & S_IFMT == S_IFREG
      && status.st_nlink < 2
  }

  private static func isStill(_ descriptor: Int32, at file: URL) -> Bool {
    var (held, present) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(file.path, &present) == 0
      && held.st_ino == present.st_ino && held.st_dev == present.st_dev
  }

  private static func failure(_ verb: String, _ file: URL) -> RemoteError {
    RemoteError(.inputOutput, "cannot \(verb) \(file.path): \(String(cString: strerror(errno)))")
  }
}
