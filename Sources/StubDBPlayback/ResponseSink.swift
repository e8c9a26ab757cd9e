package import Foundation
package import StubDBEngine
import StubDBJSON
package import StubDBModel

/// A front end from the point of view of one answer: a protocol of `URLSession`, a typed session, the command line.
///
/// It may be called on any thread, for one event after another.
package protocol ResponseSink: Sendable {
  /// Tells the client.
  func tell(_ event: ResponseEvent)

  /// Sends the request to the real network and passes the answer on to the client; nil if this front end has no
  /// network.
  func sendToNetwork() -> (any Cancellable)?

  /// Opens a WebSocket, and plays its script to the client; false if this front end has none.
  func openWebSocket(_ answer: WebSocketAnswer) -> Bool

  /// Backpressure: calls `next` when the client has consumed the last event, or immediately if the front end does not
  /// know.
  func afterDelivery(_ next: @escaping @Sendable () -> Void)

  /// Called if no further event follows, ever.
  func fallSilent()

  /// Called if the run ends while the request waits for its answer.
  func runEnded()
}

extension ResponseSink {
  package func sendToNetwork() -> (any Cancellable)? { nil }

  package func openWebSocket(_ answer: WebSocketAnswer) -> Bool { false }

  package func afterDelivery(_ next: @escaping @Sendable () -> Void) { next() }

  package func fallSilent() {}

  package func runEnded() { tell(.failure(.ended)) }
}

/// An event for a client.
package enum ResponseEvent: Sendable {
  /// A response with all its content, and the end.
  case whole(ResponseHead, Data)
  /// A response; content and end follow.
  case head(ResponseHead)
  /// A part of the content; not empty.
  case content(Data)
  /// The end of the response.
  case finish
  /// A failure, which ends the answer.
  case failure(ResponseFailure)
}

/// Why a client gets no response, or only a part of it.
package enum ResponseFailure: Sendable {
  /// The error of a stub; the fault that it represents, if any.
  case stubbed(ResponseError, ResponseFault?)
  /// The error that a closure throws.
  case thrown(any Error)
  /// No stub answers; the entry of the journal, and the text of the error.
  case unmatched(ServeEvent, message: String)
  /// The request is left to the network, which is not allowed or does not exist.
  case refusedPassthrough(ServeEvent, message: String)
  /// The request is refused: all are, or the answer cannot be given.
  case refused(message: String)
  /// The content of a stub's response cannot be read.
  case unreadableContent(message: String)
  /// The content does not have the coding that its `Content-Encoding` names.
  case undecodableContent(message: String)
  /// The request timed out before the answer.
  case timedOut
  /// The run has ended.
  case ended
}

extension ResponseFailure {
  /// The error for clients of Foundation.
  ///
  /// Always `URLError` in its domain: on Linux, an `NSError` of that domain does not become a `URLError`, and
  /// Foundation does not add the failing URL.
  package func foundationError(url: URL?) -> any Error {
    switch self {
    case .stubbed(let error, _): Self.error(error, url: url)
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
    let userInfo = error.userInfo.foundationValue
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

/// How a client takes content, and how long it waits.
package struct Patience: Sendable {
  /// Whether the client takes content piece by piece.
  package var isIncremental: Bool
  /// How long the client waits for the next event; nil if the system decides.
  package var timeout: Duration?
  /// How long the client waits for the whole response; nil if the system decides.
  package var totalTimeout: Duration?
  /// Whether the time-out also ends delays that are longer, and not only an answer that never comes.
  ///
  /// Not if time passes faster than real time and the time-out was not chosen: the default of 60 seconds would then
  /// rule out longer delays in tests.
  package var endsDelays: Bool
  /// Whether the answer goes over a wire: content stays in its coding, and a redirect comes piece by piece too.
  package var isOnWire = false

  package init(
    isIncremental: Bool, timeout: Duration? = nil, totalTimeout: Duration? = nil,
    endsDelays: Bool = true
  ) {
    self.isIncremental = isIncremental
    self.timeout = timeout
    self.totalTimeout = totalTimeout
    self.endsDelays = endsDelays
  }

  /// How long the client waits for the next piece of content; nil without a limit.
  var idleLimit: Duration? { endsDelays ? timeout : nil }

  /// How long the client waits now, in the scenario's time, for something that comes late or never; nil without a
  /// limit.
  ///
  /// If something arrives meanwhile (`isIdle` is false), only the limit for the whole response counts.
  func timeLeft(after elapsed: Duration, forever: Bool, isIdle: Bool = true) -> Duration? {
    let timeout = forever ? timeout : isIdle ? idleLimit : nil
    let total = totalTimeout.map { max(.zero, $0 - elapsed) }
    return switch (timeout, total) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }
}
