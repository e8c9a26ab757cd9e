/// What an expression selects or comes to.
package struct XPathResult: Hashable, Sendable {
  /// Whether something is selected; of an expression that is not a path, what `boolean()` says of it.
  package var isSomething: Bool
  /// The texts of the nodes that are selected in the order of the document, or the one that the expression comes to.
  package var texts: [String]
}
