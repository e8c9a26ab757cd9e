/// The escapes of `$'…'`.
enum ANSIQuoting {
  private static let simple: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}", "E": "\u{1B}",
    "f": "\u{C}", "v": "\u{B}", "\\": "\\", "'": "'", "\"": "\"", "?": "?",
  ]

  static func text(of quoted: String, line: Int) throws(CurlError) -> String {
    // Bytes: \xC3\xBC is one letter.
    var bytes: [UInt8] = []
    var rest = quoted.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let escape = rest
      guard scalar == "\\", let kind = rest.popFirst() else {
        bytes += Array(String(scalar).utf8)
        continue
      }
      switch kind {
      case "x": bytes.append(UInt8(truncatingIfNeeded: number(&rest, radix: 16, digits: 2) ?? 0))
      case "u", "U":
        var value = number(&rest, radix: 16, digits: kind == "u" ? 4 : 8) ?? 0
        // Browsers write scalars beyond the first plane as surrogate pairs.
        if (0xD800..<0xDC00).contains(value), rest.starts(with: "\\u".unicodeScalars) {
          rest.removeFirst(2)
          let low = number(&rest, radix: 16, digits: 4) ?? 0
          value = 0x10000 + (value - 0xD800) << 10 + (low &- 0xDC00) & 0x3FF
        }
        guard let scalar = Unicode.Scalar(value) else {
          throw CurlError("\\u\(String(value, radix: 16)) is half of a character", line: line)
        }
        bytes += Array(String(scalar).utf8)
      case "0"..."7":
        rest = escape
        bytes.append(UInt8(truncatingIfNeeded: number(&rest, radix: 8, digits: 3) ?? 0))
      default:
        if let plain = simple[kind] {
          bytes += Array(String(plain).utf8)
        } else {
          bytes += Array("\\\(kind)".utf8)
        }
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CurlError(
        "the bytes of $'…' are not UTF-8; put them into a file and write --data-binary @PATH",
        line: line)
    }
    return text
  }

  private static func number(
    _ rest: inout Substring.UnicodeScalarView, radix: Int, digits: Int
  ) -> UInt32? {
    var text = ""
    while text.utf8.count < digits, let scalar = rest.first,
      Character(scalar).hexDigitValue.map({ $0 < radix }) == true
    {
      text.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    return UInt32(text, radix: radix)
  }
}
