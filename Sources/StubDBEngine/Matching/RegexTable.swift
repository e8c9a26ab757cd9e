/// The regular expressions of a scenario, each compiled once.
struct RegexTable: Sendable {
  private var expressions: [String: WholeValueRegex] = [:]

  /// Compiles the expression unless it is there; false where it is not an expression.
  mutating func add(_ pattern: String) -> Bool {
    if expressions[pattern] != nil { return true }
    guard let expression = WholeValueRegex(pattern) else { return false }
    expressions[pattern] = expression
    return true
  }

  subscript(pattern: String) -> WholeValueRegex? { expressions[pattern] }
}
