import StubDBModel

/// The stubs that match a request as far as the request alone tells, in the order in which they answer.
///
/// Looked for only as far as somebody asks: mostly the first one answers.
struct StubMatches {
  private let stubs: CompiledStubs
  private let request: PreparedRequest
  private var candidates: StubCandidates
  /// The ranks of those found so far.
  private(set) var ranks: [Int] = []
  /// Whether there are no more.
  private(set) var isComplete = false

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
      guard stubs.mayMatch(rank, request) else { continue }
      ranks.append(rank)
      missing -= 1
    }
    isComplete = missing > 0
  }

  /// Finds all, those first that name `HEAD`: a stub for `GET` answers only where none of them does.
  private mutating func findAllForHead() {
    while let rank = candidates.next() {
      if stubs.mayMatch(rank, request) { ranks.append(rank) }
    }
    let namesHead = { [stubs] in stubs.sources[$0].stub.request.methods.contains("HEAD") }
    ranks = ranks.filter(namesHead) + ranks.filter { !namesHead($0) }
    isComplete = true
  }
}
