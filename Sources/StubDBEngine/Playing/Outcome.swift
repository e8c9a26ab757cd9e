/// What a run decided about a request.
public enum Outcome: Sendable {
  /// A stub answers: what to send and when, and the entry of the journal.
  case respond(ResponsePlan, ServeEvent)
  /// No stub answers; the nearest ones, at most three, nearest first.
  case unmatched([NearMiss])
}
