package import Foundation

/// JSON text in canonical form, made of other JSON text without a tree of values between them.
///
/// Recordings hold megabytes of JSON whose values nobody asks for: a tree of one takes ten times its size, and most of
/// the time of an import.
package struct JSONCanonicalizer {
  /// JSON text on one line, keys sorted.
  package struct Result {
    package var text: Data
    /// Whether the value is an object or an array.
    package var isContainer: Bool
  }

  /// The text of ``JSONValue/canonicalText`` for the value of the bytes; nil where `JSONValue(parsing:)` throws.
  package static func canonical(_ bytes: UnsafeRawBufferPointer) -> Result? {
    guard UTF8Bytes.isValid(bytes) else { return nil }
    var canonicalizer = JSONCanonicalizer(bytes)
    switch canonicalizer.run() {
    case .done(let isContainer):
      return Result(text: Data(canonicalizer.output), isContainer: isContainer)
    case .invalid: return nil
    case .deep:
      guard let value = try? JSONValue(parsing: Data(bytes)) else { return nil }
      return Result(text: Data(value.canonicalText.utf8), isContainer: true)
    }
  }

  private enum Outcome {
    case done(isContainer: Bool)
    case invalid
    /// The value nests deeper than the stack of any thread surely allows.
    case deep
  }

  /// A member of an object in the output.
  private struct Member {
    /// The name in quotes, and the end of the value.
    var start: Int
    var nameEnd: Int
    var end = 0
  }

  private let bytes: UnsafeRawBufferPointer
  private var place: Int
  private var depth = 0
  private var isTooDeep = false
  private var output: [UInt8] = []
  /// The members of all objects that are open, those of the innermost one last.
  private var members: [Member] = []
  /// Where a member stands while others take its place.
  private var scratch: [UInt8] = []

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    output.reserveCapacity(bytes.count)
  }

  private mutating func run() -> Outcome {
    skipSpace()
    let first = place < bytes.count ? bytes[place] : 0
    let isValid = writeValue()
    if isTooDeep { return .deep }
    skipSpace()
    guard isValid, place == bytes.count else { return .invalid }
    return .done(isContainer: first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
  }

  private mutating func writeValue() -> Bool {
    skipSpace()
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case UInt8(ascii: "{"): return writeObject()
    case UInt8(ascii: "["): return writeArray()
    case UInt8(ascii: "\""): return writeString()
    case UInt8(ascii: "t"): return write(literal: "true")
    case UInt8(ascii: "f"): return write(literal: "false")
    case UInt8(ascii: "n"): return write(literal: "null")
    default: return writeNumber()
    }
  }

  private mutating func enter() -> Bool {
    depth += 1
    isTooDeep = isTooDeep || depth > JSONValue.shallowDepth
    place += 1
    return !isTooDeep
  }

  private mutating func writeArray() -> Bool {
    guard enter() else { return false }
    output.append(UInt8(ascii: "["))
    skipSpace()
    if !take(UInt8(ascii: "]")) {
      while true {
        guard writeValue() else { return false }
        skipSpace()
        if take(UInt8(ascii: "]")) { break }
        guard take(UInt8(ascii: ",")) else { return false }
        output.append(UInt8(ascii: ","))
      }
    }
    output.append(UInt8(ascii: "]"))
    depth -= 1
    return true
  }

  private mutating func writeObject() -> Bool {
    guard enter() else { return false }
    let first = members.count
    output.append(UInt8(ascii: "{"))
    skipSpace()
    if !take(UInt8(ascii: "}")) {
      while true {
        skipSpace()
        let start = output.count
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\""), writeString() else {
          return false
        }
        members.append(Member(start: start, nameEnd: output.count))
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return false }
        output.append(UInt8(ascii: ":"))
        guard writeValue() else { return false }
        members[members.count - 1].end = output.count
        skipSpace()
        if take(UInt8(ascii: "}")) { break }
        guard take(UInt8(ascii: ",")) else { return false }
        output.append(UInt8(ascii: ","))
      }
    }
    guard sortMembers(from: first) else { return false }
    members.removeSubrange(first...)
    output.append(UInt8(ascii: "}"))
    depth -= 1
    return true
  }
}

