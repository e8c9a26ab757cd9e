import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The errors that a client of a stubbed session sees.
///
/// Always `URLError` in its domain: on Linux an `NSError` of that domain is no `URLError`, and Foundation adds
/// no failing URL there.
enum AnswerErrors {
  /// What `failureURLString` reads; the constant of Foundation is deprecated, the key is not gone.
  private static let failingURLStringKey = "NSErrorFailingURLStringKey"

  /// The error a stub asks for.
  static func stubbed(_ error: ResponseError, url: URL) -> any Error {
    let userInfo = error.userInfo.mapValues(\.foundationValue)
    // The initializer gives an optional on Linux only.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    guard error.domain == NSURLErrorDomain, let code else {
      return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }
    return make(code, url: url, userInfo: userInfo)
  }

  /// No stub answers, and the policy is to fail.
  static func unmatched(report: String, url: URL) -> any Error {
    make(UnmatchedPolicy.errorCode, url: url, message: report)
  }

  /// The content that a stub answers with cannot be had.
  static func unreadableContent(_ message: String, url: URL) -> any Error {
    make(.cannotOpenFile, url: url, message: message)
  }

  /// The content is not coded as its `Content-Encoding` says.
  static func undecodableContent(_ message: String, url: URL) -> any Error {
    make(.cannotDecodeContentData, url: url, message: message)
  }

  /// Foundation does not accept the status and header fields as a response.
  static func invalidResponse(_ message: String, url: URL) -> any Error {
    make(.badServerResponse, url: url, message: message)
  }

  /// The interceptor of the session is no longer there.
  static func ended(_ url: URL?) -> any Error {
    make(
      .cancelled, url: url,
      message:
        "The interceptor of this session has ended, so nothing answers this request. Make a new "
        + "session for each test, and keep the StubInterceptor where only its protocolClass is used."
    )
  }

  /// The request has no URL.
  static func missingURL() -> any Error {
    make(.badURL, url: nil, message: "The request has no URL, so no stub can answer it.")
  }

  /// The request has more header fields than are looked at.
  static func tooManyHeaderFields(_ url: URL) -> any Error {
    make(
      .dataLengthExceedsMaximum, url: url,
      message:
        "The request has more than \(HTTPFields.maximumCount) header fields, which no server accepts; "
        + "no stub answers it.")
  }

  /// A stub asks for the real network, which the test does not allow.
  static func refusedPassthrough(_ message: String, url: URL) -> any Error {
    make(UnmatchedPolicy.errorCode, url: url, message: message)
  }

  /// One redirect after another.
  static func tooManyRedirects(_ url: URL) -> any Error {
    make(
      .httpTooManyRedirects, url: url,
      message: "The request was redirected more than \(Redirect.maximumCount) times.")
  }

  /// A WebSocket is asked for.
  static func webSocket(_ url: URL) -> any Error {
    make(
      .unsupportedURL, url: url,
      message: "WebSockets cannot be stubbed: put a protocol of your own in front of them.")
  }

  /// The request's own time-out came before the answer.
  static func timedOut(_ url: URL) -> URLError {
    make(.timedOut, url: url, message: "The request timed out.")
  }

  static func make(
    _ code: URLError.Code, url: URL?, message: String? = nil, userInfo: [String: Any] = [:]
  ) -> URLError {
    var userInfo = userInfo
    if let message { userInfo[NSLocalizedDescriptionKey] = message }
    if let url {
      userInfo[NSURLErrorFailingURLErrorKey] = userInfo[NSURLErrorFailingURLErrorKey] ?? url
      userInfo[failingURLStringKey] = userInfo[failingURLStringKey] ?? url.absoluteString
    }
    return URLError(code, userInfo: userInfo)
  }
}
