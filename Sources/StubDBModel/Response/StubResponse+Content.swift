public import Foundation
public import HTTPTypes
public import StubDBJSON

extension StubResponse {
  /// How many header fields a response has at most: more than any server sends, and fewer than `HTTPFields` can contain.
  package static let maximumHeaderCount = 1000

  /// A response whose content is a JSON value.
  public static func json(
    _ value: JSONValue, status: Int = 200, headers: HTTPFields = [:]
  ) -> StubResponse {
    StubResponse(status: status, headers: headers, body: .json(value))
  }

  /// A response whose content is an encoded value.
  ///
  /// - Throws: The errors of the encoder.
  public static func json(
    encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder(), status: Int = 200,
    headers: HTTPFields = [:]
  ) throws -> StubResponse {
    var headers = headers
    if headers[.contentType] == nil { headers[.contentType] = "application/json" }
    return StubResponse(status: status, headers: headers, body: .data(try encoder.encode(value)))
  }

  /// A response whose content is text, as UTF-8.
  public static func text(
    _ text: String, status: Int = 200, headers: HTTPFields = [:]
  ) -> StubResponse {
    StubResponse(status: status, headers: headers, body: .text(text))
  }

  /// A response whose content is any bytes.
  public static func data(
    _ data: Data, status: Int = 200, headers: HTTPFields = [:]
  ) -> StubResponse {
    StubResponse(status: status, headers: headers, body: .data(data))
  }

  /// A response without content.
  public static func status(_ status: Int, headers: HTTPFields = [:]) -> StubResponse {
    StubResponse(status: status, headers: headers)
  }
}
