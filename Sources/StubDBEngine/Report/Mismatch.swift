public import StubDBJSON
internal import StubDBModel

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
  public init(part: String, pointer: JSONPointer? = nil, expected: String, actual: String) {
    self.part = part
    self.pointer = pointer
    self.expected = expected
    self.actual = actual
  }
}
