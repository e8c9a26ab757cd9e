/// Where an answer goes that somebody else gives.
struct AnswerReceiver: Sendable {
  /// Whether the client takes content piece by piece.
  let isIncremental: Bool
  /// How long the client waits for the next thing to come; nil for the system to say.
  let timeout: Duration?
  /// Takes a decision in place of the one that led here; at most once.
  let decide: @Sendable (AnswerDecision) -> Void
  /// Takes what the client is to be told, in order, now.
  let tell: @Sendable (ClientEvent) -> Void
}
