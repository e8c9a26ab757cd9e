import StubDBModel

/// How slowly an answer comes, in the scenario's time: what its own response says and what those say that handed it over.
public struct ResponsePacing: Hashable, Sendable {
  /// How long the answer is held back; zero or more.
  public private(set) var delay = Duration.zero
  /// How many bytes come in a second; nil for all at once.
  public private(set) var rate: Int?

  /// No delay, and all at once.
  public init() {}

  /// Adds the delay and the throttle of a response: times add up, the slowest network counts.
  mutating func add(_ response: borrowing StubResponse, using generator: inout SeededGenerator) {
    delay += response.delay?.draw(using: &generator) ?? .zero
    guard let throttle = response.throttle else { return }
    delay += throttle.latency
    rate = min(rate ?? .max, throttle.rate)
  }
}
