/// A place where a document is not as expected.
package struct XMLDifference: Hashable, Sendable {
  /// The path of the place, in the expected document where the other one lacks it.
  package var path: String
  /// What was expected there, for people; nil for nothing.
  package var expected: String?
  /// What is there, for people; nil for nothing.
  package var actual: String?
}
