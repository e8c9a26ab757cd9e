internal import HTTPTypes
package import StubDBJSON

/// Something that a request pattern asks for, to find the patterns that accept all that another one accepts without
/// comparing them with all.
///
/// A pattern that accepts all that another one accepts has no demand that the other one has not.
package enum StubDemand: Hashable, Sendable {
  case nothing
  case method(String)
  case value(RequestPart, ValuePattern)
  case named(RequestPart, NamedPattern)
  case body(BodyPattern)
  /// A content that is read with an operator.
  case content(String)
  case field(NamedPattern)
  case part(String)
  case operation(GraphQLPattern)
  /// A value at a place of a JSON content.
  case json([String], JSONValue)
  case state(flow: String, String)

  /// The demands of a pattern, its path aside.
  ///
  /// Without `looksIntoJSON` those of a JSON content that may have more than is expected are missing.
  package static func demands(
    of request: RequestPattern, looksIntoJSON: Bool = true
  ) -> [StubDemand] {
    var demands: [StubDemand] = []
    for part in RequestPart.all {
      switch part.demand(of: request) {
      // A stub with a subset of several methods demands none of them in particular.
      case .methods(let methods):
        if methods.count == 1 { demands.append(.method(methods[0].rawValue)) }
      case .value(let pattern): if let pattern { demands.append(.value(part, pattern)) }
      case .named(let patterns):
        demands += (part == .query ? named(patterns) : patterns).map { .named(part, $0) }
      case .bodies(let patterns):
        demands += patterns.flatMap { Self.demands(of: $0, looksIntoJSON) }
      case .other: break
      }
    }
    return demands
  }

  private static func named(_ patterns: [NamedPattern]) -> [NamedPattern] {
    patterns.flatMap { named in named.pattern.demands.map { NamedPattern(named.name, $0) } }
  }

  private static func demands(of body: BodyPattern, _ looksIntoJSON: Bool) -> [StubDemand] {
    switch body.operation {
    case let form as FormOperator:
      return [.content(FormOperator.name)] + named(form.fields).map(StubDemand.field)
    case let multipart as MultipartOperator:
      return [.content(MultipartOperator.name)]
        + multipart.parts.compactMap(\.name).map(StubDemand.part)
    case let graphQL as GraphQLPattern:
      return [
        .content(GraphQLPattern.name),
        .operation(GraphQLPattern(operationName: graphQL.operationName)),
        .operation(GraphQLPattern(variables: graphQL.variables)),
        .operation(GraphQLPattern(query: graphQL.query)),
      ].filter { $0 != .operation(GraphQLPattern()) }
    case let json as EqualToJSONOperator where looksIntoJSON:
      var members: [StubDemand] = [.content(EqualToJSONOperator.name)]
      addMembers(of: json.value, at: [], to: &members)
      return members + (json.ignoreExtraElements ? [] : [.body(body)])
    default: return [.body(body)]
    }
  }

  /// How many values of a JSON content are demands at most; of a larger one too few are found, and not too many.
  private static let maximumCount = 16

  private static func addMembers(
    of json: JSONValue, at path: [String], to demands: inout [StubDemand]
  ) {
    switch json {
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        guard demands.count < maximumCount else { return }
        addMembers(of: value, at: path + [name], to: &demands)
      }
    case .array: break
    case .null, .bool, .number, .string: demands.append(.json(path, json))
    }
  }
}
