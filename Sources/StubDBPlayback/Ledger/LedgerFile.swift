import Foundation

/// A file of one process, to which lines are appended.
struct LedgerFile: Sendable {
  /// Reports that a ledger cannot be written.
  struct Failure: Error {
    let message: String
  }

  /// The name of the process in its lines, which no other process has.
  let process: String
  private let path: String
  private let descriptor: Int32
  /// Whether the last line is incomplete, as on a full disk.
  private var isTorn = false

  /// Makes a new file in a folder, which is made if it is missing.
  init(in folder: String) throws(Failure) {
    let random = String(UInt32.random(in: .min ... .max), radix: 16)
    process =
      "\(ProcessInfo.processInfo.processIdentifier)-"
      + String(repeating: "0", count: 8 - random.count) + random
    path = folder + "/" + process + ".jsonl"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        message: "The usage ledger is not written: the folder \(folder) cannot be made")
    }
    descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw Failure(
        message: "The usage ledger is not written: \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Appends a line with one call of the system, so that a process that is killed tears no other line.
  mutating func append(_ line: String) throws(Failure) {
    // The rest of an incomplete line must not spoil this one.
    var text = isTorn ? "\n" + line : line
    let count = text.withUTF8 { bytes in
      var count = write(descriptor, bytes.baseAddress, bytes.count)
      while count < 0 && errno == EINTR {
        count = write(descriptor, bytes.baseAddress, bytes.count)
      }
      return count
    }
    guard count == text.utf8.count else {
      let reason = count < 0 ? String(cString: strerror(errno)) : "the disk is full"
      if count > 0 { isTorn = true }
      throw Failure(message: "The usage ledger lacks a run: \(path): \(reason)")
    }
    isTorn = false
  }

  func close() {
    _ = Foundation.close(descriptor)
  }
}
