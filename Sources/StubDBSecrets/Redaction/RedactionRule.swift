package import StubDBJSONPath
package import StubDBModel

/// What is to be taken out of scenarios.
package enum RedactionRule: Sendable {
  /// The values of a header field; of credentials without their scheme, of cookies without names.
  case header(String)
  /// The values of a query parameter, wherever a URL stands.
  case query(String)
  /// The values of a cookie, in requests and in `Set-Cookie`.
  case cookie(String)
  /// What lies at a place in JSON content; every value in it.
  case jsonPointer(JSONPointer)
  /// What a query selects in JSON content.
  case jsonPath(JSONPath)
  /// What a regular expression matches in any text; of its groups the first that took part, if it has some.
  case regex(BoundedRegex)

  /// The expression or query as it was written; empty for a name.
  var text: String {
    switch self {
    case .header(let name), .query(let name), .cookie(let name): name
    case .jsonPointer(let pointer): pointer.description
    case .jsonPath(let path): path.description
    case .regex(let regex): regex.pattern
    }
  }
}

/// A rule that took too long on a text, and where that is.
package struct RedactionTimeout: Error, Hashable {
  /// The regular expression, or the JSONPath.
  package let rule: String
  /// Where it was given up.
  package let place: SecretPlace
}

/// How much work the rules may do, in all texts together.
///
/// Grows with what is read, so that no honest expression meets it, however large a catalog is.
struct RedactionBudget {
  /// Reports of progress of the regular expression engine, a tenth of a millisecond each.
  private var steps = 20_000
  /// Values that a query visits.
  private var visits = 2_000_000

  /// What the expression selects; nil if it takes too long.
  mutating func values(of regex: BoundedRegex, in text: String) -> [Substring]? {
    steps += text.utf8.count / 50
    guard steps > 0 else { return nil }
    let (values, taken) = regex.values(in: text, steps: steps)
    steps -= taken
    return values
  }

  /// What the query selects; nil if it takes too long.
  mutating func values(of path: JSONPath, in content: LocatedValue) -> [LocatedValue]? {
    visits += content.value.visitAllowance
    return path.values(in: content, visiting: &visits)
  }
}

extension JSONValue {
  /// How many values there are in it, times the number of steps that a plain query takes.
  fileprivate var visitAllowance: Int {
    switch self {
    case .null, .bool, .number, .string: 8
    case .array(let elements): elements.reduce(8) { $0 + $1.visitAllowance }
    case .object(let members): members.values.reduce(8) { $0 + $1.visitAllowance }
    }
  }
}
