/// An XPath expression, its namespaces, and a pattern for the selected value.
public struct XPathPattern: Hashable, Sendable {
  /// The expression, XPath 1.0.
  public var expression: String
  /// Namespace URIs by the prefix that the expression uses.
  public var namespaces: [String: String]
  /// The pattern for the selected text; nil if it suffices that something is selected.
  public var value: ValuePattern?

  /// Makes an XPath pattern.
  public init(
    _ expression: String, namespaces: [String: String] = [:], value: ValuePattern? = nil
  ) {
    self.expression = expression
    self.namespaces = namespaces
    self.value = value
  }
}
