import StubDBModel

/// How slowly an answer comes, in the scenario's time, because of its response and those that passed it on.
public struct ResponsePacing: Hashable, Sendable {
  /// The delay before the answer; zero or more.
  public private(set) var delay = Duration.zero
  /// The bytes per second; nil for all at once.
  public private(set) var rate: Int?

  /// No delay, and no throttle.
  public init() {}

  /// Adds the delay and the throttle of a response: delays add up, the slowest throttle counts.
  mutating func add(_ response: borrowing StubResponse, using generator: inout SeededGenerator) {
    delay += response.delay?.draw(using: &generator) ?? .zero
    guard let throttle = response.throttle else { return }
    delay += throttle.latency
    rate = min(rate ?? .max, throttle.rate)
  }
}
