/// An error in a template, found when it is parsed or when it is rendered.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A phrase that says what is wrong and what to write instead.
  package let message: String
  /// The place in the text of the template.
  package let place: TemplatePlace

  /// Makes an error for a problem that the caller found.
  package init(message: String, place: TemplatePlace) {
    self.message = message
    self.place = place
  }

  /// The message with its place.
  package var description: String { "\(message) (\(place))" }
}

/// A place in the text of a template.
package struct TemplatePlace: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The column in Unicode scalars, from 1.
  package let column: Int

  /// The start of a text.
  package static let start = TemplatePlace(0, in: [])

  /// The place of a byte offset in the text.
  init(_ offset: Int, in bytes: [UInt8]) {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.reduce(into: 1) { count, byte in
      if byte == UInt8(ascii: "\n") { count += 1 }
    }
    column =
      1
      + before[start...].reduce(into: 0) { count, byte in
        // Counts scalars: every byte except continuation bytes.
        if byte & 0xC0 != 0x80 { count += 1 }
      }
  }

  /// The place in words, such as `line 1, column 5`.
  package var description: String { "line \(line), column \(column)" }
}
