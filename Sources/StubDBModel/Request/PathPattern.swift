/// A pattern for the path of a request.
public enum PathPattern: Hashable, Sendable {
  /// A path that begins with `/` and may contain `{name}` (one segment) and `**` (any number of segments).
  ///
  /// Literal parts are in the canonical percent-encoding that ``URLParts`` describes.
  case template(String)
  /// A value pattern on the whole path in canonical percent-encoding.
  case value(ValuePattern)
}
