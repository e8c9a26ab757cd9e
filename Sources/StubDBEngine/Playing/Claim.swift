/// What a run decided under its lock about one request that is answered.
struct Claim {
  /// An answer of a stub.
  struct Turn: Hashable {
    /// The rank of the stub.
    var rank: Int
    /// How many answers the stub gave before.
    var answer: Int
    /// Which of its responses is given; nil if it is used up and the real network answers.
    var response: Int?
  }

  /// A turn, and how often its counters were used, this answer counted.
  struct Step: Hashable {
    var turn: Turn
    var counts: [String: Int]
  }

  /// What is given.
  var turn: Turn
  /// The responses that handed the request over and slow the answer down, in order.
  var handovers: [Turn]
  /// The entry of the journal.
  var event: ServeEvent
  /// What templates see; nil if there are none.
  var kept: Kept?

  /// What a run keeps, as one answer sees it.
  struct Kept {
    var captured: CapturedValues
    var counts: [String: Int]
    /// The random numbers of the turn, as far as its captures have not used them; nil if there were no captures.
    var generator: SeededGenerator?
  }
}

/// What the captures of an answer come to, worked out outside of the run's lock.
///
/// Counts only if the run still stands where the work began.
struct CaptureDraft {
  /// The answers whose captures are carried out, in order; the last one is given.
  let steps: [Claim.Step]
  /// What the run kept before them.
  let before: CapturedValues
  /// What it keeps after them.
  var captured: CapturedValues
  /// The random numbers of the last answer.
  var generator: SeededGenerator?
  var failures: [TemplateFailure] = []

  init(_ steps: [Claim.Step], from captured: CapturedValues) {
    self.steps = steps
    before = captured
    self.captured = captured
  }

  /// Whether the work begins with the same.
  func holds(_ steps: [Claim.Step], _ captured: CapturedValues) -> Bool {
    before.revision == captured.revision && self.steps == steps
  }
}
