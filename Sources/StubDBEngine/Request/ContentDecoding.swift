package import Foundation
package import HTTPTypes

/// Decodes the codings that a request's `Content-Encoding` names.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.4
package enum ContentDecoding {
  /// The largest decoded content; larger content is an error.
  package static let maximumByteCount = 64 * 1024 * 1024
  /// The largest number of codings around one content.
  private static let maximumCodings = 4

  /// The codings in the order in which they were applied, in lower case, without `identity`.
  package static func codings(_ fields: [String]) -> [String] {
    fields.flatMap(FieldValues.elements).map { $0.lowercased() }.filter { $0 != "identity" }
  }

  /// The decoded content.
  ///
  /// - Throws: An ``InflateError`` for an unknown coding, for content that does not have it, and for more than `limit`
  /// bytes. If the context has too little memory for it, that counts as too many, too.
  static func decoded(
    _ data: Data, _ codings: [String], limit: Int = maximumByteCount, _ context: MatchContext? = nil
  ) throws(InflateError) -> Data {
    guard codings.count <= maximumCodings else {
      throw InflateError("there are more than \(maximumCodings) codings")
    }
    var data = data
    for coding in codings.reversed() {
      switch coding {
      case "gzip", "x-gzip": data = try Inflate.gzip(data, limit: limit, context)
      case "deflate": data = try Inflate.deflate(data, limit: limit, context)
      default: throw InflateError("only gzip and deflate are understood")
      }
    }
    return data
  }
}

extension ContentDecoding {
  /// The content of a response as a client sees it, without the codings that `Content-Encoding` names.
  ///
  /// Content that does not begin like its outermost coding was stored decoded, and is returned as is.
  /// Decoded content may have `limit` bytes.
  /// - Throws: An error with a message if the content begins like the coding and cannot be decoded.
  package static func content(
    _ content: Data, headers: HTTPFields, limit: Int = maximumByteCount
  ) throws(ContentDecodingError) -> Data {
    let codings = codings(headers[values: .contentEncoding])
    guard let outermost = codings.last, begins(content, as: outermost) else { return content }
    return try decoded(content, codings, limit, of: "the")
  }

  package static func decoded(
    _ content: Data, _ codings: [String], _ limit: Int, of article: String
  ) throws(ContentDecodingError) -> Data {
    do {
      return try decoded(content, codings, limit: limit)
    } catch {
      let names = codings.joined(separator: ", ")
      throw ContentDecodingError(
        description: "\(article) content cannot be decoded as \(names): \(error)",
        isTooLarge: error == .tooLarge)
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

/// Reports content that does not have its declared coding.
package struct ContentDecodingError: Error, CustomStringConvertible {
  /// A sentence without its period.
  package let description: String
  /// Whether the decoded content has more bytes than allowed.
  package let isTooLarge: Bool

  package init(description: String, isTooLarge: Bool) {
    (self.description, self.isTooLarge) = (description, isTooLarge)
  }
}
