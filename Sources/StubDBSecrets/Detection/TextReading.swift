internal import StubDBModel

/// A reading of a text: what it is with one layer of encoding removed.
struct TextReading {
  typealias Layer = DecodedText.Layer

  let layer: Layer
  let bytes: [UInt8]
  /// The range that was decoded: the whole text, except for base64.
  let source: [UInt8]

  private static let marks = ByteSet("%\\[&")

  /// The text with one layer removed, in each possible way; empty for most texts.
  static func readings(of bytes: UnsafeBufferPointer<UInt8>) -> [TextReading] {
    // Not asked for at each byte: on Linux each access to a global takes a call.
    let marks = Self.marks
    var found = ByteSet("")
    for byte in bytes where marks.contains(byte) { found.insert(byte) }
    var readings: [TextReading] = []
    for layer in Layer.allCases where layer != .base64 && has(layer, found, bytes) {
      if let decoded = DecodedText.decoded(bytes, layer) {
        readings.append(TextReading(layer: layer, bytes: decoded, source: []))
      }
    }
    for (text, range) in Base64.texts(in: bytes) {
      readings.append(TextReading(layer: .base64, bytes: text, source: Array(bytes[range])))
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
    return pattern.withUTF8 { DecodedText.decoded($0, .escapes) ?? Array($0) }
      .withUnsafeBufferPointer {
        String(decoding: $0, as: UTF8.self)
      }
  }

  /// Removes the same layer from another text.
  func decodedLikewise(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { DecodedText.decoded($0, layer) ?? Array($0) }
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
}
