/// A run's decision about a request that is answered, made under the run's lock.
struct Claim {
  /// An answer of a stub.
  struct Turn: Hashable {
    /// The rank of the stub.
    var rank: Int
    /// The number of the stub's previous answers.
    var answer: Int
    /// The index of its response; nil if the responses are used up and the real network answers.
    var response: Int?
  }

  /// A turn, with the values of its counters including this answer.
  struct Step: Hashable {
    var turn: Turn
    var counts: [String: Int]
  }

  /// The turn that answers.
  var turn: Turn
  /// The turns that passed the request on and slow the answer down, in order.
  var delegations: [Turn]
  /// The entry of the journal.
  var event: ServeEvent
  /// The state for templates; nil if there are none.
  var state: TemplateState?
  /// What the resource of the stub answers; nil if a response does.
  var reply: ResourceReply?

  /// The values that a run keeps, as one answer sees them.
  struct TemplateState {
    var captured: CapturedValues
    var counts: [String: Int]
    /// The random numbers of the turn after its captures; nil if it has no captures.
    var generator: SeededGenerator?
  }
}

/// The result of an answer's captures, computed outside the run's lock.
///
/// It is valid only if the run has not changed in the meantime.
struct CaptureDraft {
  /// The answers whose captures were evaluated, in order; the last one answers.
  let steps: [Claim.Step]
  /// The values that the run kept before.
  let before: CapturedValues
  /// The values that it keeps afterwards.
  var captured: CapturedValues
  /// The random numbers of the last answer.
  var generator: SeededGenerator?
  var errors: [RenderingError] = []

  init(_ steps: [Claim.Step], from captured: CapturedValues) {
    self.steps = steps
    before = captured
    self.captured = captured
  }

  /// Whether the other work begins with the same state.
  func holds(_ steps: [Claim.Step], _ captured: CapturedValues) -> Bool {
    before.revision == captured.revision && self.steps == steps
  }
}
