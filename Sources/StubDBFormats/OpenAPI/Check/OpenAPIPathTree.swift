internal import Foundation
internal import StubDBModel

/// The paths of a description by their segments, so that finding those of a stub does not look at all of them.
struct OpenAPIPathTree {
  private struct Node {
    /// The nodes after a literal segment.
    var literals: [String: Int] = [:]
    /// The nodes after other segments; placeholders by any name are one.
    var others: [(segment: OpenAPIOperation.Segment, node: Int)] = []
    /// The operations whose paths end here, in order.
    var places: [Int] = []
  }

  struct Found {
    /// The places of the operations that fit best, in order.
    var places: [Int] = []
    /// How many segments of the description were looked at.
    var stepCount = 0
  }

  private var nodes = [Node()]

  /// Adds a path of an operation.
  mutating func insert(_ path: [OpenAPIOperation.Segment], _ place: Int) {
    var node = 0
    for segment in path {
      node = self.node(after: segment, of: node)
    }
    if nodes[node].places.last != place { nodes[node].places.append(place) }
  }

  private mutating func node(after segment: OpenAPIOperation.Segment, of node: Int) -> Int {
    let known: Int? =
      switch segment {
      case .literal(let text): nodes[node].literals[text]
      case .placeholder, .mixed:
        nodes[node].others.first { $0.segment.isAlike(segment) }?.node
      }
    if let known { return known }
    nodes.append(Node())
    let new = nodes.count - 1
    if case .literal(let text) = segment {
      nodes[node].literals[text] = new
    } else {
      nodes[node].others.append((segment, new))
    }
    return new
  }

  /// The operations whose paths fit that of a stub best.
  ///
  /// A placeholder of the description takes any segment. A placeholder of the stub fits a literal segment of the
  /// description too, but less well. Fewer placeholders of the description fit better.
  func nearest(to stub: [String]) -> Found {
    var found = Found()
    var best = Int.max
    var open = [(node: 0, depth: 0, distance: 0)]
    while let (node, depth, distance) = open.popLast() {
      guard distance <= best else { continue }
      guard depth < stub.count else {
        guard !nodes[node].places.isEmpty else { continue }
        if distance < best { (best, found.places) = (distance, []) }
        found.places += nodes[node].places
        continue
      }
      for (next, step) in steps(from: node, stub[depth], &found.stepCount) {
        open.append((next, depth + 1, distance + step))
      }
    }
    found.places = Set(found.places).sorted()
    return found
  }

  /// The nodes that a segment of a stub leads to, and how far off each is.
  private func steps(
    from node: Int, _ text: String, _ count: inout Int
  ) -> [(node: Int, distance: Int)] {
    var steps: [(node: Int, distance: Int)] = []
    for (segment, next) in nodes[node].others {
      count += 1
      if let distance = segment.distance(to: text) { steps.append((next, distance)) }
    }
    guard URLParts.isPlaceholder(text) else {
      count += 1
      // The last one is followed first.
      if let next = nodes[node].literals[text] { steps.append((next, 0)) }
      return steps
    }
    count += nodes[node].literals.count
    return nodes[node].literals.values.map {
      ($0, OpenAPIOperation.Segment.literalDistance)
    } + steps
  }
}

extension OpenAPIOperation.Segment {
  /// How far a literal segment is from a placeholder of a stub.
  static let literalDistance = 100

  /// Whether both take the same segments of stubs.
  fileprivate func isAlike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.placeholder, .placeholder): true
    case (.mixed(let text), .mixed(let other)): text == other
    default: false
    }
  }

  /// How well a segment of a stub fits: 0 is best; nil if it does not.
  func distance(to other: String) -> Int? {
    let isOpen = URLParts.isPlaceholder(other)
    switch self {
    case .placeholder where isOpen, .mixed where isOpen: return 0
    case .placeholder where !other.isEmpty: return 1
    case .mixed(let text) where Self.matches(other, text): return 1
    case .literal where isOpen: return Self.literalDistance
    case .literal(other): return 0
    default: return nil
    }
  }

  /// Whether a segment fits one with placeholders, such as `v{version}` or `{id}:copy`.
  private static func matches(_ text: String, _ segment: String) -> Bool {
    var expression = ""
    var rest = segment[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      expression += NSRegularExpression.escapedPattern(for: String(rest[..<open])) + ".+"
      rest = rest[rest.index(after: close)...]
    }
    expression += NSRegularExpression.escapedPattern(for: String(rest))
    return text.range(of: "^(?:\(expression))$", options: .regularExpression) != nil
  }
}
