import StubDBModel

/// Divides content into pieces over time.
struct ChunkSchedule {
  /// The largest number of pieces; more would look like a steady flow anyway.
  private static let largestSplit = 10_000
  /// The largest number of pieces of a throttle, and the least time between them.
  private static let throttle = (largestCount: 200, shortestPause: 0.05)

  /// The number of bytes.
  let byteCount: Int
  let chunks: ResponseChunks?
  /// The bytes per second; nil for all at once.
  let rate: Int?
  /// The number of bytes after which the content breaks off; nil for its end.
  let limit: Int?

  /// The pieces; empty to send it at once.
  var pieces: [Answer.Piece] {
    var pieces: [Answer.Piece]
    switch chunks?.kind {
    case .split(let count, let time):
      pieces = split(into: min(count, Self.largestSplit), over: time)
    case .pieces(let chunks):
      pieces = chunks.map { .init(byteCount: $0.body.byteCount, after: max(.zero, $0.after)) }
    case nil:
      pieces = throttled
    }
    if let rate, chunks != nil {
      for index in pieces.indices {
        pieces[index].after += Self.time(of: pieces[index].byteCount, at: rate)
      }
    }
    guard let limit else { return pieces }
    if pieces.isEmpty { pieces = [.init(byteCount: byteCount)] }
    return Self.cut(pieces, after: limit)
  }

  /// Equal pieces, with the remainder in the last; each is sent at the end of its share of the time.
  ///
  /// This follows WireMock: https://wiremock.org/docs/simulating-faults/#chunked-dribble-delay
  private func split(into wanted: Int, over time: Duration) -> [Answer.Piece] {
    let count = max(1, min(wanted, byteCount))
    let (size, pause) = (byteCount / count, max(.zero, time) / count)
    return (0..<count).map { index in
      .init(
        byteCount: index == count - 1 ? byteCount - size * index : size, after: pause)
    }
  }

  private var throttled: [Answer.Piece] {
    guard let rate, byteCount > 0 else { return [] }
    let pauses = Double(byteCount) / Double(rate) / Self.throttle.shortestPause
    let count = min(byteCount, max(1, Int(min(pauses, Double(Self.throttle.largestCount)))))
    return (0..<count).map { index in
      let size =
        Self.share(index + 1, of: count, byteCount) - Self.share(index, of: count, byteCount)
      return .init(byteCount: size, after: Self.time(of: size, at: rate))
    }
  }

  /// The number of bytes that the first pieces have together.
  private static func share(_ pieces: Int, of count: Int, _ byteCount: Int) -> Int {
    byteCount / count * pieces + byteCount % count * pieces / count
  }

  private static func time(of byteCount: Int, at rate: Int) -> Duration {
    .seconds(Double(byteCount) / Double(rate))
  }

  /// The pieces up to a number of bytes; at least one, which marks where the content breaks off.
  private static func cut(
    _ pieces: [Answer.Piece], after limit: Int
  ) -> [Answer.Piece] {
    var (kept, left) = ([Answer.Piece](), limit)
    for piece in pieces {
      kept.append(.init(byteCount: min(piece.byteCount, left), after: piece.after))
      left -= min(piece.byteCount, left)
      if left == 0 { break }
    }
    return kept
  }
}
