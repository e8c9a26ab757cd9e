import StubDBJSON
import StubDBModel

/// A part of a request by whose exact value stubs can be indexed.
enum StubFacet: Hashable, Sendable {
  /// A part besides the content; header names are in lower case.
  case part(RequestPart, named: String = "")
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
    pattern.parts.lazy.compactMap { $0.keys(for: self) }.first
  }

  /// The values of a request; a pattern that is indexed under none of them does not match.
  func keys(of request: PreparedRequest) -> [String] {
    if case .part(let part, let name) = self { return part.keys(in: request, of: name) }
    return keys(of: request.body)
  }

  /// Whether the value is derived from the content.
  var isAboutBody: Bool { if case .part = self { false } else { true } }

  /// Whether the value contains the host.
  var isAboutOrigin: Bool { self == .part(.host) || self == .part(.url) }

  /// The facets for which a pattern requires one value, besides host and method.
  static func named(in pattern: CompiledRequest) -> [StubFacet] {
    pattern.parts.flatMap(\.facets)
  }

  /// The values of a content for the part.
  private func keys(of body: PreparedBody) -> [String] {
    switch self {
    case .text:
      if case .value(let text) = body.text { return [text] }
    case .form(let name):
      if case .value(let items) = body.form {
        return CompiledForm.values(of: name, in: items).values
      }
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
    case .part: break
    }
    return []
  }
}
