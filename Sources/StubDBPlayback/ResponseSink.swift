package import Foundation
package import StubDBEngine
package import StubDBModel

/// A front end, as the answer to one request sees it: a protocol of `URLSession`, a typed session, the command line.
///
/// Called from any thread, for one event after another.
package protocol ResponseSink: Sendable {
  /// Tells the client.
  func tell(_ event: ResponseEvent)

  /// Sends the request to the real network and tells the client itself what comes of it; nil where this front end has no
  /// network.
  func sendToNetwork() -> (any Cancellable)?

  /// The run has ended while the request waits for its answer.
  func runEnded()
}

extension ResponseSink {
  package func sendToNetwork() -> (any Cancellable)? { nil }

  package func runEnded() { tell(.failure(.ended)) }
}

/// One thing to tell a client.
package enum ResponseEvent: Sendable {
  /// A response with all its content, and the end.
  case whole(ResponseHead, Data)
  /// A response; content and end follow.
  case head(ResponseHead)
  /// Some of the content; not empty.
  case content(Data)
  /// The end.
  case finish
  /// The end, for a reason.
  case failure(ResponseFailure)
}

/// Why a client gets no response, or not all of it.
package enum ResponseFailure: Sendable {
  /// The error that a stub asks for.
  case stubbed(ResponseError)
  /// The error that a closure throws.
  case thrown(any Error)
  /// No stub answers; the entry of the journal, and what the error says.
  case unmatched(ServeEvent, message: String)
  /// A stub passes the request on to the network, which is not allowed or not there.
  case refusedPassthrough(ServeEvent, message: String)
  /// No request is answered at all.
  case refused(message: String)
  /// The content that a stub answers with cannot be had.
  case unreadableContent(message: String)
  /// The content is not coded as its `Content-Encoding` says.
  case undecodableContent(message: String)
  /// The request's own time-out came before the answer.
  case timedOut
  /// The run has ended.
  case ended
}
