#if Server
import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport

/// Counts what the server answers, for `GET metrics`.
///
/// The number of labels is bounded, however many stubs answer.
final class Metrics: Sendable {
  /// The largest number of rows of requests; more are counted together.
  static let mostRows = 1_000

  /// What requests are counted by.
  struct Row: Hashable, Sendable {
    var scenario: String
    var key: String
    /// The status; nil if no response was sent.
    var status: Int?

    /// Stands for all rows beyond ``Metrics/mostRows``.
    static let other = Row(scenario: "other", key: "other", status: nil)
  }

  /// Durations by size.
  struct Histogram: Sendable {
    /// The upper limits of the buckets, in seconds.
    static let limits = [
      0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
      10,
    ]

    /// The number of durations in each bucket, and beyond the last limit.
    private(set) var counts = [Int](repeating: 0, count: limits.count + 1)
    /// The sum in seconds.
    private(set) var sum = 0.0

    mutating func add(_ duration: Duration) {
      let seconds = max(0, duration / .seconds(1))
      let bucket = Self.limits.firstIndex { seconds <= $0 } ?? Self.limits.count
      counts[bucket] += 1
      sum += seconds
    }
  }

  struct State: Sendable {
    fileprivate(set) var counts: [(row: Row, count: Int)] = []
    fileprivate var places: [Row: Int] = [:]
    var unmatched = 0
    /// How long answers took without what stubs ask for.
    var durations = Histogram()
    /// How long stubs asked clients to wait, of the answers with a delay.
    var delays = Histogram()
    var reloads = (done: 0, failed: 0)

    var requests: [Row: Int] { places.mapValues { counts[$0].count } }

    /// The place of a row, or of the one for all others.
    fileprivate mutating func place(of row: Row) -> Int {
      if let place = places[row] { return place }
      guard counts.count < Metrics.mostRows || row == .other else { return place(of: .other) }
      counts.append((row, 0))
      places[row] = counts.count - 1
      return counts.count - 1
    }
  }

  private let state = Locked(State())
  /// When the server was made, in seconds since 1970.
  let startTime = Date().timeIntervalSince1970

  var current: State { state.withLock { $0 } }

  func count(_ entry: AccessLogEntry) {
    let row = Row(
      scenario: entry.event?.scenario?.rawValue ?? "", key: entry.event?.stubKey ?? "",
      status: entry.status)
    state.withLock { state in
      let place = state.place(of: row)
      state.counts[place].count += 1
      if entry.event?.isMatched == false { state.unmatched += 1 }
      // A WebSocket is open for as long as its script and its client like.
      guard entry.status != 101 else { return }
      state.durations.add(entry.duration - entry.delay)
      if entry.delay > .zero { state.delays.add(entry.delay) }
    }
  }

  /// Counts that the catalog was read again, or could not be.
  func countReload(hasFailed: Bool) {
    state.withLock { state in
      if hasFailed { state.reloads.failed += 1 } else { state.reloads.done += 1 }
    }
  }
}
#endif
