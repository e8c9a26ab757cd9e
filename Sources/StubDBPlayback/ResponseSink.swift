package import Foundation
package import StubDBEngine
package import StubDBModel

/// A front end from the point of view of one answer: a protocol of `URLSession`, a typed session, the command line.
///
/// It may be called on any thread, for one event after another.
package protocol ResponseSink: Sendable {
  /// Tells the client.
  func tell(_ event: ResponseEvent)

  /// Sends the request to the real network and tells the client its answer; nil if this front end has no network.
  func sendToNetwork() -> (any Cancellable)?

  /// Called if the run ends while the request waits for its answer.
  func runEnded()
}

extension ResponseSink {
  package func sendToNetwork() -> (any Cancellable)? { nil }

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
  /// The error of a stub.
  case stubbed(ResponseError)
  /// The error that a closure throws.
  case thrown(any Error)
  /// No stub answers; the entry of the journal, and the text of the error.
  case unmatched(ServeEvent, message: String)
  /// A stub leaves the request to the network, which is not allowed or does not exist.
  case refusedPassthrough(ServeEvent, message: String)
  /// All requests are refused.
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
