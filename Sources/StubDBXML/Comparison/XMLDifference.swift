/// A place where a document differs from what is expected.
package struct XMLDifference: Hashable, Sendable {
  /// The path of the place; in the expected document if the actual one lacks it.
  package var path: String
  /// A description of the expected content; nil if nothing is expected.
  package var expected: String?
  /// A description of the actual content; nil if there is no content.
  package var actual: String?
}
