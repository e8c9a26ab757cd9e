/// The ways in which a text may write a byte.
enum WrittenByte {
  /// The bytes that may stand for something else than themselves.
  static let marks = ByteSet("%\\+&")

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]
  private static let ampersand = Array("&amp;".utf8)

  /// What the bytes at a place may stand for, and where each reading ends.
  static func readings(_ bytes: [UInt8], at place: Int) -> [(byte: UInt8, end: Int)] {
    let byte = bytes[place]
    switch byte {
    case UInt8(ascii: "%"):
      return [(byte, place + 1)] + percent(bytes, at: place).map { [$0] }.joined()
    case UInt8(ascii: "\\"):
      return [(byte, place + 1)] + escaped(bytes, at: place)
    case UInt8(ascii: "+"): return [(byte, place + 1), (0x20, place + 1)]
    case UInt8(ascii: "&") where bytes[place...].starts(with: ampersand):
      return [(byte, place + 1), (byte, place + ampersand.count)]
    default: return [(byte, place + 1)]
    }
  }

  /// `%2B`, and `%252B`, which is encoded twice.
  private static func percent(_ bytes: [UInt8], at place: Int) -> [(UInt8, Int)] {
    guard let value = hexadecimal(bytes, at: place + 1, count: 2) else { return [] }
    guard value == UInt8(ascii: "%"), let inner = hexadecimal(bytes, at: place + 3, count: 2) else {
      return [(value, place + 3)]
    }
    return [(inner, place + 5), (value, place + 3)]
  }

  /// A byte behind one or several backslashes, `\n`, and `\u002f`.
  private static func escaped(_ bytes: [UInt8], at place: Int) -> [(UInt8, Int)] {
    var next = place
    while next < bytes.count, bytes[next] == UInt8(ascii: "\\"), next - place < 4 { next += 1 }
    guard next < bytes.count else { return [(UInt8(ascii: "\\"), next)] }
    var readings: [(UInt8, Int)] = [(bytes[next], next + 1)]
    if let control = escapes[bytes[next]] { readings.append((control, next + 1)) }
    if bytes[next] == UInt8(ascii: "u"), hexadecimal(bytes, at: next + 1, count: 2) == 0,
      let value = hexadecimal(bytes, at: next + 3, count: 2), value < 0x80
    {
      readings.append((value, next + 5))
    }
    // A backslash of the secret, escaped.
    if next - place > 1 { readings.append((UInt8(ascii: "\\"), place + 2)) }
    return readings
  }

  private static func hexadecimal(_ bytes: [UInt8], at place: Int, count: Int) -> UInt8? {
    guard place + count <= bytes.count else { return nil }
    return UInt8(String(decoding: bytes[place..<place + count], as: UTF8.self), radix: 16)
  }
}
