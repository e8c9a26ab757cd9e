internal import StubDBContainment
internal import StubDBModel

/// Stubs by the paths of their requests, so that finding those which may take the requests of another one does not look
/// at all of them.
struct OverlapIndex {
  private struct Node {
    /// The nodes after a literal segment.
    var literals: [Substring: Int] = [:]
    /// The node after a placeholder.
    var placeholder: Int?
    /// The stubs whose paths end here.
    var ends: [Int] = []
    /// The stubs whose paths go on here with any number of segments.
    var open: [Int] = []
  }

  private let stubs: [Stub]
  private var nodes = [Node()]
  /// The stubs whose paths are no templates.
  private var others: [Int] = []

  init(_ stubs: [Stub]) {
    self.stubs = stubs
    for (place, stub) in stubs.enumerated() { insert(stub.request, at: place) }
  }

  private mutating func insert(_ pattern: RequestPattern, at place: Int) {
    guard case .template(let template)? = pattern.path else {
      others.append(place)
      return
    }
    let (fixed, isOpen) = RequestPattern.segments(of: template)
    let node = fixed.reduce(0) { self.node(after: $1, of: $0) }
    if isOpen {
      nodes[node].open.append(place)
    } else {
      nodes[node].ends.append(place)
    }
  }

  private mutating func node(after segment: Substring, of node: Int) -> Int {
    let isPlaceholder = URLParts.isPlaceholder(segment)
    let known = isPlaceholder ? nodes[node].placeholder : nodes[node].literals[segment]
    if let known { return known }
    nodes.append(Node())
    let new = nodes.count - 1
    if isPlaceholder {
      nodes[node].placeholder = new
    } else {
      nodes[node].literals[segment] = new
    }
    return new
  }

  /// The stubs whose patterns one request may satisfy together with the given one, in order.
  func stubs(meeting pattern: RequestPattern) -> [Stub] {
    guard case .template(let template)? = pattern.path else {
      return stubs.filter { $0.request.mayMeet(pattern) }
    }
    let (fixed, isOpen) = RequestPattern.segments(of: template)
    var places = others
    var next = [(node: 0, depth: 0)]
    while let (node, depth) = next.popLast() {
      places += nodes[node].open
      if depth < fixed.count {
        next += nodes(after: fixed[depth], of: node).map { ($0, depth + 1) }
        continue
      }
      places += nodes[node].ends
      // Any number of segments may follow.
      if isOpen { next += children(of: node).map { ($0, depth) } }
    }
    return places.sorted().map { stubs[$0] }.filter { $0.request.mayMeet(pattern) }
  }

  private func nodes(after segment: Substring, of node: Int) -> [Int] {
    if URLParts.isPlaceholder(segment) { return children(of: node) }
    return [nodes[node].literals[segment], nodes[node].placeholder].compactMap { $0 }
  }

  private func children(of node: Int) -> [Int] {
    Array(nodes[node].literals.values) + (nodes[node].placeholder.map { [$0] } ?? [])
  }
}
