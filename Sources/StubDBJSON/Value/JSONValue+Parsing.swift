package import Foundation

extension JSONValue {
  /// How deep arrays and objects may nest.
  package static let maximumDepth = 512

  /// How many values the content of a request may have, arrays and objects included.
  ///
  /// A value takes ten times the bytes of its text and more, so that a limit of bytes does not bound its memory.
  package static let maximumContentValues = 1_000_000

  /// How many values a document may have: a scenario, or another tool's file.
  package static let maximumDocumentValues = 50_000_000

  /// The depth up to which they are traversed on the caller's stack.
  package static let shallowDepth = 64

  /// Parses JSON text strictly by RFC 8259, and rejects an object with a duplicate name.
  package init(
    parsing text: Data, maximumValues: Int = maximumDocumentValues
  ) throws(JSONSyntaxError) {
    self = try Self.parse(text, maximumValues: maximumValues).value
  }

  /// Does the same, and returns whether the value is deeper than ``shallowDepth``, so that traversing it needs a
  /// ``LargeStack``.
  package static func parse(
    _ text: Data, maximumValues: Int
  ) throws(JSONSyntaxError) -> (value: JSONValue, isDeep: Bool) {
    let result = text.withUnsafeBytes {
      bytes -> Result<(value: JSONValue, isDeep: Bool), JSONSyntaxError> in
      var parser = JSONParser(bytes, maximumValues: maximumValues)
      do throws(JSONSyntaxError) {
        let value = try parser.parse()
        return .success((value, parser.depth > shallowDepth))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Parses JSON text strictly by RFC 8259, and rejects an object with a duplicate name.
  package init(
    parsing text: String, maximumValues: Int = maximumDocumentValues
  ) throws(JSONSyntaxError) {
    try self.init(parsing: Data(text.utf8), maximumValues: maximumValues)
  }
}

/// An error in text that is not JSON, with its place.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// A phrase that says what is wrong, such as `expected ',' or '}'`.
  package var message: String
  /// The line, from 1.
  package var line: Int
  /// The column in bytes, from 1.
  package var column: Int
  /// The innermost value that was being parsed.
  package var pointer: JSONPointer
}
