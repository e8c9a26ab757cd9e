import Foundation
import HTTPTypes
import StubDBEngine
import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An event for the client of a protocol.
enum ClientEvent: Sendable {
  /// A response with all its content, and the end.
  case whole(FoundationHead, Data)
  /// A response; content and end follow.
  case response(FoundationHead)
  /// A part of the content; not empty.
  case content(Data)
  /// The end of the response.
  case finish
  /// An error, which ends the answer.
  case failure(any Error)
  /// A response that redirects the client.
  case redirect(Redirect)

  /// Whether it is the last event.
  var isLast: Bool {
    switch self {
    case .whole, .finish, .failure: true
    case .response, .content, .redirect: false
    }
  }

  /// The redirect that a response asks for, if it does.
  func redirected(for hop: RequestHop) -> ClientEvent {
    guard case .whole(let head, let content) = self, head.redirectTarget != nil else { return self }
    return Redirect(head, content: content, hop: hop).map(ClientEvent.redirect) ?? self
  }
}

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

/// A request to answer: the task's own, or the one that follows a redirect.
struct RequestHop: Sendable {
  /// The request in Foundation's form.
  let request: URLRequest
  let url: URL
  /// The request in the engine's form.
  var stubRequest: StubRequest
  /// The number of redirects that led here.
  var redirectCount = 0
}
