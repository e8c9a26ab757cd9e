/// What goes wrong on the connection in place of an answer.
///
/// https://wiremock.org/docs/simulating-faults/
public enum ResponseFault: String, Hashable, Sendable, CaseIterable {
  /// The peer closes the connection hard.
  case connectionReset
  /// The connection closes before a byte was sent.
  case emptyResponse
  /// Bytes that are no HTTP response, then the end.
  case garbage
  /// The response ends before its content does.
  case truncated
  /// Nothing is ever sent.
  case never
}
