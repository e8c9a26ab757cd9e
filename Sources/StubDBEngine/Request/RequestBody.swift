public import Foundation

/// The content of a request, as far as it is known.
public enum RequestBody: Hashable, Sendable {
  /// The whole content; empty means that the request has none.
  case bytes(Data)
  /// There is or may be content that cannot be seen, and why, as the end of a sentence.
  ///
  /// Never the same as empty: no pattern that needs to look at the content matches.
  case unknown(reason: String)
}
