internal import Foundation

/// Base64 in both alphabets, with and without padding. https://www.rfc-editor.org/rfc/rfc4648
enum Base64 {
  /// The bytes; nil if the text is not base64.
  static func decoded(_ text: some Sequence<UInt8>) -> Data? {
    var plain: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
      case UInt8(ascii: "="): continue
      default: plain.append(byte)
      }
    }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(plain))
  }
}

/// A text with one layer of encoding removed.
struct DecodedText {
  /// A way to encode a text inside another text.
  enum Layer: CaseIterable {
    /// `%2F`, as in URLs.
    case percent
    /// `%2F`, and `+` for a space, as in forms.
    case form
    /// `\.`, `\/`, `\u002F`, `\Q…\E`, `[.]`, as in regular expressions and in JSON.
    case escapes
    /// `&#43;` and `&amp;`, as in XML.
    case references
    /// A run of base64.
    case base64
  }

  let layer: Layer
  let bytes: [UInt8]
  /// The range that was decoded: the whole text, except for base64.
  let source: [UInt8]

  /// The shortest run of base64 that is decoded.
  private static let shortestBase64 = 20
  private static let marks = ByteSet("%\\[&")

  /// The text with one layer removed, in each possible way; empty for most texts.
  static func readings(of bytes: UnsafeBufferPointer<UInt8>) -> [DecodedText] {
    // Not asked for at each byte: on Linux each access to a global takes a call.
    let (base64, marks) = (ByteSet.base64, Self.marks)
    var found = ByteSet("")
    var runs: [Range<Int>] = []
    var run = 0
    for place in bytes.indices {
      let byte = bytes[place]
      if base64.contains(byte) { continue }
      if place - run >= shortestBase64 { runs.append(run..<place) }
      run = place + 1
      if marks.contains(byte) { found.insert(byte) }
    }
    if bytes.count - run >= shortestBase64 { runs.append(run..<bytes.count) }
    var readings: [DecodedText] = []
    for layer in Layer.allCases where layer != .base64 && has(layer, found, bytes) {
      if let decoded = decoded(bytes, layer) {
        readings.append(DecodedText(layer: layer, bytes: decoded, source: []))
      }
    }
    for run in runs {
      let run = UnsafeBufferPointer(rebasing: bytes[run])
      if let text = printable(run) {
        readings.append(DecodedText(layer: .base64, bytes: text, source: Array(run)))
      }
    }
    return readings
  }

  /// The only text that a regular expression matches; nil if it matches several.
  static func literal(ofPattern pattern: String) -> String? {
    var pattern = pattern
    if pattern.hasPrefix("^") { pattern.removeFirst() }
    if pattern.hasSuffix("$"), !pattern.hasSuffix("\\$") { pattern.removeLast() }
    // After the escapes are removed, no operator may be left.
    let bare = pattern.replacing(
      #/\\Q.*?\\E|\\[^A-Za-z0-9]|\[\\?[^A-Za-z0-9\]^]\]/#.dotMatchesNewlines(), with: "")
    guard !bare.contains(where: { "\\.[]{}()*+?|^$".contains($0) }) else { return nil }
    return pattern.withUTF8 { decoded($0, .escapes) ?? Array($0) }.withUnsafeBufferPointer {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Removes the same layer from another text.
  func decodedLikewise(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { Self.decoded($0, layer) ?? Array($0) }
  }

  private static func has(
    _ layer: Layer, _ marks: ByteSet, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch layer {
    case .percent: marks.contains(UInt8(ascii: "%"))
    case .form: marks.contains(UInt8(ascii: "%")) && bytes.contains(UInt8(ascii: "+"))
    case .escapes: marks.contains(UInt8(ascii: "\\")) || marks.contains(UInt8(ascii: "["))
    case .references: marks.contains(UInt8(ascii: "&"))
    case .base64: false
    }
  }

  /// The text with a layer removed; nil if nothing in it is encoded that way.
  private static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ layer: Layer
  ) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    var isChanged = false
    var isQuoted = false
    while place < bytes.count {
      if layer == .escapes, let end = EncodedByte.quotationMark(bytes, at: place) {
        isQuoted = bytes[place + 1] == UInt8(ascii: "Q")
        place = end
        isChanged = true
      } else if !isQuoted, let (value, end) = step(bytes, at: place, layer) {
        result += value
        place = end
        isChanged = true
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return isChanged ? result : nil
  }

  private static func step(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ layer: Layer
  ) -> (value: [UInt8], end: Int)? {
    switch (layer, bytes[place]) {
    case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")):
      EncodedByte.percent(bytes, at: place).map { ([$0.byte], $0.end) }
    case (.form, UInt8(ascii: "+")): ([0x20], place + 1)
    case (.escapes, UInt8(ascii: "\\")): EncodedByte.escape(bytes, at: place)
    case (.escapes, UInt8(ascii: "[")): EncodedByte.classOfOne(bytes, at: place)
    case (.references, UInt8(ascii: "&")): EncodedByte.reference(bytes, at: place)
    default: nil
    }
  }

  /// The text that a run of base64 encodes; nil if it does not encode text.
  private static func printable(_ run: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    // The first bytes suffice to exclude nearly everything that is not text.
    guard let head = Base64.decoded(run.prefix(8)), isText(head) else { return nil }
    guard let all = Base64.decoded(run.prefix(run.count - (run.count % 4 == 1 ? 1 : 0))),
      isText(all), String(validating: all, as: UTF8.self) != nil
    else { return nil }
    return Array(all)
  }

  private static func isText(_ bytes: Data) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }
}
