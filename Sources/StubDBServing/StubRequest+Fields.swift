package import HTTPTypes
package import StubDBEngine

/// Why header fields cannot be those of a request.
package enum HeaderFieldsError: Error, Hashable {
  /// A text that HTTP does not allow as a name.
  case invalidName(String)
  /// More fields than ``StubRequest/maximumHeaderCount``.
  case tooMany

  /// The reason, without the place: the end of a sentence.
  package var reason: String {
    switch self {
    case .invalidName(let name): "\(TextExcerpt.quoted(name)) is not the name of a header field"
    case .tooMany: "a request has at most \(StubRequest.maximumHeaderCount) header fields"
    }
  }
}

extension StubRequest {
  /// How many header fields a described request has at most: more than any client sends, and fewer than `HTTPFields`
  /// can contain, which ends the process at 65,536.
  package static let maximumHeaderCount = 1000

  /// The header fields of a described request, in order.
  ///
  /// - Throws: ``HeaderFieldsError`` for a name that HTTP does not allow, and for too many fields.
  package static func headers(
    _ given: [(name: String, value: String)]
  ) throws(HeaderFieldsError) -> HTTPFields {
    guard given.count <= maximumHeaderCount else { throw .tooMany }
    var fields = HTTPFields()
    for field in given {
      guard let name = HTTPField.Name(field.name) else { throw .invalidName(field.name) }
      fields.append(HTTPField(name: name, value: field.value))
    }
    return fields
  }
}
