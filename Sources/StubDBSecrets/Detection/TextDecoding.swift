internal import StubDBModel

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

    /// The bytes with which what is encoded begins.
    var marks: ByteSet {
      switch self {
      case .percent, .form: ByteSet("%")
      case .escapes: ByteSet("\\[")
      case .references: ByteSet("&")
      case .base64: ByteSet("")
      }
    }
  }

  let layer: Layer
  let bytes: [UInt8]
  /// The range that was decoded: the whole text, except for base64.
  let source: [UInt8]

  private static let marks = ByteSet("%\\[&")

  /// The text with one layer removed, in each possible way; empty for most texts.
  static func readings(of bytes: UnsafeBufferPointer<UInt8>) -> [DecodedText] {
    // Not asked for at each byte: on Linux each access to a global takes a call.
    let marks = Self.marks
    var found = ByteSet("")
    for byte in bytes where marks.contains(byte) { found.insert(byte) }
    var readings: [DecodedText] = []
    for layer in Layer.allCases where layer != .base64 && has(layer, found, bytes) {
      if let decoded = decoded(bytes, layer) {
        readings.append(DecodedText(layer: layer, bytes: decoded, source: []))
      }
    }
    for (text, range) in Base64.texts(in: bytes) {
      readings.append(DecodedText(layer: .base64, bytes: text, source: Array(bytes[range])))
    }
    return readings
  }

  /// The text with one layer of every kind removed; nil if nothing in it is encoded.
  static func flattened(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let marks = marks
    guard bytes.contains(where: marks.contains) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if !marks.contains(byte) {
        result.append(byte)
        place += 1
      } else if let end = EncodedByte.quotationMark(bytes, at: place) {
        place = end
      } else if let (value, end) = Layer.allCases.lazy.compactMap({ step(bytes, at: place, $0) })
        .first
      {
        result += value
        place = end
      } else {
        result.append(byte)
        place += 1
      }
    }
    return result.count < bytes.count ? result : nil
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
    var sources: [Int]?
    return decoded(bytes, layer, &sources)
  }

  /// The same, with the offset that each byte comes from, followed by the end.
  static func located(
    _ bytes: UnsafeBufferPointer<UInt8>, _ layer: Layer
  ) -> (bytes: [UInt8], sources: [Int])? {
    var sources: [Int]? = []
    guard let decoded = decoded(bytes, layer, &sources), let sources else { return nil }
    return (decoded, sources + [bytes.count])
  }

  private static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ layer: Layer, _ sources: inout [Int]?
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
        sources?.append(contentsOf: repeatElement(place, count: value.count))
        place = end
        isChanged = true
      } else {
        result.append(bytes[place])
        sources?.append(place)
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
}
