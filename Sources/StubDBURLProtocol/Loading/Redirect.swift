import Foundation
import HTTPTypes
import StubDBEngine
import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response that sends the client elsewhere, and the request that follows it.
struct Redirect: Sendable {
  let head: FoundationHead
  let content: Data
  let hop: RequestHop
  /// The request that the client makes unless its delegate decides otherwise.
  let newRequest: URLRequest

  /// Nil where the response is to be delivered as it is: it is no redirect, or names no place to go to.
  init?(_ head: FoundationHead, content: Data, hop: RequestHop) {
    guard let target = head.redirectTarget,
      let status = (head.response as? HTTPURLResponse)?.statusCode,
      let followUp = hop.stubRequest.followUp(status: status, location: target),
      let url = URL(string: followUp.url)
    else { return nil }
    self.head = head
    self.content = content
    self.hop = hop
    newRequest = Self.request(like: hop.request, url: url, saying: followUp)
  }

  private static func request(
    like request: URLRequest, url: URL, saying followUp: StubRequest
  ) -> URLRequest {
    var request = request
    request.url = url
    request.httpMethod = followUp.method
    let kept = Set(followUp.headers.map(\.name.canonicalName))
    for name in (request.allHTTPHeaderFields ?? [:]).keys where !kept.contains(name.lowercased()) {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    // The stream that it came from was read.
    let content = followUp.content ?? Data()
    request.httpBody = content.isEmpty ? nil : content
    return request
  }
}
