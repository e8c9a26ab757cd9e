internal import Foundation
internal import StubDBModel
internal import StubDBSupport

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
    var expression = pattern.expression.trimmingCharacters(in: .whitespaces)
    var value = pattern.value.flatMap { ExampleValues.value(for: $0) } ?? "any"
    // A function of a path, or a comparison with one, needs the path.
    if let function = expression.wholeMatch(of: /(?:boolean|string|number|normalize-space)\((.+)\)/)
    {
      expression = String(function.output.1)
    }
    while let part = QueryScanner.bracketed(expression) { expression = part.inside + part.rest }
    let sides = QueryScanner.parts(of: expression, at: "=")
    if sides.count == 2, let text = XMLExampleElement.literal(sides[1]) {
      (expression, value) = (sides[0], text)
    }
    guard expression.hasPrefix("/") else { return nil }
    return XMLExampleElement(path: expression, value: value)
  }
}

/// An element of an example, made of a path: its name, and what the conditions of its step need.
struct XMLExampleElement {
  /// What a path selects of its last element.
  private enum Selected {
    case element
    case attribute(String)
    case text
  }

  private static let maximumCount = 100

  private var name = "any"
  private var attributes: [(name: String, value: String)] = []
  private var children: [XMLExampleElement] = []
  private var text: String?
  /// Whether it may be anywhere in a document.
  private var isAnywhere = false

  private init(name: String) { self.name = name }

  /// The element that a path begins with, with those below; nil for other paths.
  ///
  /// What the path selects has the text, unless a condition says otherwise.
  init?(path: String, value: String?) {
    var steps = QueryScanner.parts(of: path, at: "/")
    if steps.first == "" { steps.removeFirst() }
    let isAnywhere = steps.first == ""
    steps.removeAll { $0.isEmpty || $0 == "." }
    guard !steps.isEmpty else { return nil }
    var selected = Selected.element
    if let last = steps.last, last.hasPrefix("@"), steps.count > 1 {
      selected = .attribute(String(last.dropFirst()))
      steps.removeLast()
    } else if steps.last == "text()", steps.count > 1 {
      selected = .text
      steps.removeLast()
    }
    guard var element = Self.chain(steps[...], selected, value) else { return nil }
    element.isAnywhere = isAnywhere
    self = element
  }

  /// The elements of steps, each in the one before; nil if a step is not known.
  private static func chain(
    _ steps: ArraySlice<String>, _ selected: Selected, _ value: String?
  ) -> XMLExampleElement? {
    var element = XMLExampleElement(name: "any")
    guard let first = steps.first, element.take(first) else { return nil }
    guard steps.count > 1 else {
      element.finish(selected, value)
      return element
    }
    guard let inner = chain(steps.dropFirst(), selected, value) else { return nil }
    element.children.append(inner)
    return element
  }

  private mutating func finish(_ selected: Selected, _ value: String?) {
    guard let value else { return }
    switch selected {
    case .attribute(let name): attributes.append((name, value))
    case .element where children.isEmpty, .text: text = text ?? value
    case .element: return
    }
  }

  // MARK: Conditions

  /// Takes the name and the conditions of a step; false for one that is not known.
  private mutating func take(_ step: String) -> Bool {
    let pattern = /(?:child::|descendant::|descendant-or-self::)?([\p{L}_][\p{L}\p{N}_.:-]*|\*)/
      .matchingSemantics(.unicodeScalar)
    guard let start = step.prefixMatch(of: pattern) else { return false }
    if start.output.1 != "*" { name = String(start.output.1) }
    var rest = String(step[start.range.upperBound...])
    while !rest.isEmpty {
      guard rest.unicodeScalars.first == "[", let part = QueryScanner.bracketed(rest),
        take(condition: part.inside)
      else { return false }
      rest = part.rest
    }
    return true
  }

  private mutating func take(condition: String) -> Bool {
    let choices = QueryScanner.parts(of: condition, at: " or ")
    for part in QueryScanner.parts(of: choices[0], at: " and ") {
      guard takeOne(part) else { return false }
    }
    return true
  }

  private mutating func takeOne(_ condition: String) -> Bool {
    if condition.hasPrefix("("), let part = QueryScanner.bracketed(condition), part.rest.isEmpty {
      return take(condition: part.inside)
    }
    // A position, or what is not to be there.
    if Int(condition) != nil || ["last()", "position()=1"].contains(condition) { return true }
    if condition.hasPrefix("not(") { return true }
    for sign in ["!=", ">=", "<=", "=", ">", "<"] {
      let sides = QueryScanner.parts(of: condition, at: sign)
      guard sides.count == 2 else { continue }
      guard let value = Self.literal(sides[1]) else { return false }
      return set(sides[0], Self.near(value, sign))
    }
    if let (name, arguments) = Self.function(condition), arguments.count == 2,
      ["contains", "starts-with"].contains(name), let value = Self.literal(arguments[1])
    {
      return set(arguments[0], value)
    }
    return set(condition, "any")
  }

  /// Sets what a path below the element selects.
  private mutating func set(_ side: String, _ value: String) -> Bool {
    switch side {
    case ".", "text()", "./text()": text = value
    case "local-name()", "name()": name = value
    case "string-length()", "position()": return false
    case let side where side.hasPrefix("@"): attributes.append((String(side.dropFirst()), value))
    default: return setBelow(side, value)
    }
    return true
  }

  private mutating func setBelow(_ side: String, _ value: String) -> Bool {
    guard let (name, arguments) = Self.function(side) else {
      guard let child = XMLExampleElement(path: side, value: value) else { return false }
      add(child)
      return true
    }
    guard arguments.count == 1 else { return false }
    switch name {
    case "normalize-space", "string", "number", "lower-case": return set(arguments[0], value)
    case "count":
      guard let count = Int(value), (0...Self.maximumCount).contains(count),
        let child = XMLExampleElement(path: arguments[0], value: nil)
      else { return false }
      children += Array(repeating: child, count: count)
      return true
    default: return false
    }
  }

  private static func function(_ text: String) -> (name: String, arguments: [String])? {
    guard let match = text.prefixMatch(of: /[a-z-]+(?=\()/),
      let part = QueryScanner.bracketed(String(text[match.range.upperBound...])),
      part.rest.isEmpty, !part.inside.isEmpty
    else { return nil }
    return (String(match.output), QueryScanner.parts(of: part.inside, at: ","))
  }

  /// The text between quotation marks, or a number as a text; nil for anything else.
  static func literal(_ operand: String) -> String? {
    let scalars = operand.unicodeScalars
    if let mark = scalars.first, mark == "'" || mark == "\"", scalars.count > 1,
      scalars.last == mark
    {
      return String(scalars.dropFirst().dropLast())
    }
    return Double(operand) == nil ? nil : operand
  }

  private static func near(_ value: String, _ sign: String) -> String {
    guard sign != "!=" else { return value == "any" ? "other" : "any" }
    guard let number = Int(value) else { return value }
    switch sign {
    case ">": return "\(number + 1)"
    case "<": return "\(number - 1)"
    default: return value
    }
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
      var merged = XMLExampleElement(name: "any")
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
