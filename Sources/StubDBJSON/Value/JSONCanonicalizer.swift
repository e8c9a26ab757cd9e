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
  struct Member {
    /// The name in quotes, and the end of the value.
    var start: Int
    var nameEnd: Int
    var end = 0
  }

  let bytes: UnsafeRawBufferPointer
  var place: Int
  private var depth = 0
  private var isTooDeep = false
  var output: [UInt8] = []
  /// The members of all objects that are open, those of the innermost one last.
  var members: [Member] = []
  /// Where a member stands while others take its place.
  var scratch: [UInt8] = []

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
