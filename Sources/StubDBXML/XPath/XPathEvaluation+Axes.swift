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
