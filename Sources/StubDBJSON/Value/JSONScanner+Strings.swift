extension JSONScanner {
  /// Reads a name or a string, at its quotation mark.
  mutating func scanString() throws(JSONSyntaxError) {
    start = position
    let quote = bytes[position]
    isEscaped = false
    position += 1
    while true {
      skipPlainBytes()
      guard position < bytes.count else { throw failure("the string is not closed", at: start) }
      let byte = bytes[position]
      if byte == quote {
        position += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try skipEscape()
      } else if byte < 0x20 {
        throw failure("a control character in a string must be escaped")
      } else {
        position += 1
      }
    }
  }

  /// Skips what is neither a quotation mark, an escape nor a control character, eight bytes at a time.
  ///
  /// Most of a recording is text of bodies, so this decides how fast one is read.
  private mutating func skipPlainBytes() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while position + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let single = word ^ (ones &* 0x27)
      let slash = word ^ (ones &* 0x5C)
      let found =
        ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote)
        | ((single &- ones) & ~single) | ((slash &- ones) & ~slash)
      if found & highs != 0 { break }
      position += 8
    }
    while position < bytes.count {
      switch bytes[position] {
      case 0..<0x20, 0x22, 0x27, 0x5C: return
      default: position += 1
      }
    }
  }

  private mutating func skipEscape() throws(JSONSyntaxError) {
    let letter = position + 1 < bytes.count ? bytes[position + 1] : 0
    if letter == UInt8(ascii: "u") {
      guard isLenient else { return try skipUnicodeEscape() }
      guard JSONEscapes.unit(bytes, at: position + 2) != nil else {
        throw failure("an escape that JSON does not have")
      }
      position += 6
      return
    }
    guard JSONEscapes.byte(letter) != nil, isLenient || letter != UInt8(ascii: "'") else {
      throw failure("an escape that JSON does not have")
    }
    position += 2
  }

  /// Skips one unit of UTF-16, or the two of a surrogate pair.
  private mutating func skipUnicodeEscape() throws(JSONSyntaxError) {
    let escape = position
    position += 2
    let first = try takeUnit()
    guard (0xD800...0xDFFF).contains(first) else { return }
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw failure("half of a surrogate pair", at: escape)
    }
    let second = try takeUnit()
    guard JSONEscapes.scalar(first, second) != nil else {
      throw failure("half of a surrogate pair", at: escape)
    }
  }

  private mutating func takeUnit() throws(JSONSyntaxError) -> UInt32 {
    guard let unit = JSONEscapes.unit(bytes, at: position) else {
      throw failure("expected four hexadecimal digits")
    }
    position += 4
    return unit
  }
}
