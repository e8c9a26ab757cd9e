/// Stubs by the segments of their path templates.
struct TemplateTrie: Sendable {
  private struct Node: Sendable {
    var literals: [Substring: Int] = [:]
    var placeholder: Int?
    /// Templates that end here.
    var ending: StubBucket?
    /// Templates that go on with `**`; only their beginnings have been compared.
    var open: StubBucket?
  }

  private var nodes = [Node()]

  mutating func insert(_ template: PathTemplate, rank: Int32) {
    var node = 0
    for segment in template.segments {
      switch segment {
      case .literal(let text):
        node = child(nodes[node].literals[text]) { $0.nodes[node].literals[text] = $1 }
      case .placeholder:
        node = child(nodes[node].placeholder) { $0.nodes[node].placeholder = $1 }
      case .anySegments:
        Self.append(rank, to: &nodes[node].open)
        return
      }
    }
    Self.append(rank, to: &nodes[node].ending)
  }

  private mutating func child(
    _ existing: Int?, _ link: (inout TemplateTrie, Int) -> Void
  ) -> Int {
    if let existing { return existing }
    nodes.append(Node())
    link(&self, nodes.count - 1)
    return nodes.count - 1
  }

  mutating func split(_ stubs: [LoadedScenario.Source]) {
    for node in nodes.indices {
      nodes[node].ending = nodes[node].ending.map { StubSplit.bucket($0.ranks, of: stubs) }
      nodes[node].open = nodes[node].open.map { StubSplit.bucket($0.ranks, of: stubs) }
    }
  }

  /// Adds every stub whose template may match, and more only for templates with `**`.
  func addCandidates(for request: PreparedRequest, to candidates: inout StubCandidates) {
    guard nodes.count > 1 || nodes[0].open != nil else { return }
    let segments = request.segments
    var frontier = [0]
    for (place, segment) in segments.enumerated() {
      var next: [Int] = []
      for node in frontier {
        nodes[node].open?.addCandidates(for: request, to: &candidates)
        if let child = nodes[node].literals[segment] { next.append(child) }
        if !segment.isEmpty, let child = nodes[node].placeholder { next.append(child) }
      }
      frontier = next
      if frontier.isEmpty { return }
      guard place == segments.count - 1 else { continue }
      for node in frontier {
        nodes[node].open?.addCandidates(for: request, to: &candidates)
        nodes[node].ending?.addCandidates(for: request, to: &candidates)
      }
    }
  }

  private static func append(_ rank: Int32, to bucket: inout StubBucket?) {
    if bucket == nil { bucket = .one(rank) } else { bucket?.append(rank) }
  }
}
