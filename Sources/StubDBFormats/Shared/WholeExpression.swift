/// Expressions that tools look for anywhere in a value; stubs match the whole value.
enum WholeExpression {
  /// The expression for the whole value.
  static func text(_ expression: String, ignoresCase: Bool = false) -> String {
    let flags = ignoresCase ? "(?i)" : ""
    let isAnchored =
      expression.hasPrefix("^") && expression.hasSuffix("$") && !expression.hasSuffix("\\$")
      && !expression.contains("|") && expression.count > 1
    if isAnchored { return flags + expression.dropFirst().dropLast() }
    return "(?s)\(flags).*(?:\(expression)).*"
  }
}
