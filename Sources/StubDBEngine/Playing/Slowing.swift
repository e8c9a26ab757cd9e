import StubDBModel

/// How slowly an answer comes: what its own response says and what those say that handed it over.
struct Slowing {
  private(set) var delay = Duration.zero
  /// How many bytes come in a second; nil for all at once.
  private(set) var rate: Int?

  /// Adds the delay and the throttle of a response: times add up, the slowest network counts.
  mutating func add(_ response: StubResponse, using generator: inout SeededGenerator) {
    delay += response.delay?.draw(using: &generator) ?? .zero
    guard let throttle = response.throttle else { return }
    delay += throttle.latency
    rate = min(rate ?? .max, throttle.rate)
  }
}
