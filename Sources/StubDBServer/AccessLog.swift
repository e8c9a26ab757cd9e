#if Server
package import StubDBEngine

/// A request that was answered, for a log.
package struct AccessLogEntry: Sendable {
  /// The entry of the journal; nil if the request was refused before the scenario was asked.
  package var event: ServeEvent?
  package var method: String
  /// The request target.
  package var target: String
  /// The status; nil if no response was sent.
  package var status: Int?
  /// What happened in place of a complete response; nil for a complete one.
  package var remark: String?
  /// The time from the whole request to the end of the answer.
  package var duration: Duration
  package var requestByteCount: Int
  package var responseByteCount: Int
}

/// Is told each answer, on the thread of its connection; it must not wait.
package typealias AccessLog = @Sendable (AccessLogEntry) -> Void
#endif
