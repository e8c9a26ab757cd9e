public import StubDBEngine

/// Reports that a stub leaves a request to the network, which this session does not have.
public struct PassthroughError: Error, Sendable, CustomStringConvertible {
  /// The request, with the stub that matched it.
  public let event: ServeEvent
  /// One sentence that says what failed, why, and what to do.
  public let description: String
}
