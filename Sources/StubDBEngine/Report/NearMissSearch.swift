import StubDBModel

/// Finds the stubs that are nearest to an unmatched request.
///
/// Compares the method, host and path of every stub, then, if many are equally near, the plain values of those, and
/// then every part of the nearest.
struct NearMissSearch {
  /// How many near misses are returned.
  static let count = 3
  /// How many stubs are compared in every part; fewer if the content is large.
  private static let finalists = (usual: 256, largeBody: 16)
  private static let largeBody = 64 * 1024
  private static let farthest = 1_500
  /// How many stubs that are equally near by method, host and path are ranked by their plain values.
  private static let mostTied = 20_000

  let stubs: CompiledStubs
  let request: PreparedRequest
  /// The state of the run.
  let progress: RunState.Progress
  /// Ranks of stubs that match in every part but that the run holds back: used up, blocked by a flow, or handing the request on.
  let held: [Int]

  /// The nearest stubs, nearest first.
  ///
  /// Those that have the method, the host and the path of the request come before all others: a person means one of
  /// them, however much else differs. Of equally near ones, the one that answers first comes first.
  func nearest() -> [NearMiss] {
    let candidates = Set(finalists() + held.prefix(Self.finalists.usual)).sorted()
    let compared = candidates.prefix { _ in !request.context.isAbandoned }
      .map { rank in (rank: rank, comparison: comparison(rank)) }
      .filter { !$0.comparison.mismatches.isEmpty }
      .sorted { one, other in
        let isAtTarget = one.comparison.isAtTarget
        guard isAtTarget == other.comparison.isAtTarget else { return isAtTarget }
        return (one.comparison.distance, one.rank) < (other.comparison.distance, other.rank)
      }
    // A scenario that an overlay includes, too, has its stubs twice.
    var seen: Set<SourceName> = []
    let nearest = compared.filter { seen.insert(SourceName(stubs.sources[$0.rank])).inserted }
    return nearest.prefix(Self.count).map { rank, comparison in
      let source = stubs.sources[rank]
      return NearMiss(
        scenario: source.origin, key: source.stub.key.rawValue,
        pattern: source.stub.request.requestLine,
        distance: comparison.distance, mismatches: comparison.mismatches)
    }
  }

  /// The stub compared in every part.
  func comparison(_ rank: Int) -> RequestComparison {
    let scope = stubs.scope(rank, request, progress.captured)
    var comparison = RequestComparison(stubs.requests[rank], request, scope)
    if let sequence = stubs.sequences[rank], let given = progress.given[rank] {
      switch sequence.turn(after: given) {
      case .fail, .next:
        comparison.addUsedUp(total: sequence.total, then: stubs.sources[rank].stub.then)
      case .response, .passthrough: break
      }
    }
    if let flow = stubs.sources[rank].stub.flow, !progress.allows(flow) {
      comparison.addBlocked(flow, state: progress.state(ofFlow: flow.name))
    }
    if comparison.mismatches.isEmpty, held.contains(rank) { comparison.addHandedOn() }
    return comparison
  }

  /// The ranks of the stubs that are nearest by method, host and path.
  private func finalists() -> [Int] {
    var limit = Self.finalists.usual
    if case .value(let data) = request.body.bytes, data.count > Self.largeBody {
      limit = Self.finalists.largeBody
    }
    let ranks = stubs.sources.indices
    guard ranks.count > limit else { return Array(ranks) }
    let scores = ranks.map(score)
    var counts = [Int](repeating: 0, count: Self.farthest + 1)
    for score in scores { counts[score] += 1 }
    var (cut, nearer) = (0, 0)
    while cut < Self.farthest, nearer + counts[cut] < limit {
      nearer += counts[cut]
      cut += 1
    }
    let tied = ranks.filter { scores[$0] == cut }
    return ranks.filter { scores[$0] < cut } + nearest(limit - nearer, of: tied)
  }

  /// The stubs whose plain values are most similar to the request's.
  private func nearest(_ count: Int, of tied: [Int]) -> [Int] {
    guard tied.count > count else { return tied }
    var known: [StubFacet: Set<String>] = [:]
    let guesses = tied.prefix(Self.mostTied).map { rank in
      (rank: rank, guess: guess(stubs.requests[rank], &known))
    }
    return guesses.sorted { ($0.guess, $0.rank) < ($1.guess, $1.rank) }.prefix(count).map(\.rank)
  }

  /// The share of a pattern's values that the request does not have; 0.5 if it has none.
  private func guess(
    _ pattern: CompiledRequest, _ known: inout [StubFacet: Set<String>]
  ) -> Double {
    let facets = StubFacet.named(in: pattern)
    guard !facets.isEmpty else { return 0.5 }
    let missing = facets.count { facet in
      let keys = known[facet] ?? Set(facet.keys(of: request))
      known[facet] = keys
      return facet.keys(of: pattern).map { keys.isDisjoint(with: $0) } ?? false
    }
    return Double(missing) / Double(facets.count)
  }

  /// A cheap estimate of the distance, 0 to ``farthest``.
  private func score(_ rank: Int) -> Int {
    min(stubs.requests[rank].guess(request), Self.farthest)
  }
}
