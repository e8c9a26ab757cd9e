extension JSONCanonicalizer {
  /// Copies a string, with no escapes but those that JSON requires.
  mutating func writeString() -> Bool {
    var start = place
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        place += 1
        copy(start..<place)
        return true
      }
      if byte < 0x20 { return false }
      if byte != UInt8(ascii: "\\") {
        place += 1
        continue
      }
      guard place + 1 < bytes.count else { return false }
      switch bytes[place + 1] {
      // These are escaped in canonical text, too.
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        place += 2
      case UInt8(ascii: "/"):
        copy(start..<place)
        place += 1
        start = place
        place += 1
      case UInt8(ascii: "u"):
        copy(start..<place)
        guard let scalar = takeUnicodeEscape() else { return false }
        write(scalar)
        start = place
      default: return false
      }
    }
    return false
  }

  private mutating func takeUnicodeEscape() -> Unicode.Scalar? {
    guard let first = takeUnit() else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, place + 6 <= bytes.count, let second = takeUnit(),
      (0xDC00...0xDFFF).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func takeUnit() -> UInt32? {
    guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[place + 2..<place + 6] {
      switch byte {
      case 0x30...0x39: unit = unit << 4 + UInt32(byte - 0x30)
      case 0x41...0x46: unit = unit << 4 + UInt32(byte - 0x41 + 10)
      case 0x61...0x66: unit = unit << 4 + UInt32(byte - 0x61 + 10)
      default: return nil
      }
    }
    place += 6
    return unit
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
      var writer = JSONWriter(indent: nil)
      writer.write(String(Character(scalar)))
      output.append(contentsOf: writer.text.utf8.dropFirst().dropLast())
    } else {
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  mutating func writeNumber() -> Bool {
    let start = place
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if place < bytes.count, isDigit(bytes[place]) { return false }
    } else if !skipDigits() {
      return false
    }
    if take(UInt8(ascii: ".")), !skipDigits() { return false }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      if !skipDigits() { return false }
    }
    copy(start..<place)
    return true
  }

  private mutating func skipDigits() -> Bool {
    let start = place
    while place < bytes.count, isDigit(bytes[place]) { place += 1 }
    return place > start
  }

  mutating func write(literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    let isThere = literal.withUTF8Buffer {
      place + length <= bytes.count && bytes[place..<place + length].elementsEqual($0)
    }
    guard isThere else { return false }
    copy(place..<place + length)
    place += length
    return true
  }

  private mutating func copy(_ range: Range<Int>) {
    output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      default: return
      }
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
