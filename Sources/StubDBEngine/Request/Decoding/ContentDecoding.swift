import Foundation

/// Decodes the codings that a request's `Content-Encoding` names.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-8.4
package enum ContentDecoding {
  /// The largest decoded content; larger content is an error.
  static let maximumByteCount = 64 * 1024 * 1024
  /// The largest number of codings around one content.
  private static let maximumCodings = 4

  /// The codings in the order in which they were applied, in lower case, without `identity`.
  static func codings(_ fields: [String]) -> [String] {
    fields.flatMap(FieldValues.elements).map { $0.lowercased() }.filter { $0 != "identity" }
  }

  /// The decoded content.
  ///
  /// - Throws: An ``InflateError`` for an unknown coding, for content that does not have it, and for more than `limit`
  /// bytes.
  static func decoded(
    _ data: Data, _ codings: [String], limit: Int = maximumByteCount
  ) throws(InflateError) -> Data {
    guard codings.count <= maximumCodings else {
      throw InflateError("there are more than \(maximumCodings) codings")
    }
    var data = data
    for coding in codings.reversed() {
      switch coding {
      case "gzip", "x-gzip": data = try Inflate.gzip(data, limit: limit)
      case "deflate": data = try Inflate.deflate(data, limit: limit)
      default: throw InflateError("only gzip and deflate are understood")
      }
    }
    return data
  }
}
