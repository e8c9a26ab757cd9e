import StubDBModel

/// A part of a request by whose exact value stubs can be keyed.
enum StubFacet: Hashable, Sendable {
  case host
  case method
  case query(String)
  /// The name is in lower case.
  case header(String)

  /// The values under which a pattern is found; nil if it has to be looked at for any value.
  func keys(of pattern: borrowing RequestPattern) -> [String]? {
    switch self {
    case .host:
      return pattern.host.flatMap(Self.literal).map { [$0] }
    case .method:
      return pattern.methods.isEmpty ? nil : pattern.methods
    case .query(let name):
      return Self.key(of: pattern.query.first { ByteText.isEqual($0.name, name) })
    case .header(let name):
      return Self.key(of: pattern.headers.first { ByteText.isSameName($0.name, name) })
    }
  }

  /// The values that a request has; a pattern keyed by none of them does not match.
  func keys(of request: PreparedRequest) -> [String] {
    switch self {
    case .host:
      return request.host.map { [$0] } ?? []
    case .method:
      return request.methods
    case .query(let name):
      return request.values(ofQuery: name).values
    case .header(let name):
      let lines = request.values(ofHeader: name).values
      return FieldValues.joined(lines).map { lines + [$0] } ?? lines
    }
  }

  /// The names of query parameters and header fields that a pattern wants to have one value.
  static func named(in pattern: borrowing RequestPattern) -> [StubFacet] {
    pattern.query.filter { literal($0.pattern) != nil }.map { .query($0.name) }
      + pattern.headers.filter { literal($0.pattern) != nil }
      .map { .header($0.name.lowercased()) }
  }

  private static func key(of named: NamedPattern?) -> [String]? {
    named.flatMap { literal($0.pattern) }.map { [$0] }
  }

  /// The only text that satisfies the pattern; nil where there may be others.
  private static func literal(_ pattern: ValuePattern) -> String? {
    if case .equalTo(let text, caseInsensitive: false) = pattern { text } else { nil }
  }
}
