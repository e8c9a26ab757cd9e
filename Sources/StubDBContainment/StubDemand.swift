internal import HTTPTypes
package import StubDBJSON
package import StubDBModel

/// Something that a request pattern asks for, to find the patterns that accept all that another one accepts without
/// comparing them with all.
///
/// A pattern that accepts all that another one accepts has no demand that the other one has not: it is filed under one of
/// ``few(of:)``, and found by one of ``all(of:)`` of the other one.
package enum StubDemand: Hashable, Sendable {
  case nothing
  case method(String)
  case value(RequestPart, ValuePattern)
  case named(RequestPart, NamedPattern)
  /// A value, whatever it is.
  case name(RequestPart, String)
  case body(BodyPattern)
  /// A content that is read with an operator.
  case content(String)
  case part(String)
  case operation(GraphQLPattern)
  /// A value at a place of a JSON content; the place is a hash, so that deep places take no more time than others.
  case json(place: Int, JSONValue)
  /// The tags of an XML content.
  case tags(String)
  case state(flow: String, String)

  /// How many values of a JSON content a pattern is filed under at most.
  private static let maximumFiledCount = 16

  /// All demands of a pattern, its path aside; as many as it has values.
  package static func all(of request: RequestPattern) -> [StubDemand] {
    demands(of: request, maximumValueCount: .max)
  }

  /// The demands of a pattern without those of most values of a large content.
  package static func few(of request: RequestPattern) -> [StubDemand] {
    demands(of: request, maximumValueCount: maximumFiledCount)
  }

  private static func demands(
    of request: RequestPattern, maximumValueCount: Int
  ) -> [StubDemand] {
    var demands: [StubDemand] = []
    for part in RequestPart.all where part != .path {
      switch part.demand(of: request) {
      // A stub with a subset of several methods demands none of them in particular.
      case .methods(let methods):
        if methods.count == 1 { demands.append(.method(methods[0].rawValue)) }
      case .value(let pattern): if let pattern { demands.append(.value(part, pattern)) }
      case .named(let patterns): demands += named(patterns, part)
      case .bodies(let patterns):
        demands += patterns.flatMap { Self.demands(of: $0, maximumValueCount) }
      case .other: break
      }
    }
    return demands
  }

  /// What is asked of names; what may have any value is no demand but that there is one.
  private static func named(_ patterns: [NamedPattern], _ part: RequestPart) -> [StubDemand] {
    patterns.flatMap { named -> [StubDemand] in
      // Other parts than these need one with the same pattern.
      let isQuery = part == .query || part == .body
      let demands = isQuery ? named.pattern.demands : [named.pattern]
      guard !demands.isEmpty else { return [] }
      let fixed = demands.filter { demand in
        // Values of a query may be listed in any order.
        !demand.isFree
          && (!isQuery || demand.operator != .hasExactly || demand.patterns.isEmpty)
      }
      return [.name(part, named.name)] + fixed.map { .named(part, NamedPattern(named.name, $0)) }
    }
  }

  private static func demands(of body: BodyPattern, _ maximumValueCount: Int) -> [StubDemand] {
    switch body.storage {
    case .and(let patterns): return patterns.flatMap { Self.demands(of: $0, maximumValueCount) }
    case .value(let value): return [.content("")] + (value.isFree ? [] : [.body(body)])
    case .or, .not, .operation: break
    }
    switch body.operation {
    case let form as FormOperator:
      return [.content(FormOperator.name)] + named(form.fields, .body)
    case let multipart as MultipartOperator:
      return [.content(MultipartOperator.name)]
        + multipart.parts.compactMap(\.name).map(StubDemand.part)
    case let graphQL as GraphQLPattern:
      let name = graphQL.operationName.flatMap { $0.isFree ? nil : $0 }
      return [
        .content(GraphQLPattern.name),
        .operation(GraphQLPattern(operationName: name)),
        .operation(GraphQLPattern(variables: graphQL.isFree ? nil : graphQL.variables)),
        .operation(GraphQLPattern(query: graphQL.query)),
      ].filter { $0 != .operation(GraphQLPattern()) }
    case let json as EqualToJSONOperator:
      var members = MemberDemands(maximumCount: maximumValueCount)
      members.add(json.value, at: 0)
      let isOpen =
        json.ignoreExtraElements || json.ignoreArrayOrder || json.value.holdsPlaceholder
      return [.content(EqualToJSONOperator.name)] + members.list + (isOpen ? [] : [.body(body)])
    case let xml as XMLPattern:
      return [.content(XMLPattern.name), .tags(xml.tags)] + (xml.isFree ? [] : [.body(body)])
    default: return [.body(body)]
    }
  }
}

/// The demands of a JSON content that are values of members.
private struct MemberDemands {
  let maximumCount: Int
  private(set) var list: [StubDemand] = []

  mutating func add(_ json: JSONValue, at place: Int) {
    guard list.count < maximumCount else { return }
    switch json {
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        var hasher = Hasher()
        hasher.combine(place)
        hasher.combine(name)
        add(value, at: hasher.finalize())
      }
    case .array: break
    case .null, .bool, .number, .string:
      if !json.holdsPlaceholder { list.append(.json(place: place, json)) }
    }
  }
}
