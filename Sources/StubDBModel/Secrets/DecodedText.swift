/// A text without an encoding, and the place that each of its bytes comes from.
package struct DecodedText {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  /// A way to encode a text inside another text.
  package enum Layer: CaseIterable, Sendable {
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

    fileprivate func step(_ bytes: Bytes, at place: Int) -> (value: [UInt8], end: Int)? {
      switch (self, bytes[place]) {
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

  package let bytes: [UInt8]
  /// The offset of each byte, followed by the end; nil while they are the same.
  private let sources: [Int]?

  package init(_ bytes: [UInt8], _ sources: [Int]?) {
    (self.bytes, self.sources) = (bytes, sources)
  }

  /// A text that is not decoded.
  package init(_ bytes: [UInt8]) { self.init(bytes, nil) }

  /// The range of the text that encodes a range of the bytes.
  package func source(of range: Range<Int>) -> Range<Int> {
    guard let sources else { return range }
    return sources[range.lowerBound]..<sources[range.upperBound]
  }

  /// The same with one more layer removed of those that some bytes begin; nil if nothing in it is encoded.
  package func flattened(marks: ByteSet) -> DecodedText? {
    var places: [Int]? = []
    guard
      let decoded = bytes.withUnsafeBufferPointer({ bytes in
        Self.decoded(bytes, Self.allLayers, marks: marks, quotes: false, &places)
      }), let offsets = places
    else { return nil }
    return DecodedText(decoded, (offsets + [bytes.count]).map { sources?[$0] ?? $0 })
  }

  package static let allLayers: [Layer] = [.percent, .escapes, .references]
  /// The bytes without what the marks begin; with `quotes`, what is between `\Q` and `\E` stays as it is.
  package static func decoded(
    _ bytes: Bytes, _ layers: [Layer], marks: ByteSet, quotes: Bool, _ sources: inout [Int]?
  ) -> [UInt8]? {
    guard bytes.contains(where: marks.contains) else { return nil }
    let hasEscapes = layers.contains(.escapes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    var (isChanged, isQuoted) = (false, false)
    while place < bytes.count {
      let byte = bytes[place]
      if marks.contains(byte) {
        if hasEscapes, let end = EncodedByte.quotationMark(bytes, at: place) {
          isQuoted = quotes && bytes[place + 1] == UInt8(ascii: "Q")
          (place, isChanged) = (end, true)
          continue
        }
        if !isQuoted,
          let (value, end) = layers.lazy.compactMap({ $0.step(bytes, at: place) }).first
        {
          result += value
          sources?.append(contentsOf: repeatElement(place, count: value.count))
          (place, isChanged) = (end, true)
          continue
        }
      }
      result.append(byte)
      sources?.append(place)
      place += 1
    }
    return isChanged ? result : nil
  }
}
