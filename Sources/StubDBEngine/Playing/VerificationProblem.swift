public import StubDBModel

/// Something that did not go in a run as its scenario says.
public struct VerificationProblem: Hashable, Sendable, CustomStringConvertible {
  /// What kind of problem it is.
  ///
  /// Open: a later version may know more.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Makes a kind of the name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A request that no stub answered.
    public static let unmatchedRequest = Kind(rawValue: "unmatchedRequest")
    /// A stub marked required that answered nothing.
    public static let unusedStub = Kind(rawValue: "unusedStub")
    /// A stub with several responses that began and did not give them all.
    public static let unfinishedSequence = Kind(rawValue: "unfinishedSequence")
    /// A stub answered, but its template or what it keeps of the request does not fit the request.
    public static let failedTemplate = Kind(rawValue: "failedTemplate")
    /// A stub answered, but the content it answers with could not be read.
    public static let unreadableContent = Kind(rawValue: "unreadableContent")
    /// Another number of requests matches a pattern than a test expects.
    public static let unexpectedCount = Kind(rawValue: "unexpectedCount")
    /// Requests did not come in the order that a test expects.
    public static let unexpectedOrder = Kind(rawValue: "unexpectedOrder")
    /// A test expects requests of a pattern that means nothing.
    public static let invalidExpectation = Kind(rawValue: "invalidExpectation")
    /// A stub asks for the real network, which the test does not allow.
    public static let refusedPassthrough = Kind(rawValue: "refusedPassthrough")
  }

  /// What kind of problem it is.
  public let kind: Kind
  /// For people: a sentence, or for a request that no stub answered the whole report.
  public let message: String
  /// The scenario whose document holds the stub; the one that was played for a request.
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
