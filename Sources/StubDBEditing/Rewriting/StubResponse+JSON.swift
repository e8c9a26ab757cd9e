internal import Foundation
internal import HTTPTypes
internal import StubDBDrift
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

extension StubResponse {
  /// The content as JSON, in whatever form a document has it, and without its `Content-Encoding`; nil for other content.
  var decodedJSON: JSONValue? {
    guard let bytes = body?.bytes, !isTemplate,
      let content = try? ContentDecoding.content(bytes, headers: headers)
    else { return nil }
    return try? JSONValue(parsing: content)
  }

  /// Whether the header fields say that the content is JSON.
  var saysJSON: Bool { headers[.contentType].flatMap(MediaType.init)?.isJSON ?? false }
}
