/// A Huffman code, defined by the lengths of its codes, for look-up by the next bits of a stream.
///
/// https://www.rfc-editor.org/rfc/rfc1951#section-3.2.2
struct HuffmanTable {
  private static let maximumLength = 15

  /// For each value of the next ``width`` bits the symbol, shifted by four, and the length of its code; 0 without a
  /// code.
  let entries: [UInt16]
  /// The number of bits of a look-up.
  let width: Int

  /// Makes the code; a length of 0 means that the symbol does not occur.
  ///
  /// - Throws: An ``InflateError`` for lengths that do not form a code.
  init(_ lengths: ArraySlice<Int>) throws(InflateError) {
    var counts = [Int](repeating: 0, count: Self.maximumLength + 1)
    for length in lengths where length > 0 { counts[length] += 1 }
    var free = 1
    for length in 1...Self.maximumLength {
      free = free * 2 - counts[length]
      guard free >= 0 else { throw InflateError("it contains an invalid code") }
    }
    let width = max(1, counts.lastIndex { $0 > 0 } ?? 1)
    var codes = [Int](repeating: 0, count: Self.maximumLength + 2)
    for length in 1...Self.maximumLength {
      codes[length + 1] = (codes[length] + counts[length]) << 1
    }
    var entries = [UInt16](repeating: 0, count: 1 << width)
    entries.withUnsafeMutableBufferPointer { entries in
      for (symbol, length) in lengths.enumerated() where length > 0 {
        // Codes begin with their highest bit, streams with their lowest.
        var (code, place) = (codes[length], 0)
        codes[length] += 1
        for _ in 0..<length {
          place = place << 1 | code & 1
          code >>= 1
        }
        let entry = UInt16(symbol << 4 | length)
        while place < entries.count {
          entries[place] = entry
          place += 1 << length
        }
      }
    }
    self.entries = entries
    self.width = width
  }
}
