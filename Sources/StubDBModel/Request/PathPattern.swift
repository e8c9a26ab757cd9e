/// What the path of a request must satisfy.
public enum PathPattern: Hashable, Sendable {
  /// A path that begins with `/` and may hold `{name}` (one segment) and `**` (any number of them).
  ///
  /// Literal parts are in the canonical percent-encoding that ``URLParts`` describes.
  case template(String)
  /// A value pattern on the whole path in canonical percent-encoding.
  case value(ValuePattern)
}
