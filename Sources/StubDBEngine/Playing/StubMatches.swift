/// The stubs that match a request, in the order in which they answer.
///
/// They are found only as far as they are needed: usually the first one answers. Comparisons with values that the run
/// keeps are separate from the rest. They use the values at one moment, and are repeated if those have changed.
struct StubMatches {
  private let stubs: CompiledStubs
  private let request: PreparedRequest
  /// The request as on the day of the recording, which may match as well; nil if dates are not moved.
  let earlier: PreparedRequest?
  private var candidates: StubCandidates
  /// The ranks of those found so far, regardless of kept values.
  private(set) var ranks: [Int] = []
  /// Whether there are no more.
  private(set) var isComplete = false
  /// Whether a stub matches the values that the run kept at ``revision``; only for stubs that compare with them.
  private var verdicts: [Int: Bool] = [:]
  private var revision = 0

  init(_ stubs: CompiledStubs, _ request: PreparedRequest, earlier: PreparedRequest? = nil) {
    self.stubs = stubs
    (self.request, self.earlier) = (request, earlier)
    candidates = stubs.index.candidates(for: request)
    if let earlier { candidates.add(stubs.index.candidates(for: earlier).map(Int32.init)) }
  }

  /// Finds one more at first, then twice as many.
  mutating func findMore() {
    guard !request.isHead else { return findAllForHead() }
    var missing = max(1, ranks.count)
    while missing > 0, !request.context.isAbandoned, let rank = candidates.next() {
      guard mayMatch(rank) else { continue }
      ranks.append(rank)
      missing -= 1
    }
    isComplete = missing > 0
  }

  /// Finds all; those that name `HEAD` come first, since a stub for `GET` answers only if none of them does.
  private mutating func findAllForHead() {
    while !request.context.isAbandoned, let rank = candidates.next() {
      if mayMatch(rank) { ranks.append(rank) }
    }
    let namesHead = { [stubs] in stubs.requests[$0].namesHead }
    ranks = ranks.filter(namesHead) + ranks.filter { !namesHead($0) }
    isComplete = true
  }

  private func mayMatch(_ rank: Int) -> Bool {
    // Compared in place: taking a pattern out of the array retains what it is made of.
    stubs.requests.withUnsafeBufferPointer { requests in
      requests[rank].matches(request, MatchScope(request.context), .independent)
        || earlier.map { requests[rank].matches($0, MatchScope($0.context), .independent) } ?? false
    }
  }

  /// Whether a stub that was found matches the values that the run keeps at a revision; nil if that was not compared.
  func verdict(_ rank: Int, at revision: Int) -> Bool? {
    guard stubs.requests[rank].asksForCaptured else { return true }
    return revision == self.revision ? verdicts[rank] : nil
  }

  /// Compares the stubs that were found with the values that the run keeps.
  mutating func compare(with captured: CapturedValues) {
    if revision != captured.revision { verdicts = [:] }
    revision = captured.revision
    for rank in ranks where stubs.requests[rank].asksForCaptured && verdicts[rank] == nil {
      let scope = stubs.scope(rank, request, captured)
      verdicts[rank] =
        stubs.requests[rank].matches(request, scope, .captured)
        || earlier.map { stubs.requests[rank].matches($0, scope, .captured) } ?? false
    }
  }
}
