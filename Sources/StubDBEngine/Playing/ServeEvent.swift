public import StubDBModel

/// One request that came in and what answered it: an entry of the journal.
public struct ServeEvent: Hashable, Sendable {
  /// The place in the journal, from 1.
  public let number: Int
  /// The request.
  public let request: StubRequest
  /// The scenario whose document holds the stub that answered; nil when none did.
  public let scenario: ScenarioName?
  /// The key of the stub that answered; nil when none did.
  public let stubKey: String?
  /// Which of the stub's responses was given, from 0; nil when none was.
  public let responseIndex: Int?
  /// The nearest stubs, at most three, nearest first; empty when a stub answered.
  public internal(set) var nearMisses: [NearMiss]

  /// Whether a stub answered.
  public var isMatched: Bool { stubKey != nil }
}
