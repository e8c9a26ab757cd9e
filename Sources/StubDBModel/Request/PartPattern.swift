/// What one part of a `multipart/form-data` content must satisfy.
///
/// https://www.rfc-editor.org/rfc/rfc7578
public struct PartPattern: Hashable, Sendable {
  /// The name of the part; nil means any.
  public var name: String?
  /// What the file name must satisfy; nil means anything.
  public var filename: ValuePattern?
  /// What the part's header fields must satisfy, sorted by name without regard to case.
  public var headers: [NamedPattern]
  /// What the part's content must satisfy, all of it.
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
