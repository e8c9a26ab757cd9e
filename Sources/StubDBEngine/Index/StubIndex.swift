/// Finds the stubs that may match a request without checking the others.
///
/// Paths without placeholders are indexed by their text, also those in whole URLs, paths with placeholders by their
/// segments; stubs with another pattern for the path, or without one, have a bucket of their own. A bucket with many stubs is partitioned by host, method, query
/// parameters, header fields and content.
struct StubIndex: Sendable {
  private var literals = BucketTable()
  private var placeholders = PathTrie()
  private var rest: StubBucket?

  /// Indexes stubs in the order in which they answer.
  init(_ stubs: [CompiledRequest]) {
    literals.reserveCapacity(stubs.count)
    for index in stubs.indices {
      let rank = Int32(index)
      switch stubs[index].path {
      case .placeholders(let path): placeholders.insert(path, rank: rank)
      case .literal(let text):
        literals.append(rank, for: text)
      case .any, .value:
        // The whole URL says the path.
        if let path = stubs[index].pathOfURL {
          literals.append(rank, for: path)
        } else {
          StubBucket.append(rank, to: &rest)
        }
      }
    }
    literals.split { StubSplit.bucket($0, of: stubs) }
    placeholders.split(stubs)
    rest = rest.map { StubSplit.bucket($0.ranks, of: stubs) }
  }

  /// The stubs that may match, in order.
  func candidates(for request: PreparedRequest) -> StubCandidates {
    var candidates = StubCandidates()
    literals.addCandidates(of: request.path, for: request, to: &candidates)
    placeholders.addCandidates(for: request, to: &candidates)
    rest?.addCandidates(for: request, to: &candidates)
    return candidates
  }
}
