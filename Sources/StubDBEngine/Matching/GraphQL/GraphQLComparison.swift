import StubDBJSON
import StubDBModel

/// Compares the JSON of a GraphQL request with a pattern.
///
/// https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
struct GraphQLComparison {
  private static let noVariables = JSONValue.object([:])

  private let pattern: GraphQLPattern
  private let members: [String: JSONValue]?
  private let matching: BodyMatching
  private let context: MatchContext

  init(
    _ pattern: GraphQLPattern, _ body: JSONValue, _ matching: BodyMatching, _ context: MatchContext
  ) {
    self.pattern = pattern
    self.matching = matching
    self.context = context
    members = if case .object(let members) = body { members } else { nil }
  }

  /// Whether the content is a GraphQL request at all, and every part of the pattern matches; nil where it cannot be told.
  var isMatch: Bool? {
    guard isRequest else { return false }
    return ValueMatching.all([operationNameMatches, variablesMatch, queryMatches]) { $0 }
  }

  /// Whether the content is an object that holds a query, or names an operation that the server knows.
  var isRequest: Bool {
    guard let members else { return false }
    return ["query", "operationName", "extensions"].contains { members[$0] != nil }
  }

  /// The operation's name; nil where there is none.
  var operationName: String? {
    if case .string(let name) = members?["operationName"] { name } else { nil }
  }

  var operationNameMatches: Bool? {
    pattern.operationName.map {
      matching.values.matches(operationName, $0, in: context)
    } ?? true
  }

  /// The variables; without any an empty object.
  var variables: JSONValue {
    switch members?["variables"] {
    case nil, .null: Self.noVariables
    case let variables?: variables
    }
  }

  var variablesMatch: Bool? {
    guard let expected = pattern.variables else { return true }
    return matching.isEqual(expected == .null ? Self.noVariables : expected, variables, context)
  }

  /// The query as it came; nil where there is none.
  var query: String? {
    if case .string(let query) = members?["query"] { query } else { nil }
  }

  var queryMatches: Bool? {
    guard let expected = pattern.query else { return true }
    guard let query, let actual = try? GraphQLTokens(query) else { return false }
    return matching.values.operands.queries[expected] == actual
  }
}
