/// The ranks of stubs that share a key, ascending.
enum StubBucket: Sendable {
  /// The largest number of ranks that are checked one by one.
  static let largestList = 8

  case one(Int32)
  case list([Int32])
  /// A larger bucket, partitioned by another key.
  indirect case split(StubSplit)

  /// Adds a rank above all others; only before the bucket is partitioned.
  mutating func append(_ rank: Int32) {
    switch self {
    case .one(let first):
      self = .list([first, rank])
    case .list(var ranks):
      // Releases the array before it grows, so that it is not copied.
      self = .one(rank)
      ranks.append(rank)
      self = .list(ranks)
    case .split:
      break
    }
  }

  /// Adds a rank above all others to a bucket, which is created if necessary.
  static func append(_ rank: Int32, to bucket: inout StubBucket?) {
    if bucket == nil { bucket = .one(rank) } else { bucket?.append(rank) }
  }

  var ranks: [Int32] {
    switch self {
    case .one(let rank): [rank]
    case .list(let ranks): ranks
    case .split: []
    }
  }

  var count: Int {
    switch self {
    case .one: 1
    case .list(let ranks): ranks.count
    case .split: 0
    }
  }

  func addCandidates(for request: PreparedRequest, to candidates: inout StubCandidates) {
    switch self {
    case .one(let rank): candidates.add(rank)
    case .list(let ranks): candidates.add(ranks)
    case .split(let split): split.addCandidates(for: request, to: &candidates)
    }
  }
}
