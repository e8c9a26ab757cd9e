package import Foundation
import StubDBEngine
import StubDBSupport

/// The requests to runs of tests that had ended, until a report names them.
///
/// They fail nothing: the test that sent them has its verdict, and the one that runs meanwhile is not to blame.
package enum LateRequests {
  /// A test that has ended, and when.
  package struct Ended: Sendable {
    let test: String
    let time = ContinuousClock.now

    package init(test: String) { self.test = test }
  }

  private struct State {
    var sentences: [String] = []
    /// The requests that have a sentence, each with its test.
    var known: Set<String> = []
    var omitted = 0
  }

  /// More sentences than a person reads.
  private static let mostSentences = 20

  private static let state = Locked(State())

  /// Notes a request of a test that has ended, once for each path; `clause` is its outcome.
  package static func note(
    _ method: String?, _ url: URL?, after ended: Ended, _ clause: String = ""
  ) {
    let path = url.map { $0.path.isEmpty ? "/" : $0.path } ?? "/"
    let request = "\(method ?? "GET") \(SecretDisplay.text(path))"
    let seconds = (ContinuousClock.now - ended.time) / .seconds(1)
    state.withLock { state in
      guard state.known.insert("\(request) \(ended.test)").inserted else { return }
      if state.sentences.count == mostSentences {
        state.omitted += 1
        return
      }
      state.sentences.append(
        "\(request) came \(text(seconds)) after \(ended.test) had ended\(clause)")
    }
  }

  /// The sentences about the requests since the last call, each without its full stop.
  package static func take() -> [String] {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard state.omitted > 0 else { return state.sentences }
    return state.sentences + ["\(Plural.of(state.omitted, "more request")) came as late"]
  }

  private static func text(_ seconds: Double) -> String {
    seconds < 0.1 ? "\(Int(seconds * 1_000)) ms" : String(format: "%.1f s", seconds)
  }
}
