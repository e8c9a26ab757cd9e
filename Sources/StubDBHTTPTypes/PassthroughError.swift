public import StubDBEngine

/// A stub passes a request on to the network, which a session without one cannot do.
public struct PassthroughError: Error, Sendable, CustomStringConvertible {
  /// The request, and the stub that answered it.
  public let event: ServeEvent
  /// One sentence for people: what failed, why, and what to do.
  public let description: String
}
