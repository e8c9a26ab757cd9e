/// Text that is not XML, and where.
package struct XMLSyntaxError: Error, Hashable, Sendable {
  /// What is wrong, as a phrase.
  package let message: String
  /// The line, from 1.
  package let line: Int
  /// The column in bytes, from 1.
  package let column: Int
}
