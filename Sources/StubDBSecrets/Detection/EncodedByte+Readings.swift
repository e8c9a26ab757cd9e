internal import StubDBModel

extension EncodedByte {
  /// The bytes that can begin an encoded byte.
  static let marks = ByteSet("%\\+&[")

  /// The bytes that the text at an offset may encode, each with the end of its encoding.
  static func readings(_ bytes: Bytes, at place: Int) -> [(value: [UInt8], end: Int)] {
    let byte = bytes[place]
    let plain: (value: [UInt8], end: Int) = ([byte], place + 1)
    switch byte {
    case UInt8(ascii: "%"):
      guard let (value, end) = percent(bytes, at: place) else { return [plain] }
      guard value == UInt8(ascii: "%"), let inner = hexadecimal(bytes, at: end, count: 2) else {
        return [plain, ([value], end)]
      }
      return [plain, ([UInt8(inner)], end + 2), ([value], end)]
    case UInt8(ascii: "\\"): return [plain] + escaped(bytes, at: place)
    case UInt8(ascii: "+"): return [plain, ([0x20], place + 1)]
    case UInt8(ascii: "&"): return [plain] + (reference(bytes, at: place).map { [$0] } ?? [])
    case UInt8(ascii: "["): return [plain] + (classOfOne(bytes, at: place).map { [$0] } ?? [])
    default: return [plain]
    }
  }

  /// One or more backslashes and the byte that they escape, for JSON in JSON and patterns in JSON.
  private static func escaped(_ bytes: Bytes, at place: Int) -> [(value: [UInt8], end: Int)] {
    var last = place
    while last + 1 < bytes.count, bytes[last + 1] == UInt8(ascii: "\\"), last - place < 3 {
      last += 1
    }
    var readings: [(value: [UInt8], end: Int)] = []
    if last + 1 < bytes.count {
      readings.append(([bytes[last + 1]], last + 2))
      if let escape = escape(bytes, at: last) { readings.append(escape) }
    }
    // An escaped backslash.
    if last > place { readings.append(([UInt8(ascii: "\\")], place + 2)) }
    // A quotation opens or closes in the middle of the value.
    if let end = quotationMark(bytes, at: place), end < bytes.count {
      readings += self.readings(bytes, at: end)
    }
    return readings
  }
}
