public import HTTPTypes
public import StubDBSupport

/// A value that a run keeps when a stub answers, for later requests and for templates.
public struct Capture: Hashable, Sendable {
  /// The source of the value.
  public struct Source: Hashable, Sendable {
    /// The raw value is the key in a document.
    package enum Kind: String, Sendable, CaseIterable {
      case jsonPath
      case pathParameter
      case query
      case header
      case cookie
      case template
      case nothing
    }

    package let kind: Kind
    /// The query, name or template as written in the document; empty for nothing.
    package let text: ByteText

    package init(_ kind: Kind, _ text: String = "") {
      (self.kind, self.text) = (kind, ByteText(text))
    }

    /// The result of a JSONPath query in the request's body: one value as is, several as a list.
    public static func jsonPath(_ query: String) -> Source { Source(.jsonPath, query) }

    /// A placeholder of the path, decoded.
    public static func pathParameter(_ name: String) -> Source { Source(.pathParameter, name) }

    /// The first query parameter with the name, decoded.
    public static func query(_ name: String) -> Source { Source(.query, name) }

    /// A header field.
    public static func header(_ name: HTTPField.Name) -> Source { Source(.header, name.rawName) }

    /// A cookie.
    public static func cookie(_ name: String) -> Source { Source(.cookie, name) }

    /// The text of a template, or its value if it is a single `{{json …}}`.
    public static func template(_ text: String) -> Source { Source(.template, text) }

    /// Nothing: the value that was kept under the name is removed.
    public static let nothing = Source(.nothing)
  }

  /// The name under which the value is kept; may be a template, such as `orders/{{request.path.id}}`.
  @ByBytes public var name: String
  /// The source of the value; if the request does not have it, the kept value stays.
  public var source: Source

  /// Makes a capture.
  public init(_ name: String, _ source: Source) {
    self.name = name
    self.source = source
  }

  package static func sorted(_ captures: [Capture]) -> [Capture] {
    captures.count < 2 ? captures : captures.sorted { $0.name.precedesByBytes($1.name) }
  }
}
