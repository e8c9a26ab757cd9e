package import Foundation
internal import StubDBJSON

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
    guard canonicalizer.run(), let first = canonicalizer.output.first else { return nil }
    return Result(
      text: Data(canonicalizer.output),
      isContainer: first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
  }

  /// A member of an object in the output.
  struct Member {
    /// The name in quotes, and the end of the value.
    var start: Int
    var nameEnd: Int
    var end = 0
  }

  private var scanner: JSONScanner
  var output: [UInt8] = []
  /// The members of all objects that are open, those of the innermost one last.
  var members: [Member] = []
  /// How many members there were when each open object began.
  private var firsts: [Int] = []
  /// Where a member stands while others take its place.
  var scratch: [UInt8] = []

  private init(_ bytes: UnsafeRawBufferPointer) {
    scanner = JSONScanner(bytes)
    output.reserveCapacity(bytes.count)
  }

  /// Writes the text; false if it is not JSON.
  private mutating func run() -> Bool {
    do throws(JSONSyntaxError) {
      while let token = try scanner.next() {
        guard write(token) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  /// Writes a token; false if it ends an object with a duplicate name.
  private mutating func write(_ token: JSONScanner.Token) -> Bool {
    switch token {
    case .beginObject:
      writeComma()
      output.append(UInt8(ascii: "{"))
      firsts.append(members.count)
    case .beginArray:
      writeComma()
      output.append(UInt8(ascii: "["))
    case .endArray: output.append(UInt8(ascii: "]"))
    case .endObject:
      endMember()
      let first = firsts.removeLast()
      guard sortMembers(from: first) else { return false }
      members.removeSubrange(first...)
      output.append(UInt8(ascii: "}"))
    case .name:
      endMember()
      writeComma()
      let start = output.count
      writeString()
      members.append(Member(start: start, nameEnd: output.count))
      output.append(UInt8(ascii: ":"))
    case .string:
      writeComma()
      writeString()
    case .number, .yes, .no, .null:
      writeComma()
      output.append(contentsOf: scanner.token)
    }
    return true
  }

  /// Separates what follows from the member or element before it, if there is one.
  private mutating func writeComma() {
    switch output.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
    default: output.append(UInt8(ascii: ","))
    }
  }

  /// Ends the last member of the innermost object, if it has one.
  private mutating func endMember() {
    guard let first = firsts.last, members.count > first else { return }
    members[members.count - 1].end = output.count
  }

  /// Copies a string, with no escapes but those that JSON requires.
  private mutating func writeString() {
    guard scanner.isEscaped else {
      output.append(contentsOf: scanner.token)
      return
    }
    var writer = JSONWriter(indent: nil)
    writer.write(scanner.text)
    output.append(contentsOf: writer.text.utf8)
  }
}
