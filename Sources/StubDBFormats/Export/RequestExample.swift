package import Foundation
package import HTTPTypes
package import StubDBEngine
package import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// A request that a stub answers, for formats that have requests in place of patterns.
package struct RequestExample: Hashable, Sendable {
  /// The content as it was made; ``RequestExample/body`` has its bytes.
  package enum Content: Hashable, Sendable {
    case none
    case json(JSONValue)
    case graphQL(JSONValue)
    case form([Field])
    case multipart([Part])
    case text(String)
    case bytes(Data)
  }

  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package struct Part: Hashable, Sendable {
    package var name: String
    package var filename: String?
    package var headers: [Field] = []
    package var content: Data
  }

  package var method: String
  /// Absolute, in canonical encoding.
  package var url: String
  /// The path as the stub has it, with `{name}` and `**`; nil if the stub has an expression.
  package var pathTemplate: String?
  /// The values of the `{name}` segments, decoded.
  package var pathParameters: [Field] = []
  /// Whether the stub names no host, so that the URL has the one of the options.
  package var isAnyHost = false
  /// In the order of names, with a `Content-Type` for the content.
  package var headers = HTTPFields()
  package var content = Content.none
  package var body = Data()

  /// The same as the engine sees it.
  package var request: StubRequest {
    StubRequest(method: method, url: url, headers: headers, body: .bytes(body))
  }
}

extension RequestExample.Content {
  /// The boundary of all multipart examples.
  package static let boundary = "stubdb-boundary"

  /// The bytes that are sent.
  var bytes: Data {
    switch self {
    case .none: Data()
    case .json(let value), .graphQL(let value): Data(value.canonicalText.utf8)
    case .form(let fields): Data(Self.encoded(fields).utf8)
    case .multipart(let parts): Self.encoded(parts)
    case .text(let text): Data(text.utf8)
    case .bytes(let data): data
    }
  }

  /// The media type that says how to read the bytes; nil where none is needed.
  var mediaType: String? {
    switch self {
    case .none, .bytes: nil
    case .json, .graphQL: "application/json"
    case .form: "application/x-www-form-urlencoded"
    case .multipart: "multipart/form-data; boundary=\(Self.boundary)"
    case .text(let text): text.hasPrefix("<") ? "application/xml" : "text/plain; charset=utf-8"
    }
  }

  private static func encoded(_ fields: [RequestExample.Field]) -> String {
    fields.map {
      URLParts.encodedQuery($0.name) + "=" + URLParts.encodedQuery($0.value)
    }.joined(separator: "&")
  }

  /// The parts with their boundaries.
  ///
  /// https://www.rfc-editor.org/rfc/rfc7578
  private static func encoded(_ parts: [RequestExample.Part]) -> Data {
    var data = Data()
    for part in parts {
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(part.name))\""
      if let filename = part.filename { head += "; filename=\"\(quoted(filename))\"" }
      for field in part.headers { head += "\r\n\(field.name): \(field.value)" }
      data += Data((head + "\r\n\r\n").utf8) + part.content + Data("\r\n".utf8)
    }
    return data + Data("--\(boundary)--\r\n".utf8)
  }

  private static func quoted(_ text: String) -> String {
    text.replacingScalar("\"", with: "%22").replacingScalar("\r", with: "%0D")
      .replacingScalar("\n", with: "%0A")
  }
}
