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
  /// Whether the text nests too deep.
  var isAboutDepth = false
}
