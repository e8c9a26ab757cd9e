#if Server
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBPlayback

/// What the admin API answers.
enum AdminAnswer: Sendable {
  case whole(ResponseHead, Data)
  /// Events as they come, until the client goes.
  case stream(ResponseHead, EventStream)

  /// Nothing of the API belongs into a cache, or is to be taken for a page.
  private static let fields: HTTPFields = {
    var fields: HTTPFields = [.cacheControl: "no-store"]
    if let name = HTTPField.Name("X-Content-Type-Options") { fields[name] = "nosniff" }
    return fields
  }()

  static func json(
    _ value: OrderedJSON, status: Int = 200, type: String = "application/json",
    _ headers: HTTPFields = [:]
  ) -> AdminAnswer {
    content(Data(value.text.utf8), status: status, type: type, headers)
  }

  static func content(
    _ content: Data, status: Int = 200, type: String, _ headers: HTTPFields = [:]
  ) -> AdminAnswer {
    var head = ResponseHead(status: status, headers: fields)
    head.headers[.contentType] = type
    for field in headers { head.headers.append(field) }
    return .whole(head, content)
  }

  /// 204.
  static func nothing(_ headers: HTTPFields = [:]) -> AdminAnswer {
    var head = ResponseHead(status: 204, headers: fields)
    for field in headers { head.headers.append(field) }
    return .whole(head, Data())
  }

  /// 304.
  static func unchanged(_ tag: String) -> AdminAnswer {
    var head = ResponseHead(status: 304, headers: fields)
    head.headers[.eTag] = tag
    return .whole(head, Data())
  }

  static func stream(_ stream: EventStream) -> AdminAnswer {
    var head = ResponseHead(status: 200, headers: fields)
    head.headers[.contentType] = "text/event-stream"
    head.headers[.transferEncoding] = "chunked"
    return .stream(head, stream)
  }
}
#endif
