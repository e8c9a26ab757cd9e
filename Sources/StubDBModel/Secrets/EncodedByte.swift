/// The ways in which a text can encode a byte.
///
/// Scans, redactions and reports recognise the same ways: percent-encoding, escapes of JSON and of regular expressions,
/// classes of one character, and references of XML.
package enum EncodedByte {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  private static let controls: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "f"): 0x0C,
  ]
  private static let names: [(text: [UInt8], byte: UInt8)] =
    ([
      ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ] as [(String, Unicode.Scalar)]).map { (Array($0.utf8), UInt8(ascii: $1)) }
  /// A class or an assertion, which is not a character; it is part of no secret.
  private static let noCharacter: UInt8 = 0x01

  /// `%2B`.
  package static func percent(_ bytes: Bytes, at place: Int) -> (byte: UInt8, end: Int)? {
    hexadecimal(bytes, at: place + 1, count: 2).map { (UInt8($0), place + 3) }
  }

  /// The end of a `\Q` or `\E`, which open and close a quotation in a regular expression.
  package static func quotationMark(_ bytes: Bytes, at place: Int) -> Int? {
    guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count,
      bytes[place + 1] == UInt8(ascii: "Q") || bytes[place + 1] == UInt8(ascii: "E")
    else { return nil }
    return place + 2
  }

  /// An escape of a regular expression or of JSON.
  package static func escape(_ bytes: Bytes, at place: Int) -> (value: [UInt8], end: Int)? {
    guard place + 1 < bytes.count else { return nil }
    let letter = bytes[place + 1]
    if let control = controls[letter] { return ([control], place + 2) }
    switch letter {
    case UInt8(ascii: "u"):
      guard let value = hexadecimal(bytes, at: place + 2, count: 4) else { break }
      return (utf8(value), place + 6)
    case UInt8(ascii: "x"):
      if let value = hexadecimal(bytes, at: place + 2, count: 2) { return (utf8(value), place + 4) }
      guard place + 2 < bytes.count, bytes[place + 2] == UInt8(ascii: "{") else { break }
      return number(bytes, at: place + 3, radix: 16, until: UInt8(ascii: "}"))
    case UInt8(ascii: "s"), UInt8(ascii: "h"):
      let isRepeated = place + 2 < bytes.count && ByteSet("+*?").contains(bytes[place + 2])
      return ([0x20], place + (isRepeated ? 3 : 2))
    default: break
    }
    return ([ByteSet.alphanumerics.contains(letter) ? noCharacter : letter], place + 2)
  }

  /// `[.]` and `[\.]`.
  package static func classOfOne(_ bytes: Bytes, at place: Int) -> (value: [UInt8], end: Int)? {
    guard place + 2 < bytes.count else { return nil }
    let isEscaped = bytes[place + 1] == UInt8(ascii: "\\")
    let character = bytes[place + (isEscaped ? 2 : 1)]
    let end = place + (isEscaped ? 3 : 2)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "]"), character < 0x80,
      isEscaped
        ? !ByteSet.alphanumerics.contains(character) : !ByteSet("^]").contains(character)
    else { return nil }
    return ([character], end + 1)
  }

  /// `&amp;`, `&#43;` and `&#x2B;`.
  package static func reference(_ bytes: Bytes, at place: Int) -> (value: [UInt8], end: Int)? {
    for name in names where bytes[place...].starts(with: name.text) {
      return ([name.byte], place + name.text.count)
    }
    guard place + 3 < bytes.count, bytes[place + 1] == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = bytes[place + 2] | 0x20 == UInt8(ascii: "x")
    return number(
      bytes, at: place + (isHexadecimal ? 3 : 2), radix: isHexadecimal ? 16 : 10,
      until: UInt8(ascii: ";"))
  }

  /// The character with the number that the digits up to a mark represent.
  private static func number(
    _ bytes: Bytes, at place: Int, radix: Int, until mark: UInt8
  ) -> (value: [UInt8], end: Int)? {
    guard let end = bytes[place...].prefix(9).firstIndex(of: mark),
      let value = UInt32(String(decoding: bytes[place..<end], as: UTF8.self), radix: radix),
      bytes[place] != UInt8(ascii: "+")
    else { return nil }
    return (utf8(value), end + 1)
  }

  private static func utf8(_ value: UInt32) -> [UInt8] {
    Unicode.Scalar(value).map { Array(String($0).utf8) } ?? [noCharacter]
  }

  /// The number in some hexadecimal digits; nil for other bytes.
  package static func hexadecimal(_ bytes: Bytes, at place: Int, count: Int) -> UInt32? {
    guard place + count <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[place..<place + count] {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: value = value << 4 | UInt32((byte | 0x20) - 0x61 + 10)
      default: return nil
      }
    }
    return value
  }
}