// MARK: - Members

extension JSONCanonicalizer {
  /// Puts the members of the innermost object into their order; false if a name is there twice.
  private mutating func sortMembers(from first: Int) -> Bool {
    let count = members.count - first
    guard count > 1 else { return true }
    var isSorted = true
    for index in first + 1..<members.count {
      let order = compare(members[index - 1], members[index])
      if order == 0 { return false }
      if order > 0 {
        isSorted = false
        break
      }
    }
    guard hasDistinctNames(from: first) else { return false }
    if isSorted { return true }
    let start = members[first].start
    let sorted = members[first...].sorted { compare($0, $1) < 0 }
    for (one, other) in zip(sorted, sorted.dropFirst()) where compare(one, other) == 0 {
      return false
    }
    scratch.removeAll(keepingCapacity: true)
    for (index, member) in sorted.enumerated() {
      if index > 0 { scratch.append(UInt8(ascii: ",")) }
      scratch.append(contentsOf: output[member.start..<member.end])
    }
    output.replaceSubrange(start..., with: scratch)
    return true
  }

  /// Whether no two names that are not ASCII are the same text in different forms, as `é` in one scalar or in two.
  private func hasDistinctNames(from first: Int) -> Bool {
    let isASCII = output.withUnsafeBytes { output in
      members[first...].allSatisfy { member in
        UTF8Bytes.endOfASCII(
          UnsafeRawBufferPointer(rebasing: output[..<member.nameEnd]), from: member.start)
          == member.nameEnd
      }
    }
    if isASCII { return true }
    let names = members[first...].map { output[$0.start + 1..<$0.nameEnd - 1] }
    var seen: Set<String> = []
    return names.allSatisfy { name in
      name.withUnsafeBytes {
        seen.insert(String(decoding: Self.unescaped($0), as: UTF8.self)).inserted
      }
    }
  }

  /// Compares the names as UTF-8: negative if the first one comes first, 0 if they are equal.
  private func compare(_ one: Member, _ other: Member) -> Int {
    // Without the quotation marks.
    let (one, other) = (one.start + 1..<one.nameEnd - 1, other.start + 1..<other.nameEnd - 1)
    return output.withUnsafeBytes { output in
      let (one, other) = (
        UnsafeRawBufferPointer(rebasing: output[one]),
        UnsafeRawBufferPointer(rebasing: output[other])
      )
      // An escape does not sort as what it stands for.
      if one.contains(UInt8(ascii: "\\")) || other.contains(UInt8(ascii: "\\")) {
        let (one, other) = (Self.unescaped(one), Self.unescaped(other))
        return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
      }
      let length = min(one.count, other.count)
      if length > 0, let left = one.baseAddress, let right = other.baseAddress {
        let order = memcmp(left, right, length)
        if order != 0 { return Int(order) }
      }
      return one.count - other.count
    }
  }

  /// A name in canonical form without its escapes.
  private static func unescaped(_ name: UnsafeRawBufferPointer) -> [UInt8] {
    let text = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
    guard case .string(let name) = try? JSONValue(parsing: Data(text)) else { return Array(name) }
    return Array(name.utf8)
  }
}

// MARK: - Scalars

extension JSONCanonicalizer {
  /// Copies a string, with no escapes but those that JSON requires.
  private mutating func writeString() -> Bool {
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

  private mutating func writeNumber() -> Bool {
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

  private mutating func write(literal: StaticString) -> Bool {
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

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

/// Checks of bytes that should be UTF-8.
package enum UTF8Bytes {
  /// Whether the bytes are UTF-8 in its shortest form, without surrogates.
  ///
  /// https://www.unicode.org/versions/latest/core-spec/chapter-3/#G27506
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
  package static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
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
