/// A Huffman code as its lengths give it. https://www.rfc-editor.org/rfc/rfc1951#section-3.2.2
struct HuffmanTable {
  private static let maximumLength = 15

  /// How many codes have each length.
  let counts: [Int]
  /// The symbols in the order of their codes.
  let symbols: [Int]

  /// Makes the code; lengths of 0 are symbols that do not occur.
  ///
  /// - Throws: An ``InflateError`` for lengths that are too many to be a code.
  init(_ lengths: ArraySlice<Int>) throws(InflateError) {
    var counts = [Int](repeating: 0, count: Self.maximumLength + 1)
    for length in lengths where length > 0 { counts[length] += 1 }
    var free = 1
    for length in 1...Self.maximumLength {
      free = free * 2 - counts[length]
      guard free >= 0 else { throw InflateError("it holds a code that is none") }
    }
    var offsets = [Int](repeating: 0, count: Self.maximumLength + 2)
    for length in 1...Self.maximumLength { offsets[length + 1] = offsets[length] + counts[length] }
    var symbols = [Int](repeating: 0, count: lengths.count)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[offsets[length]] = symbol
      offsets[length] += 1
    }
    self.counts = counts
    self.symbols = symbols
  }
}
