import Foundation
import StubDBSecrets

/// A content of an exchange that is too long for the memory: a file of the draft, to which it is appended without its
/// secrets as it comes.
// Safe to share: it is used within the lock of its writer, and by one recorder, within its lock.
package final class LongContent: @unchecked Sendable {
  /// The name of the file.
  let name: String
  private let path: String
  private let handle: FileHandle
  private var redaction: ContentRedaction
  /// The number of secrets that were known when it began.
  let knownCount: Int
  /// Whether it can be kept as a text.
  var isText: Bool { redaction.isText }

  /// Makes the file, which only the user can read; nil if it cannot be made.
  init?(_ name: String, in folder: String, limits: RecordingLimits, knownCount: Int) {
    (self.name, path, self.knownCount) = (name, "\(folder)/\(name)", knownCount)
    redaction = ContentRedaction(window: limits.window, overlap: limits.window / 16)
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: path)
    else { return nil }
    self.handle = handle
  }

  func append(_ piece: Data, _ running: inout RunningRedaction) throws(DraftWriter.Failure) {
    try saying { try redaction.take(piece, &running) { try handle.write(contentsOf: $0) } }
  }

  /// Writes the rest, and closes the file.
  func finish(_ running: inout RunningRedaction) throws(DraftWriter.Failure) {
    try saying {
      try redaction.finish(&running) { try handle.write(contentsOf: $0) }
      try handle.close()
    }
  }

  private func saying(_ write: () throws -> Void) throws(DraftWriter.Failure) {
    do {
      try write()
    } catch let error as RunningRedaction.Failure {
      throw DraftWriter.Failure(message: "A request was not recorded: \(error.reason).")
    } catch {
      throw DraftWriter.Failure(
        message: "A request was not recorded: \(path) cannot be written, "
          + "\(error.localizedDescription)")
    }
  }

  /// Removes the file: the exchange is not recorded.
  func remove() {
    // A file that stays is removed with the draft.
    try? handle.close()
    unlink(path)
  }
}

/// How large contents may be.
package struct RecordingLimits: Hashable, Sendable {
  /// The largest content that is kept in memory, in bytes; more of an answer goes to a file of the draft as it comes.
  package var inMemory = 16 << 20
  /// The largest content of an answer that is recorded.
  package var largest = 64 << 20
  /// How much of a long content is searched for secrets at a time.
  package var window = 1 << 20

  package init() {}
}
