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
