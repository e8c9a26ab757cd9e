import Foundation
import HTTPTypes
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response that sends the client elsewhere, and the request that follows it.
struct Redirect: Sendable {
  /// How many redirects are followed before the request fails; what Foundation's documentation names for Apple's systems.
  static let maximumCount = 16

  let head: AnswerHead
  let content: Data?
  let hop: RequestHop
  /// The request that the client makes unless its delegate decides otherwise.
  let newRequest: URLRequest

  /// Nil where the response is to be delivered as it is: it is no redirect, or names no place to go to.
  init?(_ head: AnswerHead, content: Data?, hop: RequestHop) {
    guard let target = head.redirectTarget,
      let status = (head.response as? HTTPURLResponse)?.statusCode,
      let url = Self.resolve(target, from: hop.url)
    else { return nil }
    self.head = head
    self.content = content
    self.hop = hop
    newRequest = Self.request(following: hop, status: status, to: url)
  }

  /// A target without a fragment has that of the request.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2
  private static func resolve(_ target: String, from url: URL) -> URL? {
    guard !target.isEmpty, let resolved = URL(string: target, relativeTo: url)?.absoluteURL,
      var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true)
    else { return nil }
    guard parts.fragment == nil, let fragment = url.fragment else { return resolved }
    parts.fragment = fragment
    return parts.url
  }

  /// The request that follows.
  ///
  /// Its method is `GET` after 303, and after 301 and 302 where it was `POST`; content and the fields about it go with the
  /// method. Credentials do not go to another origin. https://www.rfc-editor.org/rfc/rfc9110#section-15.4
  private static func request(
    following hop: RequestHop, status: Int, to url: URL
  ) -> URLRequest {
    var request = hop.request
    let method = hop.stubRequest.method
    request.url = url
    if changesMethod(status: status, method: method) {
      request.httpMethod = "GET"
      request.httpBody = nil
      for name in [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language",
        "Transfer-Encoding",
      ] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    } else if case .bytes(let content) = hop.stubRequest.body, !content.isEmpty {
      // The stream that it came from was read.
      request.httpBody = content
    }
    if origin(of: url) != origin(of: hop.url) {
      for name in ["Authorization", "Proxy-Authorization", "Cookie", "Host"] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    return request
  }

  private static func changesMethod(status: Int, method: String) -> Bool {
    switch status {
    case 303: method != "HEAD" && method != "GET"
    case 301, 302: method == "POST"
    default: false
    }
  }

  private static func origin(of url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return [scheme, url.host?.lowercased() ?? "", String(port)]
  }
}
