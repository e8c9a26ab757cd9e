internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// The delays of a response, its pieces and their pace, as members of a mapping's response.
struct WireMockTiming {
  /// A day, in milliseconds: as long as a client can be made to wait.
  static let endless = 86_400_000

  private(set) var members: JSONObject = [:]

  private let document: SourceValue?

  /// The timing of a response with so many bytes of content.
  init(_ response: StubResponse, document: SourceValue?, byteCount: Int) {
    self.document = document
    if let delay = response.delay { addDelay(delay) }
    if let chunks = response.chunks { addChunks(chunks) }
    if let throttle = response.throttle {
      addThrottle(throttle, hasDelay: response.delay != nil, byteCount: byteCount)
    }
  }

  private mutating func addChunks(_ chunks: ResponseChunks) {
    let place = document?["chunks"]
    switch chunks.kind {
    case .split(let count, let duration):
      place?.keep()
      members["chunkedDribbleDelay"] = dribble(
        count: count, over: milliseconds(duration, at: place))
    case .pieces(let pieces):
      if let even = Self.even(pieces) {
        place?.keep()
        members["chunkedDribbleDelay"] = dribble(
          count: pieces.count, over: milliseconds(even, at: place))
      } else if pieces.count > 1 || pieces[0].after != .zero {
        place?.change(
          .streamTiming, "The pieces are one content there, without the times between them")
      } else {
        place?.keep()
      }
    }
  }

  private func dribble(count: Int, over duration: Int) -> JSONValue {
    [
      "numberOfChunks": .number(JSONNumber(count)),
      "totalDuration": .number(JSONNumber(duration)),
    ]
  }

  /// The whole time of pieces of one size at equal distances, as WireMock sends them; nil for others.
  private static func even(_ pieces: [ResponseChunks.Piece]) -> Duration? {
    guard pieces.count > 1, let first = pieces.first, first.after != .zero else { return nil }
    let sizes = pieces.map(\.body.byteCount)
    let total = sizes.reduce(0, +)
    let isEven =
      sizes.dropLast().allSatisfy { $0 == total / pieces.count }
      && pieces.allSatisfy { $0.after == first.after }
    return isEven ? first.after * pieces.count : nil
  }

  private mutating func addDelay(_ delay: ResponseDelay) {
    let place = document?["delay"]
    place?.keep()
    switch delay.kind {
    case .fixed(let duration):
      members["fixedDelayMilliseconds"] = .number(JSONNumber(milliseconds(duration, at: place)))
    case .uniform(let shortest, let longest):
      members["delayDistribution"] = [
        "type": "uniform", "lower": .number(JSONNumber(milliseconds(shortest, at: place))),
        "upper": .number(JSONNumber(milliseconds(longest, at: place))),
      ]
    case .lognormal(let median, let sigma):
      members["delayDistribution"] = [
        "type": "lognormal", "median": .number(JSONNumber(milliseconds(median, at: place))),
        "sigma": JSONNumber(sigma).map(JSONValue.number) ?? 0,
      ]
    }
  }

  private func milliseconds(_ duration: Duration, at place: SourceValue?) -> Int {
    let (seconds, attoseconds) = duration.components
    let unit: Int64 = 1_000_000_000_000_000
    if attoseconds % unit != 0 {
      place?.change(.streamTiming, "WireMock counts whole milliseconds")
    }
    return Int(seconds) * 1000 + Int((attoseconds + unit / 2) / unit)
  }

  private mutating func addThrottle(
    _ throttle: ResponseThrottle, hasDelay: Bool, byteCount: Int
  ) {
    document?["throttle"]?.change(
      .streamTiming, "The content arrives in equal pieces in about the same time")
    if throttle.latency != .zero, !hasDelay {
      members["fixedDelayMilliseconds"] = .number(
        JSONNumber(milliseconds(throttle.latency, at: nil)))
    }
    guard byteCount > 0, members["chunkedDribbleDelay"] == nil else { return }
    let duration = Int(min(Double(byteCount) * 1000 / Double(throttle.rate), Double(Self.endless)))
    members["chunkedDribbleDelay"] = dribble(
      count: max(1, min(200, duration / 50)), over: duration)
  }
}
