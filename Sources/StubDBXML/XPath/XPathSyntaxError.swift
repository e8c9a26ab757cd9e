/// A text that is not an XPath expression, and where.
package struct XPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, as a phrase.
  package let message: String
  /// Where, in Unicode scalars from 0.
  package let offset: Int

  /// The phrase with its place.
  package var description: String { "\(message) at character \(offset + 1)" }
}
