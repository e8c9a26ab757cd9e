package import StubDBJSON
package import StubDBSupport

/// A rule that selects values to take out of scenarios.
package enum RedactionRule: Sendable {
  /// The values of a header field; credentials without their scheme, cookies without their names.
  case header(String)
  /// The values of a query parameter, in every URL.
  case query(String)
  /// The values of a cookie, in requests and in `Set-Cookie`.
  case cookie(String)
  /// All values below a place in JSON content.
  case jsonPointer(JSONPointer)
  /// The results of a query in JSON content.
  case jsonPath(JSONPath)
  /// The matches of a regular expression in any text; if it has groups, the first group that took part.
  case regex(BoundedRegex)

  /// The expression or query as written; empty for a name.
  var text: String {
    switch self {
    case .header(let name), .query(let name), .cookie(let name): name
    case .jsonPointer(let pointer): pointer.description
    case .jsonPath(let path): path.description
    case .regex(let regex): regex.pattern
    }
  }
}

/// Reports that a rule took too long on a text.
package struct RedactionTimeout: Error, Hashable {
  /// The regular expression or JSONPath.
  package let rule: String
  /// The place of the text.
  package let place: SecretPlace
}

/// The limit on the work of all rules in all texts together.
///
/// It grows with the text that is read, so that no reasonable expression exceeds it, however large the catalog.
struct RedactionBudget {
  /// Values that queries may visit; a step of a regular expression costs ``BoundedRegex/stepCost`` of them.
  private var visits = 20_000 * BoundedRegex.stepCost

  /// The matches of the expression; nil if it takes too long.
  mutating func values(of regex: BoundedRegex, in text: String) -> [Substring]? {
    visits += text.utf8.count / 50 * BoundedRegex.stepCost
    guard visits >= BoundedRegex.stepCost else { return nil }
    let (values, taken) = regex.values(in: text, steps: visits / BoundedRegex.stepCost)
    visits -= taken * BoundedRegex.stepCost
    return values
  }

  /// The results of the query; nil if it takes too long.
  mutating func values(of path: JSONPath, in content: JSONValue) -> [LocatedJSON]? {
    visits += content.visitAllowance
    return path.locatedValues(in: content, visiting: &visits)
  }
}

extension JSONValue {
  /// The number of values in it, times the number of steps of a plain query.
  fileprivate var visitAllowance: Int {
    switch self {
    case .null, .bool, .number, .string: 8
    case .array(let elements): elements.reduce(8) { $0 + $1.visitAllowance }
    case .object(let members): members.values.reduce(8) { $0 + $1.visitAllowance }
    }
  }
}
