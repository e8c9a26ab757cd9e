/// An XPath expression, its namespaces, and what the selected value must satisfy.
public struct XPathPattern: Hashable, Sendable {
  /// The expression, XPath 1.0.
  public var expression: String
  /// Namespace URIs by the prefix that the expression uses.
  public var namespaces: [String: String]
  /// What the selected text must satisfy; nil means that something must be selected.
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
