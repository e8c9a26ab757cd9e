public import Foundation

/// The content of a request, as far as it is known.
public enum RequestBody: Hashable, Sendable {
  /// The whole content; empty if the request has none.
  case bytes(Data)
  /// There is or may be content that cannot be read; the reason is the end of a sentence.
  ///
  /// This differs from empty content: a pattern that examines the content does not match.
  case unknown(reason: String)
}
