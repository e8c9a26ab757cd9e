/// Buckets of stubs by a text.
struct BucketTable: Sendable {
  /// The rank of the only stub of a text, or the place of a bucket, as its complement.
  ///
  /// Not the buckets themselves: the smaller the table, the more of it stays in the processor's caches.
  private var places: [String: Int32] = [:]
  private var buckets: [StubBucket] = []

  mutating func reserveCapacity(_ count: Int) {
    places.reserveCapacity(count)
  }

  /// Adds a rank above all others to the bucket of a text.
  mutating func append(_ rank: Int32, for text: String) {
    guard let index = places.index(forKey: text) else {
      places[text] = rank
      return
    }
    let known = places.values[index]
    if known < 0 {
      buckets[Int(~known)].append(rank)
    } else {
      places.values[index] = ~Int32(buckets.count)
      buckets.append(.list([known, rank]))
    }
  }

  /// The size of the largest bucket.
  var largest: Int { buckets.lazy.map(\.count).max() ?? min(places.count, 1) }

  /// Partitions the buckets that are too large to be checked one by one.
  mutating func split(_ partition: (_ ranks: [Int32]) -> StubBucket) {
    for index in buckets.indices where buckets[index].count > StubBucket.largestList {
      buckets[index] = partition(buckets[index].ranks)
    }
  }

  /// Adds the stubs of a text that may match.
  func addCandidates(
    of text: String, for request: PreparedRequest, to candidates: inout StubCandidates
  ) {
    guard let place = places[text] else { return }
    if place < 0 {
      buckets[Int(~place)].addCandidates(for: request, to: &candidates)
    } else {
      candidates.add(place)
    }
  }

  /// Adds the stubs of all texts that may match.
  func addAllCandidates(for request: PreparedRequest, to candidates: inout StubCandidates) {
    for place in places.values where place >= 0 { candidates.add(place) }
    for bucket in buckets { bucket.addCandidates(for: request, to: &candidates) }
  }
}
