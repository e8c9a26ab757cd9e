#if Server
package import Foundation
package import StubDBEngine

/// A request that was answered, for a log.
package struct AccessLogEntry: Sendable {
  /// The entry of the journal; nil if the request was refused before the scenario was asked.
  package var event: ServeEvent?
  /// The id of the session; nil if the request belongs to none.
  package var session: String?
  package var method: String
  /// The request target.
  package var target: String
  /// The status; nil if no response was sent.
  package var status: Int?
  /// What happened in place of a complete response; nil for a complete one.
  package var remark: String?
  /// The fault or the error that the stub asks for; nil if it asks for none.
  package var fault: String?
  /// The time from the whole request to the end of the answer.
  package var duration: Duration
  /// How much of it the stub asked for.
  package var delay = Duration.zero
  package var requestByteCount: Int
  package var responseByteCount: Int
  /// The beginning of the response's content; empty unless the server keeps it for the log.
  package var responseContent = Data()
}

/// Receives each answer, on the thread of its connection; must not block.
package typealias AccessLog = @Sendable (AccessLogEntry) -> Void
#endif
