import Foundation
import HTTPTypes
package import StubDBEngine

extension StubRequest {
  /// How many redirects are followed before the request fails; Foundation's documentation gives this number for Apple's
  /// systems.
  package static let maximumRedirectCount = 16

  /// The request that a client sends when it follows a redirect; nil if it follows none.
  ///
  /// The method becomes `GET` after 303, and after 301 and 302 if it was `POST`; content and its fields are then
  /// dropped. Credentials are not sent to another origin. A target without a fragment inherits that of the request.
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
  package func followUp(status: Int, location: String?) -> StubRequest? {
    guard [301, 302, 303, 307, 308].contains(status), let location,
      let here = URL(string: url), let there = Self.resolve(location, from: here)
    else { return nil }
    var request = self
    request.url = there.absoluteString
    if Self.changesMethod(status: status, method: method) {
      request.method = "GET"
      request.body = .bytes(Data())
      for name in Self.contentFields { request.headers[name] = nil }
    }
    if Self.origin(of: there) != Self.origin(of: here) {
      for name in Self.credentialFields { request.headers[name] = nil }
    }
    return request
  }

  private static let contentFields: [HTTPField.Name] = [
    .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
    .transferEncoding,
  ]
  private static let credentialFields: [HTTPField.Name] =
    [.authorization, .proxyAuthorization, .cookie] + (HTTPField.Name("Host").map { [$0] } ?? [])

  private static func resolve(_ target: String, from url: URL) -> URL? {
    guard !target.isEmpty, let resolved = URL(string: target, relativeTo: url)?.absoluteURL,
      var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true)
    else { return nil }
    guard parts.fragment == nil, let fragment = url.fragment else { return resolved }
    parts.fragment = fragment
    return parts.url
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
