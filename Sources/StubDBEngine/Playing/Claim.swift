/// What a run decided under its lock about one request that is answered.
struct Claim {
  /// An answer of a stub.
  struct Turn {
    /// The rank of the stub.
    var rank: Int
    /// How many answers the stub gave before.
    var answer: Int
    /// Which of its responses is given; nil where it is used up and the real network answers.
    var response: Int?
  }

  /// What is given.
  var turn: Turn
  /// The responses that handed the request over and slow the answer down, in order.
  var handovers: [Turn]
  /// The entry of the journal.
  var event: ServeEvent
  /// What templates see; nil where there are none.
  var kept: Kept?

  /// What a run keeps, as one answer sees it.
  struct Kept {
    var captured: CapturedValues
    var counts: [String: Int]
    var generator: SeededGenerator
  }
}
