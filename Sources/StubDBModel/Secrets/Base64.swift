/// Base64 in both alphabets, with and without padding. https://www.rfc-editor.org/rfc/rfc4648
package enum Base64 {
  /// The shortest run that is decoded to find text.
  private static let shortestText = 20
  /// The characters of the alphabets that also separate words: a path may be before a text in base64.
  private static let separators = ByteSet("/+-_")
  package static let padding: UInt8 = 64
  package static let other: UInt8 = 65

  /// The six bits that each byte represents; ``padding`` and ``other`` represent none.
  package static let sextets: [UInt8] = {
    var sextets = [UInt8](repeating: other, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, byte) in alphabet.utf8.enumerated() { sextets[Int(byte)] = UInt8(value) }
    (sextets[Int(UInt8(ascii: "-"))], sextets[Int(UInt8(ascii: "_"))]) = (62, 63)
    sextets[Int(UInt8(ascii: "="))] = padding
    return sextets
  }()

  /// The byte that the last of some sextets complete.
  package static func byte(of bits: UInt32, _ count: Int) -> UInt8 {
    switch count & 3 {
    case 2: UInt8(truncatingIfNeeded: bits >> 4)
    case 3: UInt8(truncatingIfNeeded: bits >> 2)
    default: UInt8(truncatingIfNeeded: bits)
    }
  }

  /// How much text after the last separator is no accident, in bytes: what follows a path rarely decodes to text.
  private static let longestAccident = 8

  /// The texts that a text has in base64, and where.
  package static func texts(
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> [(text: [UInt8], range: Range<Int>)] {
    let base64 = ByteSet.base64
    var texts: [(text: [UInt8], range: Range<Int>)] = []
    var run = 0
    for place in bytes.indices where !base64.contains(bytes[place]) {
      if place - run >= shortestText { texts += self.texts(in: bytes, run: run..<place) }
      run = place + 1
    }
    if bytes.count - run >= shortestText { texts += self.texts(in: bytes, run: run..<bytes.count) }
    return texts
  }

  /// The texts that the parts of a run of base64 encode; usually none.
  ///
  /// A text begins at the start of the run or after a separator, such as the last `/` of a path before it, and ends
  /// before a separator or at the end of the run. What was decoded is not looked at again, so the work is linear.
  private static func texts(
    in bytes: UnsafeBufferPointer<UInt8>, run: Range<Int>
  ) -> [(text: [UInt8], range: Range<Int>)] {
    var texts: [(text: [UInt8], range: Range<Int>)] = []
    var start = run.lowerBound
    while run.upperBound - start >= shortestText {
      if let (text, end) = text(in: bytes, start..<run.upperBound), end - start >= shortestText {
        texts.append((text, start..<end))
        start = end
      } else {
        while start < run.upperBound, !separators.contains(bytes[start]) { start += 1 }
        start += 1
      }
    }
    return texts
  }

  /// The text that the beginning of a run of base64 encodes, and the separator after it or the end; nil if it does not
  /// encode text.
  private static func text(
    in bytes: UnsafeBufferPointer<UInt8>, _ run: Range<Int>
  ) -> (text: [UInt8], end: Int)? {
    let (sextets, separators) = (sextets, separators)
    var check = TextCheck()
    var text: [UInt8] = []
    var best: (count: Int, end: Int)?
    var (whole, isText) = (0, true)
    var (bits, count): (UInt32, Int) = (0, 0)
    var place = run.lowerBound
    while place < run.upperBound {
      if check.isWhole, separators.contains(bytes[place]) { best = (text.count, place) }
      bits = bits << 6 | UInt32(sextets[Int(bytes[place])] & 63)
      count += 1
      place += 1
      if count & 3 == 1 { continue }
      let decoded = byte(of: bits, count)
      isText = check.take(decoded)
      if !isText { break }
      text.append(decoded)
      if check.isWhole { whole = text.count }
    }
    if isText, check.isWhole { best = (text.count, place) }
    return best.map { best in
      (Array(text.prefix(whole - best.count > longestAccident ? whole : best.count)), best.end)
    }
  }
}

/// Tells whether bytes are printable UTF-8, one byte after another.
private struct TextCheck {
  private var missing = 0

  /// Whether no character is cut off.
  var isWhole: Bool { missing == 0 }

  mutating func take(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20..<0x7F, 0x09, 0x0A, 0x0D: return missing == 0
    case 0x80..<0xC0:
      missing -= 1
      return missing >= 0
    case 0xC2..<0xE0: return begin(1)
    case 0xE0..<0xF0: return begin(2)
    case 0xF0..<0xF5: return begin(3)
    default: return false
    }
  }

  private mutating func begin(_ count: Int) -> Bool {
    defer { missing = count }
    return missing == 0
  }
}
