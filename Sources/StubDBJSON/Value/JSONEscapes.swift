/// The escapes in JSON strings, and JavaScript's `\'`.
package enum JSONEscapes {
  /// The text of a string between its quotation marks; half a surrogate pair becomes U+FFFD.
  package static func decoded(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: decodedBytes(bytes), as: UTF8.self)
  }

  /// The same as bytes, which are UTF-8 if those of the string are.
  package static func decodedBytes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // No escape is shorter than its text, but for a lone half of a pair: six bytes, three of U+FFFD.
    [UInt8](unsafeUninitializedCapacity: bytes.count) { octets, count in
      var place = 0
      while place < bytes.count {
        let byte = bytes[place]
        if byte != UInt8(ascii: "\\") || place + 1 == bytes.count {
          octets[count] = byte
          count += 1
          place += 1
        } else if let byte = Self.byte(bytes[place + 1]) {
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
    if let second = takeUnit(bytes, &place), let pair = scalar(first, second) { return pair }
    place = after
    return "\u{FFFD}"
  }

  private static func takeUnit(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt32? {
    guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u"), let unit = Self.unit(bytes, at: place + 2)
    else { return nil }
    place += 6
    return unit
  }

  /// The byte of an escape of two characters, by the second one; nil for other bytes.
  static func byte(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// The UTF-16 unit of four hexadecimal digits.
  static func unit(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt32? {
    guard place + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      switch byte {
      case 0x30...0x39: unit = unit << 4 + UInt32(byte - 0x30)
      case 0x41...0x46: unit = unit << 4 + UInt32(byte - 0x41 + 10)
      case 0x61...0x66: unit = unit << 4 + UInt32(byte - 0x61 + 10)
      default: return nil
      }
    }
    return unit
  }

  /// The scalar of a surrogate pair; nil if the units are not a pair.
  static func scalar(_ high: UInt32, _ low: UInt32) -> Unicode.Scalar? {
    guard (0xD800...0xDBFF).contains(high), (0xDC00...0xDFFF).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }
}
