import StubDBModel

/// The stubs that match a request, in the order in which they answer.
///
/// Looked for only as far as they are needed: mostly the first one answers. What compares with values that the run keeps
/// is compared apart from the rest, with the values as they were at one moment, and again if they have changed since.
struct StubMatches {
  private let stubs: CompiledStubs
  private let request: PreparedRequest
  private var candidates: StubCandidates
  /// The ranks of those found so far, whatever the run keeps.
  private(set) var ranks: [Int] = []
  /// Whether there are no more.
  private(set) var isComplete = false
  /// Whether a stub matches what the run kept at ``revision``; only for stubs that compare with it.
  private var verdicts: [Int: Bool] = [:]
  private var revision = 0

  init(_ stubs: CompiledStubs, _ request: PreparedRequest) {
    self.stubs = stubs
    self.request = request
    candidates = stubs.index.candidates(for: request)
  }

  /// Finds one more at first, then as many again as there are.
  mutating func findMore() {
    guard !request.isHead else { return findAllForHead() }
    var missing = max(1, ranks.count)
    while missing > 0, let rank = candidates.next() {
      guard mayMatch(rank) else { continue }
      ranks.append(rank)
      missing -= 1
    }
    isComplete = missing > 0
  }

  /// Finds all, those first that name `HEAD`: a stub for `GET` answers only if none of them does.
  private mutating func findAllForHead() {
    while let rank = candidates.next() {
      if mayMatch(rank) { ranks.append(rank) }
    }
    let namesHead = { [stubs] in stubs.requests[$0].methods.contains("HEAD") }
    ranks = ranks.filter(namesHead) + ranks.filter { !namesHead($0) }
    isComplete = true
  }

  private func mayMatch(_ rank: Int) -> Bool {
    stubs.requests[rank].matches(request, MatchScope(request.context), .independent)
  }

  /// Whether a stub that was found matches what the run keeps at a revision; nil if that was not compared yet.
  func verdict(_ rank: Int, at revision: Int) -> Bool? {
    guard stubs.requests[rank].asksForCaptured else { return true }
    return revision == self.revision ? verdicts[rank] : nil
  }

  /// Compares what was found with the values that the run keeps.
  mutating func compare(with captured: CapturedValues) {
    if revision != captured.revision { verdicts = [:] }
    revision = captured.revision
    for rank in ranks where stubs.requests[rank].asksForCaptured && verdicts[rank] == nil {
      let scope = stubs.scope(rank, request, captured)
      verdicts[rank] = stubs.requests[rank].matches(request, scope, .captured)
    }
  }
}
