package import Foundation
import StubDBJSON
import StubDBModel

extension ResponseFailure {
  /// The error for clients of Foundation.
  ///
  /// Always `URLError` in its domain: on Linux, an `NSError` of that domain does not become a `URLError`, and
  /// Foundation does not add the failing URL.
  package func foundationError(url: URL?) -> any Error {
    switch self {
    case .stubbed(let error): Self.error(error, url: url)
    case .thrown(let error): error
    case .unmatched(_, let message), .refusedPassthrough(_, let message), .refused(let message):
      Self.urlError(UnmatchedPolicy.errorCode, url: url, message: message)
    case .unreadableContent(let message):
      Self.urlError(.cannotOpenFile, url: url, message: message)
    case .undecodableContent(let message):
      Self.urlError(.cannotDecodeContentData, url: url, message: message)
    case .timedOut:
      Self.urlError(.timedOut, url: url, message: "The request timed out.")
    case .ended:
      Self.urlError(
        .cancelled, url: url,
        message:
          "The interceptor of this session has ended, so nothing answers this request. Make a new "
          + "session for each test, and keep the interceptor where only its protocolClass is used.")
    }
  }

  private static func error(_ error: ResponseError, url: URL?) -> any Error {
    let userInfo = error.userInfo.mapValues(\.foundationValue)
    // The initializer returns an optional on Linux only.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    guard error.domain == NSURLErrorDomain, let code else {
      return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }
    return urlError(code, url: url, userInfo: userInfo)
  }

  /// A `URLError` with the URL.
  package static func urlError(
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

  /// The key that `failureURLString` reads; only Foundation's constant for it is deprecated.
  private static let failingURLStringKey = "NSErrorFailingURLStringKey"
}
