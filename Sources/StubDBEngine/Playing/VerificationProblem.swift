public import StubDBModel

/// A problem of a run: something that did not go as its scenario says.
public struct VerificationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a problem.
  ///
  /// Open: later versions may add kinds.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Makes a kind of the name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A request that no stub answered.
    public static let unmatchedRequest = Kind(rawValue: "unmatchedRequest")
    /// A required stub answered nothing.
    public static let unusedStub = Kind(rawValue: "unusedStub")
    /// A stub gave some of its responses, but not all.
    public static let unfinishedSequence = Kind(rawValue: "unfinishedSequence")
    /// A stub answered, but its template or capture failed for the request; or a closure returned a template.
    public static let failedTemplate = Kind(rawValue: "failedTemplate")
    /// A stub answered, but the content of its response could not be read.
    public static let unreadableContent = Kind(rawValue: "unreadableContent")
    /// A message of a WebSocket that its script does not expect, or the lack of one that it expects.
    public static let unexpectedMessage = Kind(rawValue: "unexpectedMessage")
    /// The number of requests that match a pattern is not the expected one.
    public static let unexpectedCount = Kind(rawValue: "unexpectedCount")
    /// Requests did not come in the expected order.
    public static let unexpectedOrder = Kind(rawValue: "unexpectedOrder")
    /// A request that a description of the API does not allow.
    public static let invalidRequest = Kind(rawValue: "invalidRequest")
    /// The journal has dropped entries that a verification needs.
    public static let incompleteJournal = Kind(rawValue: "incompleteJournal")
    /// A test expects requests of an invalid pattern.
    public static let invalidExpectation = Kind(rawValue: "invalidExpectation")
    /// A stub, a closure or the policy for unmatched requests asks for the real network, which is not allowed or does
    /// not exist.
    public static let refusedPassthrough = Kind(rawValue: "refusedPassthrough")
    /// A stub answers with a WebSocket, which only `stubdb serve` plays.
    public static let refusedWebSocket = Kind(rawValue: "refusedWebSocket")
  }

  /// The kind of the problem.
  public let kind: Kind
  /// A sentence, or the whole report on an unmatched request.
  public let message: String
  /// The scenario whose document contains the stub; for a request, the scenario that was played.
  public let scenario: ScenarioName
  /// The key of the stub; nil for a request.
  public let stubKey: String?
  /// The request that no stub answered; nil for a stub.
  public let request: StubRequest?

  package init(
    kind: Kind, message: String, scenario: ScenarioName, stubKey: String?, request: StubRequest?
  ) {
    self.kind = kind
    self.message = message
    self.scenario = scenario
    self.stubKey = stubKey
    self.request = request
  }

  /// The message.
  public var description: String { message }
}

/// Reports the problems of a run.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems; never empty.
  public let problems: [VerificationProblem]

  /// Makes an error with at least one problem.
  package init(problems: [VerificationProblem]) {
    self.problems = problems
  }

  /// The messages of all problems, separated by blank lines.
  public var description: String { problems.map(\.message).joined(separator: "\n\n") }
}
