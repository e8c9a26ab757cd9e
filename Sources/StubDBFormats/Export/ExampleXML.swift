internal import Foundation
internal import StubDBModel
internal import StubDBSupport
internal import StubDBXML

/// Makes XML documents in which XPath expressions select something.
enum ExampleXML {
  /// Documents worth trying; empty for an expression with more than names, attributes and simple conditions.
  static func documents(_ pattern: XPathPattern) -> [String] {
    root(pattern).map { [$0.text(namespaces: pattern.namespaces)] } ?? []
  }

  /// One document for several expressions; nil if what they need does not fit together.
  static func document(_ patterns: [XPathPattern]) -> String? {
    let roots = patterns.compactMap(root)
    guard roots.count == patterns.count, let first = roots.first else { return nil }
    var merged: XMLExampleElement? = first
    for root in roots.dropFirst() { merged = merged?.merged(with: root) }
    let namespaces = patterns.reduce(into: [:]) { $0.merge($1.namespaces) { first, _ in first } }
    return merged?.text(namespaces: namespaces)
  }

  private static func root(_ pattern: XPathPattern) -> XMLExampleElement? {
    let value = pattern.value.flatMap { ExampleValues.value(for: $0) } ?? "any"
    return (try? XPath(pattern.expression, namespaces: pattern.namespaces))
      .flatMap { root($0.expression, value) }
  }

  private static func root(_ expression: XPathExpression, _ value: String) -> XMLExampleElement? {
    switch expression {
    // A function of a path, or a comparison with one, needs the path.
    case .function(.boolean, let arguments), .function(.string, let arguments),
      .function(.number, let arguments), .function(.normalizeSpace, let arguments):
      arguments.first.flatMap { root($0, value) }
    case .comparison(let path, .equal, let other): root(path, other.literal ?? value)
    default: steps(of: expression).flatMap { XMLExampleElement($0, value: value) }
    }
  }

  /// The steps from the root; nil for another expression.
  private static func steps(of expression: XPathExpression) -> [XPathStep]? {
    switch expression {
    case .path(.root, let steps): return steps
    case .path(.expression(let start), let further): return steps(of: start).map { $0 + further }
    case .filter(let inner, let predicates):
      guard var steps = steps(of: inner), !steps.isEmpty else { return nil }
      steps[steps.count - 1].predicates += predicates
      return steps
    default: return nil
    }
  }
}

/// An element of an example, made of a path: its name, and what the conditions of its step need.
struct XMLExampleElement {
  private static let maximumCount = 100

  private var name = "any"
  private var attributes: [(name: String, value: String)] = []
  private var children: [XMLExampleElement] = []
  private var text: String?
  /// Whether it may be anywhere in a document.
  private var isAnywhere = false

  private init() {}

  /// The element that a path begins with, with those below; nil for other paths.
  ///
  /// What the path selects has the text, unless a condition says otherwise.
  init?(_ path: [XPathStep], value: String?) {
    let steps = path.filter { !$0.isOpen }
    guard let first = steps.first, self.take(first) else { return nil }
    isAnywhere = path.first?.axis == .descendantOrSelf
    guard let next = steps.dropFirst().first else {
      if children.isEmpty { text = text ?? value }
      return
    }
    if steps.count == 2, next.axis == .attribute, let name = next.name {
      if let value { attributes.append((name, value)) }
    } else if steps.count == 2, case .text = next.test {
      text = text ?? value
    } else {
      guard let inner = XMLExampleElement(Array(steps.dropFirst()), value: value) else {
        return nil
      }
      children.append(inner)
    }
  }

  // MARK: Conditions

  /// Takes the name and the conditions of a step; false for one that is not known.
  private mutating func take(_ step: XPathStep) -> Bool {
    guard [.child, .descendant, .descendantOrSelf].contains(step.axis) else { return false }
    switch step.test {
    case .any: break
    case .name: name = step.name ?? name
    case .prefix, .node, .text, .comment, .processingInstruction: return false
    }
    for predicate in step.predicates {
      guard take(predicate) else { return false }
    }
    return true
  }

  private mutating func take(_ condition: XPathExpression) -> Bool {
    switch condition {
    case .or(let choice, _): return take(choice)
    case .and(let first, let second): return take(first) && take(second)
    // A position, or what is not to be there.
    case .number, .function(.last, _), .function(.not, _),
      .comparison(.function(.position, _), .equal, .number(1)):
      return true
    case .comparison(let side, let comparison, let other):
      return other.literal.map { set(side, Self.near($0, comparison)) } ?? false
    case .function(.contains, let arguments), .function(.startsWith, let arguments):
      return arguments[1].literal.map { set(arguments[0], $0) } ?? false
    default: return set(condition, "any")
    }
  }

