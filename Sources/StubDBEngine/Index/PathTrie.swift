/// An index of stubs by the segments of their paths.
struct PathTrie: Sendable {
  private struct Node: Sendable {
    var placeholder: Int?
    /// Whether the node has edges, to save a look-up if it has none.
    var hasLiterals = false
    /// Paths that end here.
    var ending: StubBucket?
    /// Paths that continue with `**`; only the segments before it were compared.
    var open: StubBucket?
  }

  /// An edge for a literal segment.
  ///
  /// One table holds the edges of the whole trie: most nodes have one child, and a table for each would cost a memory
  /// access for every segment of a request.
  private struct Edge: Hashable, Sendable {
    var node: Int
    var segment: Substring
  }

  private var nodes = [Node()]
  private var literals: [Edge: Int] = [:]
  /// The numbers of segments that paths have, as bits; those of 63 and more share one.
  ///
  /// Paths with other numbers of segments, as most that have a literal stub, are not split at all.
  private var segmentCounts: UInt64 = 0
  /// Whether a path has `**`, which matches any number of segments.
  private var hasOpen = false

  mutating func insert(_ path: PlaceholderPath, rank: Int32) {
    var node = 0
    for segment in path.segments {
      switch segment {
      case .literal(let text):
        node = child(at: Edge(node: node, segment: text))
      case .placeholder:
        node = placeholder(of: node)
      case .anySegments:
        StubBucket.append(rank, to: &nodes[node].open)
        hasOpen = true
        return
      }
    }
    StubBucket.append(rank, to: &nodes[node].ending)
    segmentCounts |= Self.bit(path.segments.count)
  }

  private mutating func child(at edge: Edge) -> Int {
    if let existing = literals[edge] { return existing }
    nodes.append(Node())
    literals[edge] = nodes.count - 1
    nodes[edge.node].hasLiterals = true
    return nodes.count - 1
  }

  private mutating func placeholder(of node: Int) -> Int {
    if let existing = nodes[node].placeholder { return existing }
    nodes.append(Node())
    nodes[node].placeholder = nodes.count - 1
    return nodes.count - 1
  }

  mutating func split(_ stubs: [CompiledRequest]) {
    for node in nodes.indices {
      if let bucket = nodes[node].ending, bucket.count > StubBucket.largestList {
        nodes[node].ending = StubSplit.bucket(bucket.ranks, of: stubs)
      }
      if let bucket = nodes[node].open, bucket.count > StubBucket.largestList {
        nodes[node].open = StubSplit.bucket(bucket.ranks, of: stubs)
      }
    }
  }

  /// Adds every stub whose path may match; for paths with `**` it may add others.
  func addCandidates(for request: PreparedRequest, to candidates: inout StubCandidates) {
    guard hasOpen || segmentCounts & Self.bit(PlaceholderPath.segmentCount(request.path)) != 0
    else {
      return
    }
    walk(from: 0, request.segments[...], request, &candidates)
  }

  private static func bit(_ count: Int) -> UInt64 { 1 << UInt64(min(count, 63)) }

  /// Follows the segments from a node, along both edges if a literal and a placeholder fit.
  private func walk(
    from start: Int, _ segments: ArraySlice<Substring>, _ request: PreparedRequest,
    _ candidates: inout StubCandidates
  ) {
    var node = start
    for (index, segment) in zip(segments.indices, segments) {
      nodes[node].open?.addCandidates(for: request, to: &candidates)
      let literal =
        nodes[node].hasLiterals ? literals[Edge(node: node, segment: segment)] : nil
      let placeholder = segment.isEmpty ? nil : nodes[node].placeholder
      switch (literal, placeholder) {
      case (nil, nil):
        return
      case (let next?, nil), (nil, let next?):
        node = next
      case (let next?, let other?):
        walk(from: other, segments[(index + 1)...], request, &candidates)
        node = next
      }
    }
    nodes[node].open?.addCandidates(for: request, to: &candidates)
    nodes[node].ending?.addCandidates(for: request, to: &candidates)
  }
}
