internal import StubDBSupport

/// The escapes of `$'…'`.
enum ANSIQuoting {
  private static let simple: [UInt8: UInt8] = {
    let escapes: [Unicode.Scalar: UInt8] = [
      "n": 0x0A, "t": 0x09, "r": 0x0D, "a": 0x07, "b": 0x08, "e": 0x1B, "E": 0x1B, "f": 0x0C,
      "v": 0x0B, "\\": 0x5C, "'": 0x27, "\"": 0x22, "?": 0x3F,
    ]
    return Dictionary(
      uniqueKeysWithValues: escapes.map { (UInt8(ascii: $0.key), $0.value) })
  }()

  /// The bytes that a text with escapes represents, which are UTF-8.
  static func bytes(of quoted: ArraySlice<UInt8>, line: Int) throws(CurlError) -> [UInt8] {
    // Bytes: \xC3\xBC is one letter.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(quoted.count)
    var rest = quoted
    while let byte = rest.popFirst() {
      let escape = rest
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch Unicode.Scalar(kind) {
      case "x": bytes.append(UInt8(truncatingIfNeeded: number(&rest, radix: 16, digits: 2) ?? 0))
      case "u", "U":
        let value = scalar(&rest, digits: kind == UInt8(ascii: "u") ? 4 : 8)
        guard let scalar = Unicode.Scalar(value) else {
          throw CurlError("\\u\(String(value, radix: 16)) is half of a character", line: line)
        }
        bytes += Array(String(scalar).utf8)
      case "0"..."7":
        rest = escape
        bytes.append(UInt8(truncatingIfNeeded: number(&rest, radix: 8, digits: 3) ?? 0))
      default:
        if let plain = simple[kind] {
          bytes.append(plain)
        } else {
          bytes += [byte, kind]
        }
      }
    }
    guard String(strictUTF8: bytes) != nil else {
      throw CurlError(
        "the bytes of $'…' are not UTF-8; put them into a file and write --data-binary @PATH",
        line: line)
    }
    return bytes
  }

  /// The number of a scalar; browsers write those beyond the first plane as surrogate pairs.
  private static func scalar(_ rest: inout ArraySlice<UInt8>, digits: Int) -> UInt32 {
    let value = number(&rest, radix: 16, digits: digits) ?? 0
    guard (0xD800..<0xDC00).contains(value), rest.starts(with: "\\u".utf8) else { return value }
    rest.removeFirst(2)
    let low = number(&rest, radix: 16, digits: 4) ?? 0
    return 0x10000 + (value - 0xD800) << 10 + (low &- 0xDC00) & 0x3FF
  }

  private static func number(
    _ rest: inout ArraySlice<UInt8>, radix: Int, digits: Int
  ) -> UInt32? {
    var text = ""
    while text.utf8.count < digits, let byte = rest.first,
      Character(Unicode.Scalar(byte)).hexDigitValue.map({ $0 < radix }) == true
    {
      text.unicodeScalars.append(Unicode.Scalar(byte))
      rest.removeFirst()
    }
    return UInt32(text, radix: radix)
  }
}
