public import StubDBModel

/// The response that a run selected for a request.
public struct Selection: Sendable {
  /// The entry of the journal.
  public let event: ServeEvent
  /// The response, with its templates filled in; it delegates to the network if the stub does.
  public let response: StubResponse
  /// How slowly it comes.
  public let pacing: ResponsePacing
}