  /// Sets what an expression gives below the element.
  private mutating func set(_ side: XPathExpression, _ value: String) -> Bool {
    switch side {
    case .path(_, let path):
      let steps = path.filter { !$0.isOpen }
      if steps.isEmpty {
        text = value
      } else if steps.count == 1, case .text = steps[0].test {
        text = value
      } else if steps.count == 1, steps[0].axis == .attribute {
        guard let name = steps[0].name else { return false }
        attributes.append((name, value))
      } else {
        guard let child = XMLExampleElement(steps, value: value) else { return false }
        add(child)
      }
      return true
    case .function(.localName, let arguments) where arguments.isEmpty,
      .function(.name, let arguments) where arguments.isEmpty:
      name = value
      return true
    case .function(.normalizeSpace, let arguments), .function(.string, let arguments),
      .function(.number, let arguments):
      return arguments.first.map { set($0, value) } ?? false
    case .function(.count, let arguments):
      guard case .path(_, let path)? = arguments.first, let count = Int(value),
        (0...Self.maximumCount).contains(count), let child = XMLExampleElement(path, value: nil)
      else { return false }
      children += Array(repeating: child, count: count)
      return true
    default: return false
    }
  }

  private static func near(_ value: String, _ comparison: XPathComparison) -> String {
    let offset: Int
    switch comparison {
    case .notEqual: return value == "any" ? "other" : "any"
    case .greater: offset = 1
    case .less: offset = -1
    case .equal, .lessOrEqual, .greaterOrEqual: return value
    }
    return Int(value).map { "\($0 + offset)" } ?? value
  }

  // MARK: Documents

  /// The element with what another one needs, too; nil if both are roots that differ.
  func merged(with other: XMLExampleElement) -> XMLExampleElement? {
    switch (isAnywhere, other.isAnywhere) {
    case (false, true):
      var merged = self
      merged.children.append(other)
      return merged
    case (true, false): return other.merged(with: self)
    case (true, true):
      var merged = XMLExampleElement()
      merged.children = [self, other]
      return merged
    case (false, false): return joined(with: other)
    }
  }

  /// Both as one element; nil if they differ in what an element has once.
  private func joined(with other: XMLExampleElement) -> XMLExampleElement? {
    guard name == other.name, text == nil || other.text == nil || text == other.text else {
      return nil
    }
    var joined = self
    joined.text = text ?? other.text
    for attribute in other.attributes {
      let known = joined.attributes.first { $0.name == attribute.name }
      if known == nil { joined.attributes.append(attribute) }
      guard known == nil || known?.value == attribute.value else { return nil }
    }
    for child in other.children { joined.add(child) }
    return joined
  }

  private mutating func add(_ child: XMLExampleElement) {
    for place in children.indices {
      guard let joined = children[place].joined(with: child) else { continue }
      children[place] = joined
      return
    }
    children.append(child)
  }

  /// The document with the element as its root.
  func text(namespaces: [String: String]) -> String {
    var root = self
    root.attributes =
      namespaces.sorted { $0.key < $1.key }.map { ("xmlns:\($0.key)", $0.value) } + attributes
    return root.markup
  }

  private var markup: String {
    let fields = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
    let content = children.map(\.markup).joined() + (text.map(Self.escaped) ?? "")
    return "<\(name)\(fields)>\(content)</\(name)>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacingScalar("&", with: "&amp;").replacingScalar("<", with: "&lt;")
      .replacingScalar("\"", with: "&quot;")
  }
}

extension XPathStep {
  /// Whether it only says where the next one is: `.`, and what `//` abbreviates.
  fileprivate var isOpen: Bool {
    guard case .node = test else { return false }
    return (axis == .`self` || axis == .descendantOrSelf) && predicates.isEmpty
  }

  /// The name of what it selects, with its prefix; nil for any.
  fileprivate var name: String? {
    guard case .name(let prefix, let local) = test else { return nil }
    return prefix.isEmpty ? local : "\(prefix):\(local)"
  }
}

extension XPathExpression {
  /// The text of a literal or a number; nil for anything else.
  fileprivate var literal: String? {
    switch self {
    case .literal(let text): text
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .negative(.number(let number)): Int(exactly: -number).map { "\($0)" } ?? "\(-number)"
    default: nil
    }
  }
}
