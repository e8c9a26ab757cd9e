package import Foundation
package import HTTPTypes

extension ContentDecoding {
  /// The content of a response as a client sees it, without the codings that `Content-Encoding` names.
  ///
  /// Content that does not begin like its outermost coding was stored decoded, and is returned as is.
  /// - Throws: An error with a message if the content begins like the coding and cannot be decoded.
  package static func content(
    _ content: Data, headers: HTTPFields
  ) throws(ContentDecodingError) -> Data {
    let codings = codings(headers[values: .contentEncoding])
    guard let outermost = codings.last, begins(content, as: outermost) else { return content }
    do {
      return try decoded(content, codings)
    } catch {
      throw ContentDecodingError(
        description: "the content cannot be decoded as \(codings.joined(separator: ", ")): \(error)"
      )
    }
  }

  private static func begins(_ content: Data, as coding: String) -> Bool {
    switch coding {
    case "gzip", "x-gzip": content.starts(with: [0x1f, 0x8b])
    // The header of zlib: method 8, and a checksum.
    case "deflate":
      content.count >= 2 && content[content.startIndex] & 0x0f == 8
        && (Int(content[content.startIndex]) << 8 + Int(content[content.startIndex + 1])) % 31 == 0
    default: false
    }
  }
}
