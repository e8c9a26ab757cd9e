public import StubDBJSON
public import StubDBSupport

/// A pattern for a GraphQL request; every part that is given must match.
///
/// https://graphql.org/learn/serving-over-http/
public struct GraphQLPattern: Hashable, Sendable {
  /// The pattern for the operation's name; nil matches any.
  public var operationName: ValuePattern?
  /// The variables, compared as JSON; nil matches any.
  public var variables: JSONValue?
  /// The query, compared without insignificant white space; nil matches any.
  @ByBytes public var query: String?

  /// Makes a GraphQL pattern.
  public init(
    operationName: ValuePattern? = nil, variables: JSONValue? = nil, query: String? = nil
  ) {
    self.operationName = operationName
    self.variables = variables
    self.query = query
  }
}

extension GraphQLPattern: BodyOperator {
  package static let name = "graphql"
  package static let operand = BodyOperand.object

  package static func read(
    _ operand: DocumentNode, in object: DocumentNode, _ members: JSONObject
  ) throws(DocumentError) -> BodyPattern {
    let object = try operand.object(.graphQL)
    return .graphQL(
      GraphQLPattern(
        operationName: try object["operationName"]?.valuePattern(),
        variables: object["variables"]?.value,
        query: try object["query"]?.filledString("the query")))
  }

  package func phrase(_ style: PhraseStyle) -> String {
    style.noun("GraphQL") + (operationName.map { " operation \($0.phrase(style.ofNouns))" } ?? "")
      + (variables.map { " variables \(style.text($0))" } ?? "")
      + (query.map { " query \(style.quoted($0))" } ?? "")
  }
}

extension BodyPattern {
  /// A GraphQL operation.
  public static func graphQL(_ operation: GraphQLPattern) -> BodyPattern {
    BodyPattern(operation)
  }
}
