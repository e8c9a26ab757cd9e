import Foundation
import HTTPTypes
import StubDBEngine
import StubDBPlayback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The errors of requests that cannot be answered at all.
enum RequestError {
  /// The request has no URL.
  static func missingURL() -> any Error {
    ResponseFailure.urlError(
      .badURL, url: nil, message: "The request has no URL, so no stub can answer it.")
  }

  /// The request asks for a WebSocket.
  static func webSocket(_ url: URL) -> any Error {
    ResponseFailure.urlError(
      .unsupportedURL, url: url,
      message:
        "A session under test opens no WebSocket: have it connect to \"stubdb serve\", which plays "
        + "them, or put a protocol of your own in front of it.")
  }

  /// The request has too many header fields.
  static func tooManyHeaderFields(_ url: URL) -> any Error {
    ResponseFailure.urlError(
      .dataLengthExceedsMaximum, url: url,
      message:
        "The request has more than \(HTTPFields.maximumCount) header fields, which no server accepts; "
        + "no stub answers it.")
  }

  /// There were too many redirects.
  static func tooManyRedirects(_ url: URL) -> any Error {
    ResponseFailure.urlError(
      .httpTooManyRedirects, url: url,
      message: "The request was redirected more than \(StubRequest.maximumRedirectCount) times.")
  }

  /// Foundation does not accept the status and header fields as a response.
  static func invalidResponse(status: Int, url: URL) -> any Error {
    ResponseFailure.urlError(
      .badServerResponse, url: url,
      message:
        "Foundation makes no response of status \(status) for \(SecretDisplay.text(url.absoluteString)); check the "
        + "stub's status and header fields.")
  }

  #if canImport(FoundationNetworking)
    /// The request is a download.
    static func download(_ url: URL) -> any Error {
      ResponseFailure.urlError(
        .unsupportedURL, url: url,
        message:
          "Download tasks cannot be stubbed on Linux: Foundation there takes the file from its own "
          + "loader only. Use a data task, or run this test on an Apple system.")
    }
  #endif
}
