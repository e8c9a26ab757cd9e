/// One request pattern and the responses it answers with.
public struct Stub: Hashable, Sendable {
  /// The priority of a stub that does not say otherwise.
  public static let defaultPriority = 5
  /// The longest key allowed, in characters.
  public static let maximumKeyLength = 200

  /// The name of the stub, unique in its scenario: 1 to 200 characters, no control characters.
  public var key: String
  /// A description in one line; nil if there is none.
  public var summary: String?
  /// 1 and up, 5 unless said otherwise; the lowest number answers first.
  public var priority: Int
  /// Whether a run in which this stub answered nothing fails its verification; false by default.
  public var isRequired: Bool
  /// What a request must satisfy.
  public var request: RequestPattern
  /// What is kept of a request that this stub answers, always sorted by name; empty for nothing.
  public var captures: [Capture] {
    didSet { captures = Capture.sorted(captures) }
  }
  /// What is answered, in order; never empty: an empty list becomes an empty 200.
  public var responses: [StubResponse] {
    didSet { if responses.isEmpty { responses = [StubResponse()] } }
  }
  /// What happens once every response has been given as often as it says.
  public var then: Exhaustion
  /// The step this stub takes in a state machine of the scenario; nil for none.
  public var flow: FlowStep?
  /// When and from where the stub was recorded; nil if it was written by hand.
  public var recorded: Recording?

  /// Makes a stub; without responses it answers with an empty 200, captures are sorted by name.
  public init(
    key: String, summary: String? = nil, priority: Int = Stub.defaultPriority,
    isRequired: Bool = false, request: RequestPattern = RequestPattern(), captures: [Capture] = [],
    responses: [StubResponse] = [StubResponse()], then: Exhaustion = .repeatLast,
    flow: FlowStep? = nil, recorded: Recording? = nil
  ) {
    self.key = key
    self.summary = summary
    self.priority = priority
    self.isRequired = isRequired
    self.request = request
    self.captures = Capture.sorted(captures)
    self.responses = responses.isEmpty ? [StubResponse()] : responses
    self.then = then
    self.flow = flow
    self.recorded = recorded
  }
}

/// What a stub does after its responses are used up.
public enum Exhaustion: String, Hashable, Sendable, CaseIterable {
  /// Repeats the last response; the default.
  case repeatLast
  /// Begins again with the first response.
  case cycle
  /// Answers nothing, so that the request is unmatched.
  case fail
  /// Leaves the request to the next stub that matches.
  case next
  /// Leaves the request to the real network.
  case passthrough
}

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
