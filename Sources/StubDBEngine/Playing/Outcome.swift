/// A run's decision about a request.
public enum Outcome: Sendable {
  /// A stub answers.
  case respond(Selection)
  /// No stub answers; the entry of the journal.
  case unmatched(ServeEvent)
}
