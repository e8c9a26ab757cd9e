package import Foundation

/// Finds the place of a value in a text, for messages; it parses the text again.
package enum JSONPlaceFinder {
  /// The line of the value or of its member name, from 1; nil if the pointer has no target.
  package static func line(of pointer: JSONPointer, in text: Data) -> Int? {
    offset(of: pointer, in: text).map { offset in
      text.prefix(offset).count { $0 == 0x0A } + 1
    }
  }

  /// The byte offset of the value or of its member name.
  ///
  /// The text must be JSON that ``JSONValue`` can parse.
  package static func offset(of pointer: JSONPointer, in text: Data) -> Int? {
    text.withUnsafeBytes { bytes in
      var scanner = JSONPlaceScanner(bytes: bytes)
      return scanner.find(pointer.tokens[...])
    }
  }
}

/// Traverses JSON text that is known to be well-formed.
private struct JSONPlaceScanner {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  mutating func find(_ tokens: ArraySlice<String>) -> Int? {
    skipSpace()
    var place = position
    var tokens = tokens
    while let token = tokens.popFirst() {
      guard let found = enter(token) else { return nil }
      place = found
    }
    return place
  }

  /// Moves to the value of a member or element; returns the start of that member or element.
  private mutating func enter(_ token: String) -> Int? {
    guard position < bytes.count else { return nil }
    let isObject = bytes[position] == UInt8(ascii: "{")
    guard isObject || bytes[position] == UInt8(ascii: "[") else { return nil }
    position += 1
    var index = 0
    while true {
      skipSpace()
      guard position < bytes.count, !isClosing(bytes[position]) else { return nil }
      let start = position
      var name = String(index)
      if isObject {
        skipValue()
        name = Self.name(bytes[start..<position])
        skipSpace()
        position += 1
        skipSpace()
      }
      if name == token { return start }
      skipValue()
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return nil }
      position += 1
      index += 1
    }
  }

  /// Moves past the value at the position.
  private mutating func skipValue() {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: continue
      default: skipScalar()
      }
      if depth == 0 { return }
    }
  }

  private mutating func skipString() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }

  private mutating func skipScalar() {
    while position < bytes.count, !isClosing(bytes[position]),
      bytes[position] != UInt8(ascii: ","), bytes[position] > 0x20
    {
      position += 1
    }
  }

  private mutating func skipSpace() {
    if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  private static func name(_ quoted: Slice<UnsafeRawBufferPointer>) -> String {
    if case .string(let name)? = try? JSONValue(parsing: Data(quoted)) { name } else { "" }
  }
}
