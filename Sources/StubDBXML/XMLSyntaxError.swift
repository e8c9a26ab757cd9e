/// An error in text that is not well-formed XML, with its place.
package struct XMLSyntaxError: Error, Hashable, Sendable {
  /// A phrase that says what is wrong.
  package let message: String
  /// The line, from 1.
  package let line: Int
  /// The column in bytes, from 1.
  package let column: Int
}
