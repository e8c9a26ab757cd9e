import StubDBJSON
import StubDBModel

/// A part of a request by whose exact value stubs can be keyed.
enum StubFacet: Hashable, Sendable {
  case host
  case method
  case query(String)
  /// The name is in lower case.
  case header(String)
  /// The content as text.
  case text
  /// The field of a form.
  case form(String)
  /// The name of a GraphQL operation.
  case operation
  /// A scalar in a JSON content, by the names that lead to it.
  case member([String])
  /// What a query selects in a JSON content.
  case path(JSONPath)
  /// The whole of a JSON content.
  case json

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
    case .text, .form, .operation, .member, .path, .json:
      return bodyKey(of: pattern.body).map { [$0] }
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
    case .text, .form, .operation, .member, .path, .json:
      return bodyKeys(of: request.body)
    }
  }

  /// Whether the content has to be read to tell the value.
  var isAboutBody: Bool {
    switch self {
    case .host, .method, .query, .header: false
    case .text, .form, .operation, .member, .path, .json: true
    }
  }

  /// The parts that a pattern wants to have one value, besides host and method.
  static func named(in pattern: borrowing RequestPattern) -> [StubFacet] {
    pattern.query.filter { literal($0.pattern) != nil }.map { .query($0.name) }
      + pattern.headers.filter { literal($0.pattern) != nil }
      .map { .header($0.name.lowercased()) }
      + bodyFacets(of: pattern.body)
  }

  private static func key(of named: NamedPattern?) -> [String]? {
    named.flatMap { literal($0.pattern) }.map { [$0] }
  }

  /// The only text that satisfies the pattern; nil where there may be others.
  static func literal(_ pattern: ValuePattern) -> String? {
    if case .equalTo(let text, caseInsensitive: false) = pattern { text } else { nil }
  }
}
