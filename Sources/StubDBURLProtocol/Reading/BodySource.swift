import Foundation

/// Where the content of a request can be had from.
enum BodySource {
  /// The bytes themselves; empty means that the request has no content.
  case bytes(Data)
  /// A stream, which can be read once.
  case stream(InputStream)
  /// A file.
  case file(URL)
  /// Nowhere, and why, as the end of a sentence.
  case unknown(String)
}
