public import StubDBJSON
public import StubDBModel

/// A stub that almost matched.
public struct NearMiss: Hashable, Sendable {
  /// The scenario whose document contains the stub.
  public var scenario: ScenarioName
  /// The key of the stub.
  public var key: String
  /// The requests that the stub answers, as one line: `POST https://api.shop.test/v1/charges`.
  public var pattern: String
  /// The distance of the request from the stub: above 0, at most 1.
  public var distance: Double
  /// The differences in the order of a request: method, URL, header fields, body; never empty.
  public var mismatches: [Mismatch]

  /// Makes a near miss.
  package init(
    scenario: ScenarioName, key: String, pattern: String, distance: Double, mismatches: [Mismatch]
  ) {
    self.scenario = scenario
    self.key = key
    self.pattern = pattern
    self.distance = distance
    self.mismatches = mismatches
  }
}

/// A part of a request that does not satisfy a stub.
public struct Mismatch: Hashable, Sendable {
  /// The part: `method`, `scheme`, `host`, `port`, `path`, `url`, `path parameter id`, `query customer`, `header Accept`,
  /// `cookie session`, `basicAuth`, `captured id`, `body`, `form name`, `part avatar`, `graphql query`, `responses` for a stub that is
  /// used up, `flow order` for one that the state of a flow blocks, or `next` for one that passes the request on although no other stub matches.
  public var part: String
  /// The place inside JSON content; nil for other parts.
  public var pointer: JSONPointer?
  /// A description of what the stub requires.
  public var expected: String
  /// A description of what the request has, shortened to about 200 characters.
  public var actual: String

  /// Makes a mismatch.
  package init(part: String, pointer: JSONPointer? = nil, expected: String, actual: String) {
    self.part = part
    self.pointer = pointer
    self.expected = expected
    self.actual = actual
  }
}
