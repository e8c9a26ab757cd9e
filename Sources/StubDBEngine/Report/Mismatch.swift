public import StubDBJSON
internal import StubDBModel

/// One part of a request that is not as a stub wants it.
public struct Mismatch: Hashable, Sendable {
  /// The part: `method`, `scheme`, `host`, `port`, `path`, `path parameter id`, `query customer`, `header Accept`,
  /// `cookie session`, `basicAuth`, `captured id`, `body`, `form name`, `part avatar`, `graphql query`, `responses` for a stub that is
  /// used up, `flow order` for one that the state of a flow blocks, or `next` for one that hands the request on to nobody.
  public var part: String
  /// The place inside a JSON body; nil for a part that is not JSON.
  public var pointer: JSONPointer?
  /// What the stub wants, for people.
  public var expected: String
  /// What the request holds, for people, cut at about 200 characters.
  public var actual: String

  /// Makes a mismatch.
  public init(part: String, pointer: JSONPointer? = nil, expected: String, actual: String) {
    self.part = part
    self.pointer = pointer
    self.expected = expected
    self.actual = actual
  }
}
