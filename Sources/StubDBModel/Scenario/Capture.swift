/// A value that a run keeps when a stub answers, for later requests and for templates.
public struct Capture: Hashable, Sendable {
  /// Where the value comes from.
  public enum Source: Hashable, Sendable {
    /// What a JSONPath query selects in the request's body: one value as it is, several as a list.
    case jsonPath(String)
    /// A placeholder of the path, decoded.
    case pathParameter(String)
    /// The first query parameter of the name, decoded.
    case query(String)
    /// A header field.
    case header(String)
    /// A cookie.
    case cookie(String)
    /// The text of a template; where that is nothing but one `{{json …}}`, its value.
    case template(String)
    /// Nothing: what was kept under the name is forgotten.
    case nothing
  }

  /// The name under which the value is kept; may be a template, such as `orders/{{request.path.id}}`.
  public var name: String
  /// Where the value comes from; a request that does not have it leaves what was kept before.
  public var source: Source

  /// Makes a capture.
  public init(_ name: String, _ source: Source) {
    self.name = name
    self.source = source
  }

  package static func sorted(_ captures: [Capture]) -> [Capture] {
    captures.count < 2
      ? captures
      : captures.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
