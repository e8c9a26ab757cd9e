import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response without its content, and what has to be done about its header fields.
struct AnswerHead: Sendable {
  let response: URLResponse
  /// Whether it has `Set-Cookie` fields.
  let setsCookies: Bool
  /// Where it sends the client; nil when it does not.
  let redirectTarget: String?

  init(_ response: URLResponse, setsCookies: Bool, location: String?) {
    self.response = response
    self.setsCookies = setsCookies
    let status = (response as? HTTPURLResponse)?.statusCode
    redirectTarget = status.map(Self.isRedirect) == true ? location : nil
  }

  /// The head of a response that came from the network.
  init(received response: URLResponse) {
    let response = response as URLResponse
    let fields = response as? HTTPURLResponse
    self.init(
      response, setsCookies: fields?.value(forHTTPHeaderField: "Set-Cookie") != nil,
      location: fields?.value(forHTTPHeaderField: "Location"))
  }

  /// Whether the status sends a client to the place that `Location` names.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
  private static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }
}
