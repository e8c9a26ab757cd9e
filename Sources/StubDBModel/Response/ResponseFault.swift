/// A failure of the connection in place of an answer.
///
/// https://wiremock.org/docs/simulating-faults/
public enum ResponseFault: String, Hashable, Sendable, CaseIterable {
  /// The peer resets the connection.
  case connectionReset
  /// The connection closes before any byte is sent.
  case emptyResponse
  /// Bytes that are not an HTTP response, then the end.
  case garbage
  /// The response ends before its content does.
  case truncated
  /// Nothing is ever sent.
  case never
}
