import StubDBJSON
import StubDBModel

/// A part of a request by whose exact value stubs can be indexed.
enum StubFacet: Hashable, Sendable {
  case host
  case method
  /// The whole URL.
  case url
  case query(String)
  /// The name is in lower case.
  case header(String)
  /// The content as text.
  case text
  /// A field of a form.
  case form(String)
  /// The name of a GraphQL operation.
  case operation
  /// A scalar in JSON content, by the names of the members that lead to it.
  case member([String])
  /// The result of a query in JSON content.
  case path(CompiledQuery<JSONPath>)
  /// JSON content as a whole.
  case json

  /// The values under which a pattern is indexed; nil if it must be compared for all values.
  func keys(of pattern: CompiledRequest) -> [String]? {
    switch self {
    case .host:
      return pattern.host?.value.literal.map { [$0] }
    case .method:
      return pattern.methods.isEmpty ? nil : pattern.methods
    case .url:
      return pattern.url?.value.literal.map { [$0] }
    default:
      return pattern.conditions.lazy.compactMap { $0.key(for: self) }.first.map { [$0] }
    }
  }

  /// The values of a request; a pattern that is indexed under none of them does not match.
  func keys(of request: PreparedRequest) -> [String] {
    switch self {
    case .host:
      return request.host.map { [$0] } ?? []
    case .method:
      return request.methods
    case .url:
      return [request.url]
    case .query(let name):
      return request.values(ofQuery: name).values
    case .header(let name):
      let lines = request.values(ofHeader: name).values
      return FieldValues.joined(lines).map { lines + [$0] } ?? lines
    case .text, .form, .operation, .member, .path, .json:
      return keys(of: request.body)
    }
  }

  /// Whether the value is derived from the content.
  var isAboutBody: Bool {
    switch self {
    case .host, .method, .url, .query, .header: false
    case .text, .form, .operation, .member, .path, .json: true
    }
  }

  /// The parts for which a pattern requires one value, besides host and method.
  static func named(in pattern: CompiledRequest) -> [StubFacet] {
    (pattern.url?.value.literal == nil ? [] : [.url]) + pattern.conditions.flatMap(\.facets)
  }

  /// The values of a content for the part.
  private func keys(of body: PreparedBody) -> [String] {
    switch self {
    case .text:
      if case .value(let text) = body.text { return [text] }
    case .form(let name):
      if case .value(let items) = body.form { return Form.values(of: name, in: items).values }
    case .operation:
      if case .value(.object(let members)) = body.graphQL,
        case .string(let name)? = members["operationName"]
      {
        return [name]
      }
    case .member(let path):
      // For a request with JSON content, the result is the same.
      if case .value(let value) = body.graphQL {
        return EqualToJSON.key(of: .plain(value), at: path[...]).map { [$0] } ?? []
      }
    case .path(let path):
      if case .value(let selection) = body.selection(of: path) { return selection.scalarTexts }
    case .json:
      return body.fingerprint.map { [String($0)] } ?? []
    case .host, .method, .url, .query, .header: break
    }
    return []
  }
}

extension CompiledRequest.Condition {
  /// The parts of a request for which the condition requires one value.
  fileprivate var facets: [StubFacet] {
    switch self {
    case .query(let named): named.value.literal == nil ? [] : [.query(named.name)]
    case .header(let named):
      named.value.literal == nil ? [] : [.header(named.name.lowercased())]
    case .body(let body): body.facets
    case .pathParameter, .exactQuery, .cookie, .captured, .credentials: []
    }
  }

  /// The value that the condition requires; nil if it accepts several.
  fileprivate func key(for facet: StubFacet) -> String? {
    switch (self, facet) {
    case (.query(let named), .query(let name)):
      ByteText.isEqual(named.name, name) ? named.value.literal : nil
    case (.header(let named), .header(let name)):
      ByteText.isSameName(named.name, name) ? named.value.literal : nil
    case (.body(let body), _): body.key(for: facet)
    default: nil
    }
  }
}
