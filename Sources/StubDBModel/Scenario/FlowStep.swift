/// A step of a named state machine in a scenario's run; WireMock calls the machine a "scenario".
///
/// Every flow begins in the state `started`.
/// https://wiremock.org/docs/stateful-behaviour/
public struct FlowStep: Hashable, Sendable {
  /// The first state of every flow.
  public static let initialState = "started"

  /// The name of the flow; not empty.
  public var name: String
  /// The state that the flow must be in for the stub to match; nil matches any.
  public var requires: String?
  /// The state that the flow enters when the stub answers; nil to stay.
  public var becomes: String?

  /// Makes a step.
  public init(name: String, requires: String? = nil, becomes: String? = nil) {
    self.name = name
    self.requires = requires
    self.becomes = becomes
  }
}
