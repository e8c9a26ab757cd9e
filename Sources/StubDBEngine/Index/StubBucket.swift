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

/// The stubs that may match a request, in the order in which they answer.
struct StubCandidates: Sequence, IteratorProtocol {
  /// The largest number of lists that are merged one rank at a time.
  private static let mostLists = 16

  /// The only rank, which most requests have; it needs no allocation.
  private var only: Int32?
  private var lists: [(ranks: [Int32], next: Int)] = []

  /// Adds one rank.
  mutating func add(_ rank: Int32) {
    if only == nil, lists.isEmpty { only = rank } else { add([rank]) }
  }

  /// Adds ranks in ascending order.
  mutating func add(_ ranks: [Int32]) {
    if let rank = only {
      only = nil
      lists.append(([rank], 0))
    }
    if !ranks.isEmpty { lists.append((ranks, 0)) }
  }

  mutating func next() -> Int? {
    if let rank = only {
      only = nil
      return Int(rank)
    }
    if lists.count > Self.mostLists { lists = [(Set(lists.flatMap(\.ranks)).sorted(), 0)] }
    var best: (list: Int, rank: Int32)?
    for index in lists.indices where lists[index].next < lists[index].ranks.count {
      let rank = lists[index].ranks[lists[index].next]
      if best.map({ rank < $0.rank }) ?? true { best = (index, rank) }
    }
    guard let best else { return nil }
    lists[best.list].next += 1
    // A stub for several methods may be in several lists.
    for index in lists.indices.dropFirst(best.list + 1)
    where lists[index].next < lists[index].ranks.count
      && lists[index].ranks[lists[index].next] == best.rank
    {
      lists[index].next += 1
    }
    return Int(best.rank)
  }
}
