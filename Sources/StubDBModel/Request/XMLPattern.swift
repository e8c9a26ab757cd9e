/// An XML document to compare with, and the options of the comparison.
public struct XMLPattern: Hashable, Sendable {
  /// The document.
  public var document: String
  /// Whether `${xmlunit.…}` placeholders in the document are honoured; false by default.
  public var enablePlaceholders: Bool
  /// Whether elements of one name may be in any order; false by default.
  public var ignoreOrderOfSameNode: Bool

  /// Makes an XML pattern.
  public init(
    _ document: String, enablePlaceholders: Bool = false, ignoreOrderOfSameNode: Bool = false
  ) {
    self.document = document
    self.enablePlaceholders = enablePlaceholders
    self.ignoreOrderOfSameNode = ignoreOrderOfSameNode
  }
}
