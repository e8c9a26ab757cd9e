import Foundation
import HTTPTypes
import StubDBEngine

extension StubRequest {
  /// Makes the engine's form of a request, with its URL put together from its parts.
  init(_ request: HTTPRequest, content: Data) {
    let path = request.path ?? "/"
    let url =
      if let authority = request.authority {
        "\(request.scheme ?? "https")://\(authority)\(path)"
      } else {
        path
      }
    self.init(
      method: request.method.rawValue, url: url, headers: request.headerFields,
      body: .bytes(content))
  }
}
