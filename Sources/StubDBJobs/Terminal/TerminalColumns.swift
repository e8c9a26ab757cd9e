internal import StubDBSupport

extension String {
  /// The number of terminal columns that the text occupies.
  package var columns: Int { isPlain ? utf8.count : reduce(0) { $0 + $1.columns } }

  /// The text, or as much of its beginning as fits and `…`.
  package func beginning(columns: Int) -> String {
    // A character is at most two columns wide and has at least one byte.
    guard utf8.count > columns, self.columns > columns else { return self }
    var (result, rest) = ("", columns - 1)
    for character in self {
      rest -= character.columns
      if rest < 0 { break }
      result.append(character)
    }
    return result + "…"
  }

  /// The text with the characters that a terminal obeys, beyond ASCII, as JSON escapes them.
  ///
  /// JSON may contain them as they are: the C1 controls and the marks that reorder text.
  package var escapingTerminalControls: String {
    guard unicodeScalars.contains(where: \.isControlBeyondASCII) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isControlBeyondASCII {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether the text is printable ASCII, as most is; finding characters takes much longer than this.
  package var isPlain: Bool {
    let isPlain = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { (0x20..<0x7F).contains($0) }
    }
    return isPlain ?? utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }
}

extension Unicode.Scalar {
  fileprivate var isControlBeyondASCII: Bool { value >= 0x7F && isTerminalControl }
}

extension Character {
  /// The ranges of East Asian wide and full-width characters and of emoji.
  /// https://www.unicode.org/reports/tr11/
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F7E0...0x1F7EB, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]
  /// The wide ones among the symbols below U+2E80, most of which are narrow.
  private static let wideSymbols: [ClosedRange<UInt32>] = [
    0x231A...0x231B, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3, 0x25FD...0x25FE,
    0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4,
    0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
    0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E,
    0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF,
    0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
  ]

  /// The number of terminal columns that the character occupies.
  package var columns: Int {
    if isASCII { return 1 }
    guard let scalar = unicodeScalars.first?.value else { return 0 }
    let ranges = (0x2300..<0x2C00).contains(scalar) ? Self.wideSymbols : Self.wide
    return ranges.contains { $0.contains(scalar) } ? 2 : 1
  }
}
