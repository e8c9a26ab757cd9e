package import Foundation
internal import StubDBModel

/// Tells which contents certainly lack a value, so that what was written is not read again for each new secret.
///
/// A Bloom filter over all sequences of six bytes, of the content and of what it decodes to. It takes about a quarter of
/// the content's size.
package struct ContentFilter: Sendable {
  /// The number of bytes of a sequence; no value that is replaced everywhere is shorter.
  static let sequence = Redaction.shortestEverywhere
  /// How many layers of encoding are removed: those of a scan, and the line of a draft around them.
  private static let layers = 4
  private static let mostBits = 1 << 24

  private var words: [UInt64]
  private let mask: UInt64

  /// Makes an empty filter for contents of about this size.
  package init(byteCount: Int) {
    var bits = 1 << 10
    while bits < 2 * byteCount, bits < Self.mostBits { bits *= 2 }
    words = [UInt64](repeating: 0, count: bits / 64)
    mask = UInt64(bits - 1)
  }

  /// Adds a content, or a part of it.
  package mutating func insert(_ content: Data) {
    content.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      insert(bytes)
      for (text, _) in Base64.texts(in: bytes) { insertAll(text, Self.layers - 1) }
      if let inner = DecodedText.flattened(bytes) { insertAll(inner, Self.layers - 1) }
    }
  }

  private mutating func insertAll(_ text: [UInt8], _ layers: Int) {
    text.withUnsafeBufferPointer { bytes in
      insert(bytes)
      guard layers > 0 else { return }
      for (text, _) in Base64.texts(in: bytes) { insertAll(text, layers - 1) }
      if let inner = DecodedText.flattened(bytes) { insertAll(inner, layers - 1) }
    }
  }

  private mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>) {
    let mask = mask
    words.withUnsafeMutableBufferPointer { words in
      Self.forEachSequence(in: bytes) { hash in
        let bit = hash & mask
        words[Int(bit >> 6)] |= 1 << (bit & 63)
        return true
      }
    }
  }

  /// Whether a content that has been added may contain a text.
  func mayHold(_ text: [UInt8]) -> Bool {
    var isPossible = true
    text.withUnsafeBufferPointer { bytes in
      Self.forEachSequence(in: bytes) { hash in
        let bit = hash & mask
        isPossible = words[Int(bit >> 6)] >> (bit & 63) & 1 == 1
        return isPossible
      }
    }
    return isPossible
  }

  /// What each byte counts as: the alphabets of base64 are one, and `+` is a space in a form.
  private static let folded: [UInt64] = (0...255).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 0x20
    case UInt8(ascii: "_"): UInt64(UInt8(ascii: "/"))
    default: UInt64(byte)
    }
  }

  /// Calls a function with the hash of each sequence until it returns false.
  @inline(__always)
  private static func forEachSequence(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Bool
  ) {
    folded.withUnsafeBufferPointer { folded in
      var window: UInt64 = 0
      for place in bytes.indices {
        window = (window << 8 | folded[Int(bytes[place])]) & 0xFFFF_FFFF_FFFF
        guard place >= sequence - 1 else { continue }
        let hash = (window &* 0x9E37_79B9_7F4A_7C15) >> 24
        if !body(hash) { return }
      }
    }
  }
}

/// Values that have turned out to be secrets, to be looked for in what was written before.
package struct LateSecrets {
  private let search: SecretReplacement
  /// What a content contains if it contains one of the values in some encoding.
  private let traces: [[UInt8]]

  init(_ values: [String], _ redaction: Redaction) {
    search = SecretReplacement(values, redaction)
    traces = values.flatMap { Self.traces(of: Array($0.utf8)) }
  }

  /// Whether a content may contain one of the values.
  package func mayBe(in filter: ContentFilter) -> Bool { traces.contains(where: filter.mayHold) }

  /// Whether a content contains one of the values, in any encoding.
  package func isFound(in content: Data) -> Bool {
    content.withUnsafeBytes { search.isFound(in: $0.bindMemory(to: UInt8.self)) }
  }

  /// The value as it is and decoded, and what base64 has of it at each alignment, in one layer and in two.
  private static func traces(of value: [UInt8]) -> [[UInt8]] {
    var plain = [value]
    while plain.count < 4,
      let inner = plain[plain.count - 1].withUnsafeBufferPointer({ DecodedText.flattened($0) })
    {
      plain.append(inner)
    }
    let once = encodings(of: value)
    return (plain + once + once.flatMap(encodings)).filter { $0.count >= ContentFilter.sequence }
  }

  /// The characters of base64 that depend on the value alone, after zero, one and two other bytes.
  private static func encodings(of value: [UInt8]) -> [[UInt8]] {
    (0..<3).map { shift in
      let encoded = Array(Data([UInt8](repeating: 0, count: shift) + value).base64EncodedData())
      let first = shift == 0 ? 0 : shift + 1
      let last = (shift + value.count) * 8 / 6
      return first < last ? Array(encoded[first..<last]) : []
    }
  }
}
