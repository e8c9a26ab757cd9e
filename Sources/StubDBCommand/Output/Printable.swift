/// Text from a catalog made safe for a terminal.
///
/// A catalog may come from an untrusted source. Control characters, which could move the cursor or rename the window,
/// are shown as escapes.
enum Printable {
  /// The text on one line.
  static func line(_ text: String) -> String {
    text.unicodeScalars.contains(where: isControl) ? escaped(text) { _ in false } : text
  }

  /// The text, with its line ends and tabs.
  static func lines(_ text: String) -> String {
    escaped(text) { $0 == "\n" || $0 == "\t" }
  }

  /// The text in double quotes, on one line, shortened if it is very long.
  static func quoted(_ text: String, limit: Int = 300) -> String {
    "\"\(line(shortened(text, limit: limit)))\""
  }

  /// The text in double quotes, on one line, in full length.
  static func value(_ text: String) -> String { quoted(text, limit: .max) }

  /// The text, or its beginning and `…`.
  static func shortened(_ text: String, limit: Int) -> String {
    text.count <= limit ? text : text.prefix(limit) + "…"
  }

  /// Bytes that are not text: ASCII as is, others as `\xFF`.
  static func bytes(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private static func escaped(_ text: String, except: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where !isControl(scalar) || except(scalar): result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }

  /// The C0 and C1 controls, and the marks that reorder text.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
