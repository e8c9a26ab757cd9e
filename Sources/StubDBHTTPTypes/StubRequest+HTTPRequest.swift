import Foundation
import HTTPTypes
import StubDBEngine

extension StubRequest {
  /// The engine's view of a request: its URL is put together from the parts that are there.
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
