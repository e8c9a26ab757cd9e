internal import StubDBModel

/// A text with layers of encoding removed, and the place in the text that each byte comes from.
struct DecodedView {
  let bytes: [UInt8]
  /// The offset in the text of each byte, followed by the end; nil while they are the same.
  private let sources: [Int]?

  init(_ bytes: [UInt8]) { (self.bytes, sources) = (bytes, nil) }

  private init(_ bytes: [UInt8], _ sources: [Int]) { (self.bytes, self.sources) = (bytes, sources) }

  /// The range of the text that encodes a range of the bytes.
  func source(of range: Range<Int>) -> Range<Int> {
    guard let sources else { return range }
    return sources[range.lowerBound]..<sources[range.upperBound]
  }

  /// The same with one more layer removed: percent-encoding, and the escapes of JSON; nil if nothing is encoded.
  func decoded() -> DecodedView? {
    guard bytes.contains(where: { $0 == Self.percent || $0 == Self.backslash }) else { return nil }
    var (result, offsets): ([UInt8], [Int]) = ([], [])
    var place = 0
    while place < bytes.count {
      let (value, end) = step(at: place) ?? ([bytes[place]], place + 1)
      for byte in value {
        result.append(byte)
        offsets.append(sources?[place] ?? place)
      }
      place = end
    }
    guard result.count < bytes.count else { return nil }
    offsets.append(sources?[bytes.count] ?? bytes.count)
    return DecodedView(result, offsets)
  }

  private static let percent = UInt8(ascii: "%")
  private static let backslash = UInt8(ascii: "\\")

  private func step(at place: Int) -> (value: [UInt8], end: Int)? {
    switch bytes[place] {
    case Self.percent: number(at: place + 1, digits: 2).map { ([UInt8($0)], place + 3) }
    case Self.backslash where place + 1 < bytes.count: escape(at: place)
    default: nil
    }
  }

  private func escape(at place: Int) -> (value: [UInt8], end: Int) {
    switch bytes[place + 1] {
    case UInt8(ascii: "n"): return ([0x0A], place + 2)
    case UInt8(ascii: "r"): return ([0x0D], place + 2)
    case UInt8(ascii: "t"): return ([0x09], place + 2)
    case UInt8(ascii: "u"):
      guard let number = number(at: place + 2, digits: 4) else { break }
      return (Unicode.Scalar(number).map { Array(String($0).utf8) } ?? [0x3F], place + 6)
    default: break
    }
    return ([bytes[place + 1]], place + 2)
  }

  private func number(at place: Int, digits: Int) -> UInt32? {
    guard place + digits <= bytes.count else { return nil }
    let text = bytes[place..<place + digits]
    guard text.allSatisfy(ByteSet.hexadecimals.contains) else { return nil }
    return UInt32(String(decoding: text, as: UTF8.self), radix: 16)
  }
}
