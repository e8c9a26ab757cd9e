public import StubDBJSON

/// A pattern for a GraphQL request; every part that is given must match.
///
/// https://graphql.org/learn/serving-over-http/
public struct GraphQLPattern: Hashable, Sendable {
  /// The pattern for the operation's name; nil matches any.
  public var operationName: ValuePattern?
  /// The variables, compared as JSON; nil matches any.
  public var variables: JSONValue?
  /// The query, compared without insignificant white space; nil matches any.
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
