/// The escapes in JSON strings.
enum JSONEscapes {
  /// Whether a backslash begins an escape that JSON has, or one of JavaScript's `\'`.
  static func isEscape(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard place + 1 < bytes.count else { return false }
    switch bytes[place + 1] {
    case UInt8(ascii: "u"):
      return place + 6 <= bytes.count
        && bytes[place + 2..<place + 6].allSatisfy { hexValue($0) != nil }
    case let byte: return simple(byte) != nil
    }
  }

  /// The text of a string between its quotation marks; half a surrogate pair becomes U+FFFD.
  static func decoded(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: decodedBytes(bytes), as: UTF8.self)
  }

  /// The same as bytes, which are UTF-8 if those of the string are.
  static func decodedBytes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // No escape is shorter than what it stands for, but for a lone half of a pair: six bytes, three of U+FFFD.
    [UInt8](unsafeUninitializedCapacity: bytes.count) { octets, count in
      var place = 0
      while place < bytes.count {
        let byte = bytes[place]
        if byte != UInt8(ascii: "\\") || place + 1 == bytes.count {
          octets[count] = byte
          count += 1
          place += 1
        } else if let byte = simple(bytes[place + 1]) {
          octets[count] = byte
          count += 1
          place += 2
        } else {
          for octet in UTF8.encode(takeScalar(bytes, &place)) ?? UTF8.encodedReplacementCharacter {
            octets[count] = octet
            count += 1
          }
        }
      }
    }
  }

  private static func takeScalar(
    _ bytes: UnsafeRawBufferPointer, _ place: inout Int
  ) -> Unicode.Scalar {
    guard let first = takeUnit(bytes, &place) else {
      place += 1
      return "\\"
    }
    if let scalar = Unicode.Scalar(first) { return scalar }
    let after = place
    if first < 0xDC00, let second = takeUnit(bytes, &place), (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    {
      return scalar
    }
    place = after
    return "\u{FFFD}"
  }

  private static func takeUnit(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt32? {
    guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[place + 2..<place + 6] { unit = unit << 4 + (hexValue(byte) ?? 0) }
    place += 6
    return unit
  }

  private static func simple(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  private static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}
