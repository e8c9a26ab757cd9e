/// The value of an expression.
package struct XPathResult: Hashable, Sendable {
  /// Whether something is selected; for a value other than a node set, its Boolean value.
  package var isSomething: Bool
  /// The string values of the selected nodes in document order, or the string value of another result.
  package var texts: [String]
}
