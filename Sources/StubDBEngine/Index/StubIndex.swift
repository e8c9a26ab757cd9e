import StubDBModel

/// Finds the stubs that may match a request without checking the others.
///
/// Paths without placeholders are indexed by their text, also those in whole URLs, paths with placeholders by their
/// segments; stubs with another pattern for the path, or without one, have a bucket of their own. A bucket with many stubs is partitioned by host, method, query
/// parameters, header fields and content.
struct StubIndex: Sendable {
  /// The rank of the only stub of a path, or the place of a bucket, as its complement.
  ///
  /// Not the buckets themselves: the smaller the table, the more of it stays in the processor's caches.
  private var literals: [String: Int32] = [:]
  private var buckets: [StubBucket] = []
  private var placeholders = PathTrie()
  private var rest: StubBucket?

  /// Indexes stubs in the order in which they answer.
  init(_ stubs: [CompiledRequest]) {
    literals.reserveCapacity(stubs.count)
    var crowded: [Int] = []
    for index in stubs.indices {
      let rank = Int32(index)
      switch stubs[index].path {
      case .placeholders(let path): placeholders.insert(path, rank: rank)
      case .literal(let text):
        append(rank, forPath: text, &crowded)
      case .any, .value:
        // The whole URL says the path.
        if let path = stubs[index].pathOfURL {
          append(rank, forPath: path, &crowded)
        } else {
          StubBucket.append(rank, to: &rest)
        }
      }
    }
    for place in crowded { buckets[place] = StubSplit.bucket(buckets[place].ranks, of: stubs) }
    placeholders.split(stubs)
    rest = rest.map { StubSplit.bucket($0.ranks, of: stubs) }
  }

  /// Adds the rank, and the place of the bucket to a list when it becomes too large.
  private mutating func append(_ rank: Int32, forPath path: String, _ crowded: inout [Int]) {
    guard let place = literals.index(forKey: path) else {
      literals[path] = rank
      return
    }
    let known = literals.values[place]
    if known >= 0 {
      literals.values[place] = ~Int32(buckets.count)
      buckets.append(.list([known, rank]))
      return
    }
    buckets[Int(~known)].append(rank)
    if buckets[Int(~known)].count == StubBucket.largestList + 1 { crowded.append(Int(~known)) }
  }

  /// The stubs that may match, in order.
  func candidates(for request: PreparedRequest) -> StubCandidates {
    var candidates = StubCandidates()
    if let place = literals[request.path] {
      if place >= 0 {
        candidates.add(place)
      } else {
        buckets[Int(~place)].addCandidates(for: request, to: &candidates)
      }
    }
    placeholders.addCandidates(for: request, to: &candidates)
    rest?.addCandidates(for: request, to: &candidates)
    return candidates
  }
}
