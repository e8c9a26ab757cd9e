internal import Foundation
package import StubDBModel

/// A run's decision about a request: what a stub answers, first as a claim of its turn, then as the response.
package enum Outcome<Answered> {
  /// A stub answers.
  case respond(Answered)
  /// No stub answers; the entry of the journal.
  case unmatched(ServeEvent)
}

extension Outcome: Sendable where Answered: Sendable {}

/// The response that a run selected for a request.
package struct Selection: Sendable {
  /// The entry of the journal.
  package let event: ServeEvent
  /// The response, with its templates filled in; it delegates to the network if the stub does.
  package let response: StubResponse
  /// How slowly it comes.
  package let pacing: ResponsePacing
  /// What the frames of a WebSocket expect; nil for other responses.
  package let frames: FramePatterns?

  package init(
    event: ServeEvent, response: StubResponse, pacing: ResponsePacing, frames: FramePatterns?
  ) {
    (self.event, self.response, self.pacing, self.frames) = (event, response, pacing, frames)
  }
}

/// How slowly an answer comes, in the scenario's time, because of its response and those that passed it on.
package struct ResponsePacing: Hashable, Sendable {
  /// The delay before the answer; zero or more.
  package private(set) var delay = Duration.zero
  /// The bytes per second; nil for all at once.
  package private(set) var rate: Int?

  /// No delay, and no throttle.
  package init() {}

  /// Adds the delay and the throttle of a response: delays add up, the slowest throttle counts.
  mutating func add(_ response: borrowing StubResponse, using generator: inout SeededGenerator) {
    delay += response.delay?.draw(using: &generator) ?? .zero
    guard let throttle = response.throttle else { return }
    delay += throttle.latency
    rate = min(rate ?? .max, throttle.rate)
  }
}

extension ResponseDelay {
  /// The delay of this answer; between zero and the longest time of a document.
  func draw(using generator: inout SeededGenerator) -> Duration {
    let time: Duration
    switch kind {
    case .fixed(let duration):
      time = duration
    case .uniform(let shortest, let longest):
      time = shortest + (longest - shortest) * Double.random(in: 0...1, using: &generator)
    case .lognormal(let median, let sigma):
      let factor = exp(sigma * Self.normal(using: &generator))
      let limit = DurationText.maximum / max(median, .microseconds(1))
      time = median * min(factor, limit)
    }
    return min(max(.zero, time), DurationText.maximum)
  }

  /// A number of the standard normal distribution, by Box and Muller.
  private static func normal(using generator: inout SeededGenerator) -> Double {
    let radius = Double.random(in: Double.leastNormalMagnitude..<1, using: &generator)
    let angle = Double.random(in: 0..<1, using: &generator)
    return (-2 * log(radius)).squareRoot() * cos(2 * .pi * angle)
  }
}
