/// A pattern for one part of `multipart/form-data` content.
///
/// https://www.rfc-editor.org/rfc/rfc7578
public struct PartPattern: Hashable, Sendable {
  /// The name of the part; nil matches any.
  public var name: String?
  /// The pattern for the file name; nil matches any.
  public var filename: ValuePattern?
  /// The patterns for the part's header fields, sorted by name, ignoring case.
  public var headers: [NamedPattern]
  /// The patterns for the part's content, all of which must match.
  public var body: [BodyPattern]

  /// Makes a part pattern; header patterns are sorted by name.
  public init(
    name: String? = nil, filename: ValuePattern? = nil, headers: [NamedPattern] = [],
    body: [BodyPattern] = []
  ) {
    self.name = name
    self.filename = filename
    self.headers = NamedPattern.sortedIgnoringCase(headers)
    self.body = body
  }
}
