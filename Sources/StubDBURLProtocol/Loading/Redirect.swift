import Foundation
import HTTPTypes
import StubDBEngine
import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response that redirects the client, with the request that follows.
struct Redirect: Sendable {
  let head: FoundationHead
  let content: Data
  let hop: RequestHop
  /// The request that the client sends unless its delegate decides otherwise.
  let newRequest: URLRequest

  /// Nil if the response is to be delivered as is: it is not a redirect, or has no valid target.
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
    // The stream was already read.
    let content = followUp.content ?? Data()
    request.httpBody = content.isEmpty ? nil : content
    return request
  }
}
