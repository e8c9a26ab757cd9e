import Foundation
import StubDBEngine
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The requests to runs of tests that had ended, until a report names them.
///
/// They fail nothing: the test that sent them has its verdict, and the one that runs meanwhile is not to blame.
package enum LateRequests {
  private struct State {
    var runs: [ObjectIdentifier: (test: String, end: ContinuousClock.Instant)] = [:]
    /// The classes of the runs, the first one ended first.
    var order: [ObjectIdentifier] = []
    var sentences: [String] = []
  }

  /// A request rarely comes after more tests have ended.
  private static let mostRuns = 2_048
  /// More sentences than a person reads.
  private static let mostSentences = 20

  private static let state = Locked(State())

  /// Remembers of which test the run was that a class answered for.
  static func remember(_ protocolClass: AnyClass, of test: String) {
    let (identifier, end) = (ObjectIdentifier(protocolClass), ContinuousClock.now)
    state.withLock { state in
      state.runs[identifier] = (test, end)
      state.order.append(identifier)
      guard state.order.count > mostRuns else { return }
      for old in state.order.prefix(mostRuns / 2) { state.runs[old] = nil }
      state.order.removeFirst(mostRuns / 2)
    }
  }

  /// Notes a request to a class whose run has ended.
  static func note(_ request: URLRequest, to protocolClass: AnyClass) {
    let path = request.url.map { $0.path.isEmpty ? "/" : $0.path } ?? "/"
    let request = "\(request.httpMethod ?? "GET") \(SecretDisplay.text(path))"
    state.withLock { state in
      guard let run = state.runs[ObjectIdentifier(protocolClass)],
        state.sentences.count < mostSentences
      else { return }
      let seconds = (ContinuousClock.now - run.end) / .seconds(1)
      state.sentences.append("\(request) came \(text(seconds)) after \(run.test) had ended")
    }
  }

  /// The sentences about the requests since the last call, each without its full stop.
  package static func take() -> [String] {
    state.withLock { state in
      defer { state.sentences = [] }
      return state.sentences
    }
  }

  private static func text(_ seconds: Double) -> String {
    seconds < 0.1 ? "\(Int(seconds * 1_000)) ms" : String(format: "%.1f s", seconds)
  }
}
