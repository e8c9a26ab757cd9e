/// The shapes of secrets that are more than a prefix and a set of bytes.
///
/// Like ``TokenFormat``, they say what may be a secret; what is no placeholder is up to those who ask.
package enum TokenShape {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The first two bytes of a Discord token, which begins with decimal digits in base64.
  package static let discordBeginnings = [
    "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT",
  ]

  /// The number of a Discord bot in base64, a time and a signature; nil if nothing like that begins at the offset.
  package static func discordToken(in bytes: Bytes, at place: Int) -> (
    number: Range<Int>, end: Int
  )? {
    guard place + 1 < bytes.count,
      discordBeginnings.contains(where: { $0.utf8.elementsEqual(bytes[place...(place + 1)]) }),
      let number = endOfPart(in: bytes, at: place, 23...28), number < bytes.count,
      bytes[number] == UInt8(ascii: "."),
      let time = endOfPart(in: bytes, at: number + 1, 6...6), time < bytes.count,
      bytes[time] == UInt8(ascii: "."),
      let end = endOfPart(in: bytes, at: time + 1, 27...39)
    else { return nil }
    return (place..<number, end)
  }

  /// The end of a run of letters, digits, `-` and `_`; nil if its length is another one.
  private static func endOfPart(
    in bytes: Bytes, at place: Int, _ lengths: ClosedRange<Int>
  ) -> Int? {
    let furthest = min(bytes.count, place + lengths.upperBound + 1)
    var end = place
    while end < furthest, ByteSet.urlSafe.contains(bytes[end]) { end += 1 }
    return lengths.contains(end - place) ? end : nil
  }

  /// `123456789:AA…`, the number of a Telegram bot and its key, around a colon.
  package static func telegramToken(in bytes: Bytes, at colon: Int) -> Range<Int>? {
    guard colon + 36 <= bytes.count, bytes[colon] == UInt8(ascii: ":"),
      bytes[colon + 1] == UInt8(ascii: "A"), bytes[colon + 2] == UInt8(ascii: "A")
    else { return nil }
    var start = colon
    while start > 0, colon - start < 11, bytes[start - 1].isASCIIDigit { start -= 1 }
    var end = colon + 1
    let furthest = min(bytes.count, colon + 37)
    while end < furthest, ByteSet.urlSafe.contains(bytes[end]) { end += 1 }
    guard (8...10).contains(colon - start), end - colon == 36 else { return nil }
    return start..<end
  }

  private static let keyStart = Array("-----BEGIN ".utf8)
  private static let keyName = Array("PRIVATE KEY-----".utf8)
  /// What ends a key, and would begin the next one.
  private static let keyEnd = Array("-----".utf8)
  private static let longestKey = 16_384

  /// The content of a private key in PEM, whose first line begins at the offset. https://www.rfc-editor.org/rfc/rfc7468
  package static func privateKey(in bytes: Bytes, at place: Int) -> Range<Int>? {
    guard bytes.has(keyStart, at: place) else { return nil }
    var name = place + keyStart.count
    let furthest = min(bytes.count, name + 24)
    while name < furthest, !bytes.has(keyName, at: name) { name += 1 }
    guard name < furthest else { return nil }
    let start = name + keyName.count
    var end = start
    let last = min(bytes.count, start + longestKey)
    while end < last, !bytes.has(keyEnd, at: end) { end += 1 }
    return start..<end
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether other bytes are at the offset.
  fileprivate func has(_ word: [UInt8], at place: Int) -> Bool {
    count - place >= word.count && self[place..<place + word.count].elementsEqual(word)
  }
}
