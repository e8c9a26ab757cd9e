/// Compares documents as WireMock does with XMLUnit.
///
/// White space around texts, comments and prefixes are ignored. Elements of different names may be in any order; those
/// of one name are compared in order, or with `ignoreOrderOfSameNode` in any order.
package struct XMLComparison {
  /// How many differences are listed.
  package static let limit = 12
  /// How much the comparison of pairs may cost at most, in elements plus one for every sixteen nodes in them.
  package static let maximumCost = 100_000

  private let expected: XMLTree
  private let actual: XMLTree
  private let ignoreOrderOfSameNode: Bool
  /// Whether a text or the value of an attribute is as expected; nil if that cannot be determined.
  private let isText: (_ expected: String, _ actual: String) -> Bool?
  /// The first places that differ.
  package private(set) var differences: [XMLDifference] = []
  /// How many places differ.
  package private(set) var count = 0
  /// Whether the work was given up, so that the differences mean nothing.
  package private(set) var isExhausted = false
  private var costLeft: Int

  /// Compares the documents immediately.
  ///
  /// The cost is taken off the limit.
  package init(
    _ expected: XMLTree, _ actual: XMLTree, ignoreOrderOfSameNode: Bool, visiting limit: inout Int,
    isText: @escaping (_ expected: String, _ actual: String) -> Bool?
  ) {
    self.expected = expected
    self.actual = actual
    self.ignoreOrderOfSameNode = ignoreOrderOfSameNode
    self.isText = isText
    costLeft = min(limit, Self.maximumCost)
    let granted = costLeft
    defer { limit -= granted - costLeft }
    let roots = (expected.root, actual.root)
    if expected.nodes[roots.0].name.isSame(as: actual.nodes[roots.1].name) {
      compare(roots.0, roots.1)
    } else {
      add(expected.path(to: roots.0), name(roots.0, in: expected), name(roots.1, in: actual))
    }
  }

  private mutating func add(_ path: String, _ expected: String?, _ actual: String?) {
    count += 1
    guard differences.count < Self.limit else { return }
    differences.append(XMLDifference(path: path, expected: expected, actual: actual))
  }

  /// Compares elements of one name.
  private mutating func compare(_ left: Int, _ right: Int) {
    compareAttributes(left, right)
    let (texts, others) = (Self.texts(left, in: expected), Self.texts(right, in: actual))
    for index in 0..<max(texts.count, others.count) {
      let wanted = index < texts.count ? texts[index] : ""
      let found = index < others.count ? others[index] : ""
      guard let verdict = isText(wanted, found) else {
        isExhausted = true
        return
      }
      if !verdict {
        add(actual.path(to: right) + "/text()", Self.quoted(wanted), Self.quoted(found))
      }
    }
    let (elements, found) = (groups(left, in: expected), groups(right, in: actual))
    for (name, places) in elements {
      let others = found.first { $0.name.isSame(as: name) }?.places ?? []
      comparePlaces(places, others, in: right)
    }
    for (name, places) in found where !elements.contains(where: { $0.name.isSame(as: name) }) {
      for place in places { add(actual.path(to: place), nil, self.name(place, in: actual)) }
    }
  }

  private mutating func compareAttributes(_ left: Int, _ right: Int) {
    let others = actual.nodes[right].attributes
    for attribute in expected.nodes[left].attributes {
      let wanted = expected.nodes[attribute]
      guard let found = others.first(where: { actual.nodes[$0].name.isSame(as: wanted.name) })
      else {
        add(expected.path(to: attribute), Self.quoted(wanted.value), nil)
        continue
      }
      guard let verdict = isText(wanted.value, actual.nodes[found].value) else {
        isExhausted = true
        return
      }
      if !verdict {
        add(
          actual.path(to: found), Self.quoted(wanted.value),
          Self.quoted(actual.nodes[found].value))
      }
    }
    for attribute in others {
      let extra = actual.nodes[attribute]
      let isExpected = expected.nodes[left].attributes.contains {
        expected.nodes[$0].name.isSame(as: extra.name)
      }
      if !isExpected { add(actual.path(to: attribute), nil, Self.quoted(extra.value)) }
    }
  }

  /// Compares the children of one name of an element.
  private mutating func comparePlaces(_ left: [Int], _ right: [Int], in parent: Int) {
    var (left, right) = (left, right)
    if ignoreOrderOfSameNode, left.count > 1 || right.count > 1 {
      (left, right) = unpaired(left, right)
      if isExhausted { return }
    }
    for (wanted, found) in zip(left, right) { compare(wanted, found) }
    for place in left.dropFirst(right.count) {
      add(expected.path(to: place), name(place, in: expected), nil)
    }
    for place in right.dropFirst(left.count) {
      add(actual.path(to: place), nil, name(place, in: actual))
    }
  }

  /// Returns what is left of two lists after equal elements are paired.
  ///
  /// Equality without order is an equivalence except for placeholders, so the first match is as good as any other.
  private mutating func unpaired(_ left: [Int], _ right: [Int]) -> ([Int], [Int]) {
    var (rest, missing) = (right, [Int]())
    for wanted in left {
      var paired: Int?
      for (index, found) in rest.enumerated() {
        costLeft -= 1 + (expected.nodes[wanted].end - wanted) / 16
        guard costLeft >= 0 else {
          isExhausted = true
          return ([], [])
        }
        if isSame(wanted, found) {
          paired = index
          break
        }
      }
      if let paired { rest.remove(at: paired) } else { missing.append(wanted) }
    }
    return (missing, rest)
  }

  private mutating func isSame(_ left: Int, _ right: Int) -> Bool {
    var inner = self
    (inner.count, inner.differences) = (0, [])
    inner.compare(left, right)
    costLeft = inner.costLeft
    isExhausted = isExhausted || inner.isExhausted
    return inner.count == 0
  }

  private func groups(_ place: Int, in tree: XMLTree) -> [(name: XMLName, places: [Int])] {
    var groups: [(name: XMLName, places: [Int])] = []
    var indexes: [String: Int] = [:]
    for child in tree.nodes[place].children where tree.nodes[child].kind == .element {
      let name = tree.nodes[child].name
      let key = name.namespace + " " + name.local
      if let index = indexes[key] {
        groups[index].places.append(child)
      } else {
        indexes[key] = groups.count
        groups.append((name, [child]))
      }
    }
    return groups
  }

  /// The texts directly inside an element, trimmed; a comment between two texts does not separate them.
  package static func texts(_ place: Int, in tree: XMLTree) -> [String] {
    var (texts, current) = ([String](), "")
    for child in tree.nodes[place].children {
      switch tree.nodes[child].kind {
      case .text: current += tree.nodes[child].value
      case .element:
        texts.append(current)
        current = ""
      default: break
      }
    }
    return (texts + [current]).map(trimmed).filter { !$0.isEmpty }
  }

  private func name(_ place: Int, in tree: XMLTree) -> String {
    let name = tree.nodes[place].name
    return "<\(name.qualified)>" + (name.namespace.isEmpty ? "" : " in \(name.namespace)")
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !XPathNumber.isSpace($0) }),
      let end = scalars.lastIndex(where: { !XPathNumber.isSpace($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}

/// A place where a document differs from what is expected.
package struct XMLDifference: Hashable, Sendable {
  /// The path of the place; in the expected document if the actual one lacks it.
  package var path: String
  /// A description of the expected content; nil if nothing is expected.
  package var expected: String?
  /// A description of the actual content; nil if there is no content.
  package var actual: String?
}
