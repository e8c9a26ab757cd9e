/// Text that is not JSON, and where.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// What is wrong, as a phrase: `expected ',' or '}'`.
  package var message: String
  /// The line, from 1.
  package var line: Int
  /// The column in bytes, from 1.
  package var column: Int
  /// The innermost value that was being read.
  package var pointer: JSONPointer
  /// Whether the text nests deeper than was allowed.
  var isAboutDepth = false
}
