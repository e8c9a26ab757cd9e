/// A step in a named state machine of a scenario run; WireMock calls the machine a "scenario".
///
/// Every flow begins in the state `started`.
/// https://wiremock.org/docs/stateful-behaviour/
public struct FlowStep: Hashable, Sendable {
  /// The state every flow begins in.
  public static let initialState = "started"

  /// The name of the flow; not empty.
  public var name: String
  /// The state the flow must be in for the stub to match; nil for any.
  public var requires: String?
  /// The state the flow enters when the stub answers; nil to stay.
  public var becomes: String?

  /// Makes a step.
  public init(name: String, requires: String? = nil, becomes: String? = nil) {
    self.name = name
    self.requires = requires
    self.becomes = becomes
  }
}
