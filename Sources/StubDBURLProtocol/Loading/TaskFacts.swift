import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What an answer that is not simply there has to know of its task.
struct TaskFacts: Sendable {
  /// Whether the client takes content piece by piece.
  var isIncremental: Bool
  /// How long the client waits for the next thing to come; nil for the system to say.
  var timeout: Duration?
  /// How long the client waits for everything; nil for the system to say.
  var totalTimeout: Duration?

  /// How long may be waited now, in the scenario's time; nil without limit.
  func timeLeft(after elapsed: Duration) -> Duration? {
    let total = totalTimeout.map { max(.zero, $0 - elapsed) }
    return switch (timeout, total) {
    case (let one?, let other?): min(one, other)
    case (let one, let other): one ?? other
    }
  }
}
