public import StubDBJSON

/// What a GraphQL request must satisfy; every part that is given must match.
///
/// https://graphql.org/learn/serving-over-http/
public struct GraphQLPattern: Hashable, Sendable {
  /// What the operation's name must satisfy; nil means anything.
  public var operationName: ValuePattern?
  /// The variables, compared as JSON; nil means any.
  public var variables: JSONValue?
  /// The query, compared without regard to insignificant white space; nil means any.
  public var query: String?

  /// Makes a GraphQL pattern.
  public init(
    operationName: ValuePattern? = nil, variables: JSONValue? = nil, query: String? = nil
  ) {
    self.operationName = operationName
    self.variables = variables
    self.query = query
  }
}
