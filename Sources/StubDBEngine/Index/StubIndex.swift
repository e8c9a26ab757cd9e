import StubDBModel

/// Finds the stubs that may match a request without checking the others.
///
/// Paths without placeholders are indexed by their text, also those in whole URLs, paths with placeholders by their
/// segments; stubs with another pattern for the path, or without one, have a bucket of their own. A bucket with many stubs is partitioned by host, method, query
/// parameters, header fields and content.
struct StubIndex: Sendable {
  private var literals: [String: StubBucket] = [:]
  private var placeholders = PathTrie()
  private var rest: StubBucket?

  /// Indexes stubs in the order in which they answer.
  init(_ stubs: [CompiledRequest]) {
    literals.reserveCapacity(stubs.count)
    var crowded: Set<String> = []
    for index in stubs.indices {
      let rank = Int32(index)
      switch stubs[index].path {
      case .placeholders(let path): placeholders.insert(path, rank: rank)
      case .literal(let text):
        if append(rank, forPath: text) { crowded.insert(text) }
      case .any, .value:
        // The whole URL says the path.
        if let path = stubs[index].pathOfURL {
          if append(rank, forPath: path) { crowded.insert(path) }
        } else {
          StubBucket.append(rank, to: &rest)
        }
      }
    }
    for path in crowded {
      literals[path] = literals[path].map { StubSplit.bucket($0.ranks, of: stubs) }
    }
    placeholders.split(stubs)
    rest = rest.map { StubSplit.bucket($0.ranks, of: stubs) }
  }

  /// Adds the rank; true if the bucket has become too large.
  private mutating func append(_ rank: Int32, forPath path: String) -> Bool {
    guard let place = literals.index(forKey: path) else {
      literals[path] = .one(rank)
      return false
    }
    literals.values[place].append(rank)
    return literals.values[place].count == StubBucket.largestList + 1
  }

  /// The stubs that may match, in order.
  func candidates(for request: PreparedRequest) -> StubCandidates {
    var candidates = StubCandidates()
    literals[request.path]?.addCandidates(for: request, to: &candidates)
    placeholders.addCandidates(for: request, to: &candidates)
    rest?.addCandidates(for: request, to: &candidates)
    return candidates
  }
}
