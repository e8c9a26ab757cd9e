import Foundation
import StubDBModel

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
