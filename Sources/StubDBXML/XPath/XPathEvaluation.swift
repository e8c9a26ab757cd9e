/// Evaluates an expression on one document.
struct XPathEvaluation {
  let tree: XMLTree
  let namespaces: [String: String]?
  /// How many nodes may still be visited; below 0 once the limit did not suffice.
  private(set) var left: Int

  init(tree: XMLTree, namespaces: [String: String]?, limit: Int) {
    self.tree = tree
    self.namespaces = namespaces
    left = limit
  }

  /// Whether the limit was exceeded, so that the value means nothing.
  var isExhausted: Bool { left < 0 }

  mutating func value(of expression: XPathExpression, at context: XPathContext) -> XPathValue {
    guard take(1) else { return .bool(false) }
    switch expression {
    case .or(let first, let second):
      return .bool(isTrue(value(of: first, at: context)) || isTrue(value(of: second, at: context)))
    case .and(let first, let second):
      return .bool(isTrue(value(of: first, at: context)) && isTrue(value(of: second, at: context)))
    case .comparison(let first, let comparison, let second):
      let (first, second) = (value(of: first, at: context), value(of: second, at: context))
      return .bool(holds(first, comparison, second))
    case .arithmetic(let first, let arithmetic, let second):
      let (first, second) = (
        number(value(of: first, at: context)), number(value(of: second, at: context))
      )
      switch arithmetic {
      case .add: return .number(first + second)
      case .subtract: return .number(first - second)
      case .multiply: return .number(first * second)
      case .divide: return .number(first / second)
      case .remainder: return .number(first.truncatingRemainder(dividingBy: second))
      }
    case .negative(let inner): return .number(-number(value(of: inner, at: context)))
    case .union(let first, let second):
      let all = nodes(value(of: first, at: context)) + nodes(value(of: second, at: context))
      return .nodes(Set(all).sorted())
    case .literal(let text): return .text(text)
    case .number(let number): return .number(number)
    case .function(let function, let arguments):
      return value(of: function, arguments, at: context)
    case .filter(let inner, let predicates):
      return .nodes(filtered(nodes(value(of: inner, at: context)), predicates))
    case .path(let start, let steps): return .nodes(select(start, steps, at: context))
    }
  }

  private mutating func select(
    _ start: XPathStart, _ steps: [XPathStep], at context: XPathContext
  ) -> [Int] {
    var selected: [Int] =
      switch start {
      case .root: [0]
      case .context: [context.node]
      case .expression(let inner): nodes(value(of: inner, at: context))
      }
    for step in steps {
      var next: [Int] = []
      for node in selected {
        guard !isExhausted else { return [] }
        let found = candidates(step.axis, from: node).filter { passes($0, step) }
        next += filtered(found, step.predicates)
      }
      // Several nodes may lead to the same node, and reverse axes reverse the order.
      selected = selected.count == 1 && !step.axis.isReverse ? next : Set(next).sorted()
    }
    return selected
  }

  /// The nodes that satisfy all predicates, whose positions count from 1 in the given order.
  private mutating func filtered(_ nodes: [Int], _ predicates: [XPathExpression]) -> [Int] {
    var nodes = nodes
    for predicate in predicates {
      let size = nodes.count
      var kept: [Int] = []
      for (index, node) in nodes.enumerated() {
        let context = XPathContext(node: node, position: index + 1, size: size)
        let isKept =
          switch value(of: predicate, at: context) {
          case .number(let number): number == Double(index + 1)
          case let value: isTrue(value)
          }
        if isKept { kept.append(node) }
      }
      nodes = kept
    }
    return nodes
  }

  private func passes(_ place: Int, _ step: XPathStep) -> Bool {
    let node = tree.nodes[place]
    let principal: XMLTree.Kind = step.axis == .attribute ? .attribute : .element
    switch step.test {
    case .node: return true
    case .text: return node.kind == .text
    case .comment: return node.kind == .comment
    case .processingInstruction(let target):
      return node.kind == .processingInstruction && (target.map { $0 == node.name.local } ?? true)
    case .any: return node.kind == principal
    case .prefix(let prefix):
      guard node.kind == principal else { return false }
      return namespaces.map { $0[prefix] == node.name.namespace } ?? (node.name.prefix == prefix)
    case .name(let prefix, let local):
      guard node.kind == principal, node.name.local == local,
        node.name.local.utf8.elementsEqual(local.utf8)
      else { return false }
      guard let namespaces else { return node.name.prefix == prefix }
      return node.name.namespace == (prefix.isEmpty ? "" : namespaces[prefix])
    }
  }

  /// Evaluates the whole expression.
  mutating func result(of value: XPathValue) -> XPathResult {
    switch value {
    case .nodes(let places):
      return XPathResult(isSomething: !places.isEmpty, texts: places.map { text(of: $0) })
    default:
      return XPathResult(isSomething: isTrue(value), texts: [text(value)])
    }
  }

  /// Counts the visit of some nodes; false once the limit is exceeded.
  mutating func take(_ count: Int) -> Bool {
    left = left < 0 ? left : left - count
    return left >= 0
  }

  mutating func text(of place: Int) -> String {
    take(tree.nodes[place].end - place) ? tree.text(of: place) : ""
  }

  func nodes(_ value: XPathValue) -> [Int] {
    if case .nodes(let places) = value { places } else { [] }
  }
}

extension XPathAxis {
  /// Whether the axis is a reverse axis, on which nodes come in reverse document order.
  var isReverse: Bool {
    switch self {
    case .parent, .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
    default: false
    }
  }
}

extension XPathEvaluation {
  /// The nodes on an axis, nearest first. https://www.w3.org/TR/1999/REC-xpath-19991116/#axes
  mutating func candidates(_ axis: XPathAxis, from place: Int) -> [Int] {
    let found = onAxis(axis, from: place)
    return take(found.count) ? found : []
  }

  private func onAxis(_ axis: XPathAxis, from place: Int) -> [Int] {
    let node = tree.nodes[place]
    switch axis {
    case .self: return [place]
    case .child: return node.children
    case .attribute: return Array(node.attributes)
    case .parent: return place == 0 ? [] : [node.parent]
    case .ancestor: return ancestors(of: place)
    case .ancestorOrSelf: return [place] + ancestors(of: place)
    case .descendant: return inside((place + 1)..<node.end)
    case .descendantOrSelf: return [place] + inside((place + 1)..<node.end)
    case .followingSibling, .precedingSibling:
      guard node.kind != .attribute, place > 0 else { return [] }
      let siblings = tree.nodes[node.parent].children
      guard let index = siblings.firstIndex(of: place) else { return [] }
      return axis == .followingSibling
        ? Array(siblings[(index + 1)...]) : siblings[..<index].reversed()
    case .following:
      let start = node.kind == .attribute ? tree.nodes[node.parent].attributes.upperBound : node.end
      return inside(start..<tree.nodes.count)
    case .preceding:
      let above = Set(ancestors(of: place))
      let start = node.kind == .attribute ? node.parent : place
      return inside(0..<start).reversed().filter { !above.contains($0) }
    }
  }

  private func ancestors(of place: Int) -> [Int] {
    var (result, place) = ([Int](), place)
    while place > 0 {
      place = tree.nodes[place].parent
      result.append(place)
    }
    return result
  }

  private func inside(_ places: Range<Int>) -> [Int] {
    places.filter { tree.nodes[$0].kind != .attribute }
  }
}
