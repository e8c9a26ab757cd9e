import StubDBModel

/// Stubs partitioned by the value of one part, and those that accept any value of it.
struct StubSplit: Sendable {
  /// How many parts are tried besides host and method.
  private static let maximumFacets = 8

  private let facet: StubFacet
  private var keyed = BucketTable()
  private var free: StubBucket?

  /// Partitions the ranks by the first part that distinguishes them well; a plain list if none does.
  static func bucket(
    _ ranks: [Int32], of stubs: [CompiledRequest], without used: Set<StubFacet> = []
  ) -> StubBucket {
    guard ranks.count > StubBucket.largestList else { return .list(ranks) }
    for facet in facets(ranks, of: stubs) where !used.contains(facet) {
      var split = StubSplit(facet: facet)
      split.fill(ranks, of: stubs)
      guard split.largest <= ranks.count * 3 / 4 else { continue }
      split.refine(stubs, without: used.union([facet]))
      return .split(split)
    }
    return .list(ranks)
  }

  private init(facet: StubFacet) {
    self.facet = facet
  }

  private mutating func fill(_ ranks: [Int32], of stubs: [CompiledRequest]) {
    for rank in ranks {
      guard let keys = facet.keys(of: stubs[Int(rank)]) else {
        StubBucket.append(rank, to: &free)
        continue
      }
      for key in Set(keys) { keyed.append(rank, for: key) }
    }
  }

  private mutating func refine(_ stubs: [CompiledRequest], without used: Set<StubFacet>) {
    keyed.split { Self.bucket($0, of: stubs, without: used) }
    free = free.map { Self.bucket($0.ranks, of: stubs, without: used) }
  }

  /// The number of stubs to check in the worst case.
  private var largest: Int {
    (free?.count ?? 0) + keyed.largest
  }

  func addCandidates(for request: PreparedRequest, to candidates: inout StubCandidates) {
    free?.addCandidates(for: request, to: &candidates)
    if request.isOriginless, facet.isAboutOrigin {
      return keyed.addAllCandidates(for: request, to: &candidates)
    }
    let keys = facet.keys(of: request)
    if keys.count == 1 {
      keyed.addCandidates(of: keys[0], for: request, to: &candidates)
    } else {
      for key in Set(keys) { keyed.addCandidates(of: key, for: request, to: &candidates) }
    }
  }

  /// Host and method, then the parts that distinguish a sample of the patterns best; those of the content come last.
  private static func facets(_ ranks: [Int32], of stubs: [CompiledRequest]) -> [StubFacet] {
    var values: [StubFacet: Set<String>] = [:]
    let step = max(1, ranks.count / 64)
    for place in stride(from: 0, to: ranks.count, by: step) {
      let pattern = stubs[Int(ranks[place])]
      for facet in StubFacet.named(in: pattern) {
        values[facet, default: []].formUnion(facet.keys(of: pattern) ?? [])
      }
    }
    let ordered = values.filter { $0.value.count > 1 }.sorted { left, right in
      if left.key.isAboutBody != right.key.isAboutBody { return right.key.isAboutBody }
      if left.value.count != right.value.count { return left.value.count > right.value.count }
      // Comparing JSON content as a whole takes longest.
      if left.key == .json || right.key == .json { return right.key == .json && left.key != .json }
      return "\(left.key)" < "\(right.key)"
    }
    return [.part(.host), .part(.method)] + ordered.prefix(maximumFacets).map(\.key)
  }
}
