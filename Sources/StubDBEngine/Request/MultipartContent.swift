package import Foundation

/// The parts of `multipart/form-data` content, for readers of recordings.
///
/// https://www.rfc-editor.org/rfc/rfc7578
package struct MultipartContent: Sendable {
  /// A part.
  package struct Part: Sendable {
    /// The name and the file name in its `Content-Disposition`, or nil.
    package var name: String?
    package var filename: String?
    /// Its header fields in order.
    package var headers: [(name: String, value: String)]
    /// Its content.
    package var content: Data
  }

  /// The parts in order.
  package let parts: [Part]

  /// Nil if the content is not multipart with the boundary of the type.
  package init?(_ content: Data, contentType: String) {
    guard let reader = try? MultipartReader(content, contentType: contentType),
      let parts = try? reader.parts(MatchContext())
    else { return nil }
    self.parts = parts.map { part in
      var bytes = Data()
      if case .bytes(let data) = part.body.content.kind { bytes = data }
      return Part(
        name: part.name, filename: part.filename, headers: part.headers, content: bytes)
    }
  }
}
