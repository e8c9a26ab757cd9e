public import StubDBModel

/// The response that a run chose for a request.
public struct Selection: Sendable {
  /// The entry of the journal.
  public let event: ServeEvent
  /// The response, with its templates filled in; it hands over to the network where the stub passes the request on.
  public let response: StubResponse
  /// How slowly it comes.
  public let pacing: ResponsePacing
}
