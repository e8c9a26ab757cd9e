package import Foundation

/// A file of one process, to which lines are appended; many processes have theirs in the same folder.
package struct AppendedFile: Sendable {
  /// Reports that a line is not in the file.
  package struct Failure: Error {
    /// One sentence.
    package let message: String

    package init(message: String) { self.message = message }
  }

  /// The name of the process in its lines, which no other process has.
  package let process: String
  private let path: String
  private let permissions: mode_t
  /// What the file is, for messages.
  private let what: String
  private var descriptor: Int32
  /// Whether the last line is incomplete, as on a full disk.
  private var isTorn = false

  /// Makes a new file in a folder, which is made if it is missing.
  ///
  /// `what` names the file in messages, such as `usage ledger`.
  package init(
    in folder: String, permissions: Int = 0o644, folderPermissions: Int = 0o755, what: String
  ) throws(Failure) {
    let random = String(UInt32.random(in: .min ... .max), radix: 16)
    process =
      "\(ProcessInfo.processInfo.processIdentifier)-"
      + String(repeating: "0", count: 8 - random.count) + random
    path = folder + "/" + process + ".jsonl"
    (self.permissions, self.what) = (mode_t(permissions), what)
    descriptor = -1
    // Whoever settles what is in the folder removes it when it is empty, perhaps at this moment.
    for _ in 0..<3 where descriptor < 0 {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true,
          attributes: [.posixPermissions: folderPermissions])
      } catch {
        throw Failure(message: "The \(what) is not written: the folder \(folder) cannot be made.")
      }
      descriptor = Self.open(path, mode_t(permissions))
      if descriptor < 0 && errno != ENOENT { break }
    }
    guard descriptor >= 0 else {
      throw Failure(message: "The \(what) is not written: \(path): \(Self.systemError).")
    }
  }

  /// Makes the file, with a lock that says that this process lives; the system takes it away with the process.
  private static func open(_ path: String, _ permissions: mode_t) -> Int32 {
    let descriptor = Foundation.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, permissions)
    // Only who asks whether it is open may have it, for a moment.
    if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {} }
    return descriptor
  }

  /// Whether a process that is still running may append to the file.
  package static func isOpen(atPath path: String) -> Bool {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { _ = Foundation.close(descriptor) }
    // Shared, so that two who ask do not take each other for the process.
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// What is in the file; nil if it cannot be read.
  package var contents: Data? {
    try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
  }

  private static var systemError: String { String(cString: strerror(errno)) }

  /// Appends a line with one call of the system, so that a process that is killed tears no other line.
  package mutating func append(_ line: String) throws(Failure) {
    // The rest of an incomplete line must not spoil this one.
    var text = isTorn ? "\n" + line : line
    let count = text.withUTF8 { Self.write($0, to: descriptor) }
    guard count == text.utf8.count else {
      let reason = count < 0 ? Self.systemError : "the disk is full"
      if count > 0 { isTorn = true }
      throw Failure(message: "The \(what) lacks a line: \(path): \(reason).")
    }
    isTorn = false
  }

  /// Replaces all lines in one step.
  package mutating func replace(with lines: Data) throws(Failure) {
    let new = path + ".new"
    unlink(new)
    let descriptor = Self.open(new, permissions)
    guard descriptor >= 0, Self.writeAll(lines, to: descriptor), fsync(descriptor) == 0,
      rename(new, path) == 0
    else {
      let reason = Self.systemError
      if descriptor >= 0 { _ = Foundation.close(descriptor) }
      unlink(new)
      throw Failure(message: "The \(what) cannot be rewritten: \(path): \(reason).")
    }
    _ = Foundation.close(self.descriptor)
    self.descriptor = descriptor
    isTorn = false
  }

  private static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = write(rest.bindMemory(to: UInt8.self), to: descriptor)
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// The number of bytes that were written, as many as possible at once; negative after an error.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int {
    var count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    while count < 0 && errno == EINTR {
      count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
    }
    return count
  }

  /// Closes the file; nothing can be appended any more.
  package func close() {
    _ = Foundation.close(descriptor)
  }
}
