/// Checks of bytes that should be UTF-8.
enum UTF8Bytes {
  /// Whether the bytes are UTF-8 in its shortest form, without surrogates.
  ///
  /// https://www.unicode.org/versions/latest/core-spec/chapter-3/#G27506
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while true {
      place = endOfASCII(bytes, from: place)
      guard place < bytes.count else { return true }
      let count: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch bytes[place] {
      case 0xC2...0xDF: count = 2
      case 0xE0: (count, second) = (3, 0xA0...0xBF)
      case 0xED: (count, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: count = 3
      case 0xF0: (count, second) = (4, 0x90...0xBF)
      case 0xF4: (count, second) = (4, 0x80...0x8F)
      case 0xF1...0xF3: count = 4
      default: return false
      }
      guard place + count <= bytes.count, second.contains(bytes[place + 1]) else { return false }
      for byte in bytes[place + 2..<max(place + 2, place + count)] where byte & 0xC0 != 0x80 {
        return false
      }
      place += count
    }
  }

  /// The place of the first byte that is not ASCII, eight bytes at a time; the number of bytes if there is none.
  static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      place += 8
    }
    while place < bytes.count, bytes[place] < 0x80 { place += 1 }
    return place
  }
}
