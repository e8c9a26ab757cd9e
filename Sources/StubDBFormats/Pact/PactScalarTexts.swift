internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The rules of expressions for numbers and other scalars, which Pact compares as texts.
///
/// A schema has expressions for strings only, so each of these rules is a pattern of its own beside the schema.
struct PactScalarTexts {
  let rules: PactRules

  /// The patterns of the content, one for each such rule.
  ///
  /// - Throws: ``Untranslatable`` for a rule that is one of several of which any may hold.
  func patterns(of example: JSONValue) throws -> [BodyPattern] {
    try patterns(of: example, at: [], query: "$")
  }

  private func patterns(
    of example: JSONValue, at path: [String], query: String
  ) throws -> [BodyPattern] {
    switch example {
    case .object(let members):
      return try members.sorted { $0.key < $1.key }.flatMap { name, value in
        try patterns(of: value, at: path + [name], query: query + "['\(Self.escaped(name))']")
      }
    case .array(let elements):
      // The first element represents all where a schema has one for all of them.
      let isEach = rules.concerns(path + ["*"]) || rules[path].rules.contains(where: \.isStructural)
      guard isEach else {
        return try elements.enumerated().flatMap { place, value in
          try patterns(of: value, at: path + [String(place)], query: "\(query)[\(place)]")
        }
      }
      return try elements.first.map {
        try patterns(of: $0, at: path + ["0"], query: query + "[*]")
      } ?? []
    case .string: return []
    case .null, .bool, .number: return try patterns(at: path, query: query)
    }
  }

  private func patterns(at path: [String], query: String) throws -> [BodyPattern] {
    let group = rules[path]
    return try group.rules.compactMap { rule in
      guard rule.kind == .regex, case .string(let expression)? = rule.arguments["regex"] else {
        return nil
      }
      guard !group.isAny || group.rules.count == 1 else {
        throw Untranslatable("a matching rule regex of a number", "others may hold in its place")
      }
      // No value that is there may differ, of however many.
      let other = ValuePattern.and([
        .contains(""), .doesNotMatch(PactExpression.unanchored(expression)),
      ])
      return .not(.matchesJSONPath(query, .value(other)))
    }
  }

  private static func escaped(_ name: String) -> String {
    name.replacingScalar("\\", with: "\\\\").replacingScalar("'", with: "\\'")
  }
}
