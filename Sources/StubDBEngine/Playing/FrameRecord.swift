package import Foundation
internal import StubDBSupport

/// The outcome of a message of a WebSocket, or of the wait for one, as the journal has it.
package struct FrameRecord: Hashable, Sendable {
  /// The index of the frame in the script; nil if no frame is about the message.
  package var frame: Int?
  /// What happened, in a word or two: `sent`, `met`, `not met`, `not expected`, `echoed`, `ignored`, `closed`.
  package var outcome: String
  /// The message, shortened and without secrets; empty if it is missing.
  package var text: String
  /// What differs from what the frame expects.
  package var mismatches: [Mismatch]

  package init(
    frame: Int?, outcome: String, text: String = "", mismatches: [Mismatch] = []
  ) {
    self.frame = frame
    self.outcome = outcome
    self.text = text
    self.mismatches = mismatches
  }

  /// A message as the journal shows it: a text in quotes, or the number of bytes.
  package static func text(of message: Data, isText: Bool) -> String {
    guard isText, let text = String(strictUTF8: message) else { return "\(message.count) bytes" }
    return TextExcerpt.quoted(text)
  }

  /// The memory that it takes, roughly.
  var byteCount: Int {
    text.utf8.count + mismatches.reduce(64) { $0 + $1.expected.utf8.count + $1.actual.utf8.count }
  }
}

/// The outcomes of the messages of one WebSocket; the last of them, so that a stream without an end takes little
/// memory.
package struct FrameLog: Hashable, Sendable {
  /// How many records are kept.
  static let limit = 40

  /// The last records, in order.
  package private(set) var records: [FrameRecord] = []
  /// How many were recorded.
  package private(set) var count = 0
  /// The memory that the records take, roughly.
  private(set) var byteCount = 0

  mutating func add(_ record: FrameRecord) {
    count += 1
    byteCount += record.byteCount
    records.append(record)
    guard records.count > Self.limit else { return }
    byteCount -= records.removeFirst().byteCount
  }
}
