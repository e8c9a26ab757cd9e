/// A value that a run keeps when a stub answers, for later requests and for templates.
public struct Capture: Hashable, Sendable {
  /// The source of the value.
  public enum Source: Hashable, Sendable {
    /// The result of a JSONPath query in the request's body: one value as is, several as a list.
    case jsonPath(String)
    /// A placeholder of the path, decoded.
    case pathParameter(String)
    /// The first query parameter with the name, decoded.
    case query(String)
    /// A header field.
    case header(String)
    /// A cookie.
    case cookie(String)
    /// The text of a template, or its value if it is a single `{{json …}}`.
    case template(String)
    /// Nothing: the value that was kept under the name is removed.
    case nothing
  }

  /// The name under which the value is kept; may be a template, such as `orders/{{request.path.id}}`.
  public var name: String
  /// The source of the value; if the request does not have it, the kept value stays.
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
