/// A text to look for in other texts, byte by byte.
///
/// Swift's own search goes by characters: a carriage return and a line feed are one, and so are a letter and its accent.
struct ByteSearch {
  private let wanted: [UInt8]
  /// For each beginning of the wanted text, the length of the longest shorter beginning that is also its end.
  ///
  /// With it no byte of the searched text is compared from the start again (Knuth, Morris and Pratt).
  private let fallbacks: [Int]

  init(_ wanted: String) {
    let wanted = Array(wanted.utf8)
    var fallbacks = [Int](repeating: 0, count: wanted.count)
    var length = 0
    for place in wanted.indices.dropFirst() {
      while length > 0, wanted[place] != wanted[length] { length = fallbacks[length - 1] }
      if wanted[place] == wanted[length] { length += 1 }
      fallbacks[place] = length
    }
    (self.wanted, self.fallbacks) = (wanted, fallbacks)
  }

  /// Whether the text contains the wanted one; every text contains the empty one.
  func isFound(in text: String) -> Bool {
    wanted.isEmpty || !ends(in: Array(text.utf8), atMost: 1).isEmpty
  }

  /// The parts of the text between the places of the wanted one; the whole text if that is empty.
  func pieces(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    var pieces: [String] = []
    var start = 0
    for end in ends(in: bytes, atMost: .max) {
      pieces.append(String(decoding: bytes[start..<(end - wanted.count)], as: UTF8.self))
      start = end
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
  }

  /// The offsets after the wanted text wherever it is, without overlaps.
  private func ends(in bytes: [UInt8], atMost most: Int) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    var ends: [Int] = []
    var length = 0
    for (place, byte) in bytes.enumerated() where ends.count < most {
      while length > 0, byte != wanted[length] { length = fallbacks[length - 1] }
      if byte == wanted[length] { length += 1 }
      if length == wanted.count {
        ends.append(place + 1)
        length = 0
      }
    }
    return ends
  }
}
