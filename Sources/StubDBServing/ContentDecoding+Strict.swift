package import Foundation
package import StubDBEngine

extension ContentDecoding {
  /// The content without the codings of a `Content-Encoding`, which it must have; empty content has none.
  ///
  /// - Throws: An error with a message for an unknown coding, and for content that does not have it.
  package static func strictlyDecoded(
    _ content: Data, _ field: String, limit: Int
  ) throws(ContentDecodingError) -> Data {
    let codings = codings([field])
    guard !content.isEmpty, !codings.isEmpty else { return content }
    return try decoded(content, codings, limit, of: "its")
  }
}
