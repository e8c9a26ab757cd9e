/// An error in text that is not an XPath expression, with its place.
package struct XPathSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A phrase that says what is wrong.
  package let message: String
  /// The offset in Unicode scalars, from 0.
  package let offset: Int

  /// The message with its place.
  package var description: String { "\(message) at character \(offset + 1)" }
}
