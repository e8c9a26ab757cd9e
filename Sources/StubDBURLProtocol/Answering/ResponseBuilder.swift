import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the response that Foundation hands to the client.
enum ResponseBuilder {
  /// The answer of this status, with content where the method and the status allow any.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1
  static func answer(
    status: Int, headers: HTTPFields, content: Data?, method: String, url: URL
  ) -> Answer {
    var fields = joined(headers)
    PlatformURLProtocol.adjust(&fields, status: status)
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    else {
      return .failure(
        AnswerErrors.invalidResponse(
          "Foundation makes no response of status \(status) for \(url.absoluteString); check the "
            + "stub's status and header fields.", url: url))
    }
    return .response(response, mayHaveContent(status: status, method: method) ? content : nil)
  }

  static func mayHaveContent(status: Int, method: String) -> Bool {
    guard method != "HEAD" else { return false }
    switch status {
    case 100..<200, 204, 205, 304: return false
    default: return true
    }
  }

  /// One value a name, since Foundation holds no more; `Set-Cookie` too, which Foundation takes apart again.
  private static func joined(_ headers: HTTPFields) -> [String: String] {
    // A list, because there are few, and only the canonical names tell which belong together.
    var lines: [(name: HTTPField.Name, value: String)] = []
    lines.reserveCapacity(headers.count)
    for field in headers {
      if let known = lines.firstIndex(where: { $0.name == field.name }) {
        lines[known].value += ", " + field.value
      } else {
        lines.append((field.name, field.value))
      }
    }
    return Dictionary(lines.map { ($0.name.rawName, $0.value) }) { first, _ in first }
  }
}
