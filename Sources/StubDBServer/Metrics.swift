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
    var requests: [Row: Int] = [:]
    var unmatched = 0
    /// How long answers took without what stubs ask for.
    var durations = Histogram()
    /// How long stubs asked clients to wait, of the answers with a delay.
    var delays = Histogram()
    var reloads = (done: 0, failed: 0)
  }

  private let state = Locked(State())
  /// When the server was made, in seconds since 1970.
  let startTime = Date().timeIntervalSince1970

  var current: State { state.withLock { $0 } }

  /// Counts an answer.
  func count(_ entry: AccessLogEntry) {
    let row = Row(
      scenario: entry.event?.scenario?.rawValue ?? "", key: entry.event?.stubKey ?? "",
      status: entry.status)
    state.withLock { state in
      if let place = state.requests.index(forKey: row) {
        state.requests.values[place] += 1
      } else {
        let hasRoom = state.requests.count < Self.mostRows
        state.requests[hasRoom ? row : .other, default: 0] += 1
      }
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
