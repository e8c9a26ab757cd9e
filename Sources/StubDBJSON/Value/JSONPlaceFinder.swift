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
      var scanner = JSONScanner(bytes)
      return try? offset(of: pointer, with: &scanner)
    }
  }

  private static func offset(
    of pointer: JSONPointer, with scanner: inout JSONScanner
  ) throws(JSONSyntaxError) -> Int? {
    var token = try scanner.next()
    var place = scanner.start
    for wanted in pointer.tokens {
      guard token == .beginObject || token == .beginArray else { return nil }
      let depth = scanner.depth
      var index = 0
      while true {
        token = try scanner.next()
        guard token != .endObject, token != .endArray else { return nil }
        place = scanner.start
        var name = String(index)
        if token == .name {
          name = scanner.text
          token = try scanner.next()
        }
        if name == wanted { break }
        while scanner.depth > depth { _ = try scanner.next() }
        index += 1
      }
    }
    return place
  }
}
