package import Foundation
internal import StubDBModel
internal import StubDBSupport

/// Takes secrets out of a content that comes in pieces, and is too long to be kept in memory as a whole.
///
/// What follows a place is studied before that place is passed on, so a secret at the edge of two pieces is found. A value
/// that is only found later stays in what was passed on before: ``RunningRedaction/isFound(in:)`` reports it.
package struct ContentRedaction: Sendable {
  /// How much is passed on at a time, and how much before and after its end is compared to find an end within no secret.
  private let window: Int
  private let overlap: Int
  private var pending = Data()
  /// Whether everything so far is UTF-8 without NUL, so that it can be kept as a text.
  package private(set) var isText = true

  package init(window: Int = 1 << 20, overlap: Int = 64 << 10) {
    (self.window, self.overlap) = (max(window, 4 * overlap), overlap)
  }

  /// Takes a piece, and passes on what is free of secrets.
  ///
  /// - Throws: `RunningRedaction.Failure` if a secret cannot be taken out, and what `write` throws.
  package mutating func take(
    _ piece: Data, _ redaction: inout RunningRedaction, _ write: (Data) throws -> Void
  ) throws {
    var rest = piece
    while !rest.isEmpty {
      pending.append(rest.prefix(window))
      rest = rest.dropFirst(window)
      while pending.count >= window + overlap {
        let studied = Data(pending.prefix(window + overlap))
        try redaction.study(content: studied)
        let end = try Self.end(in: studied, window, overlap, redaction)
        try pass(Data(studied.prefix(end)), redaction, write)
        pending = Data(pending.dropFirst(end))
      }
    }
  }

  /// Passes on the rest.
  ///
  /// - Throws: As ``take(_:_:_:)``.
  package mutating func finish(
    _ redaction: inout RunningRedaction, _ write: (Data) throws -> Void
  ) throws {
    guard !pending.isEmpty else { return }
    try redaction.study(content: pending)
    try pass(pending, redaction, write)
    pending = Data()
  }

  private mutating func pass(
    _ part: Data, _ redaction: RunningRedaction, _ write: (Data) throws -> Void
  ) throws {
    let clean = try redaction.redacted(content: part)
    isText = isText && !clean.contains(0) && String(strictUTF8: clean) != nil
    try write(clean)
  }

  /// Where a part can end: no secret is on both sides.
  ///
  /// That is so if taking the secrets out of the parts gives the same as taking them out of the whole.
  private static func end(
    in studied: Data, _ window: Int, _ overlap: Int, _ redaction: RunningRedaction
  ) throws(RunningRedaction.Failure) -> Int {
    var end = window
    for _ in 0..<16 {
      end = goodEnd(in: studied, from: max(overlap, end - 4_096), to: end)
      let (before, after) = (studied[(end - overlap)..<end], studied[end..<(end + overlap)])
      let whole = redaction.replaced(Data(before + after))
      if whole == redaction.replaced(Data(before)) + redaction.replaced(Data(after)) { return end }
      // Before what is on both sides.
      end -= overlap / 8
    }
    throw RunningRedaction.Failure(
      reason: "a secret in it has an encoding that cannot be rewritten")
  }

  /// A place after the end of a line or a word, or else of a character.
  private static func goodEnd(in bytes: Data, from start: Int, to end: Int) -> Int {
    let tail = bytes[start..<end]
    if let line = tail.lastIndex(of: UInt8(ascii: "\n")) { return line + 1 }
    if let word = tail.lastIndex(where: { ",} >".utf8.contains($0) }) { return word + 1 }
    var end = end
    while end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}

extension RunningRedaction {
  /// Collects the secrets of a part of a content.
  fileprivate mutating func study(content: Data) throws(Failure) {
    // A character at the end may be cut off.
    var text = content.prefix(content.count)
    while let last = text.last, last >= 0x80, content.count - text.count < 3 { text.removeLast() }
    let body = String(strictUTF8: Data(text)).map(ResponseBody.text) ?? .data(content)
    try study(content: body)
  }

  /// The content without the values that are known by now.
  ///
  /// - Throws: ``Failure`` if a secret would stay.
  fileprivate func redacted(content: Data) throws(Failure) -> Data {
    let clean = replaced(content)
    guard !isFound(in: clean), !holdsSecret(clean) else {
      throw Failure(reason: "a secret in it has an encoding that cannot be rewritten")
    }
    return clean
  }
}
