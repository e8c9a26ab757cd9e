internal import Foundation
package import StubDBJSON

/// A value of an input, and its disposition.
///
/// Reading a value records that it is kept. What is read and does not reach a scenario is recorded by ``drop(_:_:)``,
/// ``change(_:_:)`` or ``ignore()``.
package struct SourceValue {
  package let tree: SourceTree
  let index: Int

  private var node: SourceTree.Node { tree.nodes[index] }

  package var isObject: Bool { node.kind == .object }
  package var isArray: Bool { node.kind == .array }
  package var isNull: Bool { node.kind == .null }
  package var isString: Bool { [.string, .escapedString, .binary].contains(node.kind) }
  /// Whether a YAML value is tagged as base64.
  package var isBinary: Bool { node.kind == .binary }
  package var isNumber: Bool { node.kind == .number }
  package var isScalar: Bool { !isObject && !isArray }

  /// Whether it is the same place of the same text.
  func isSame(_ other: SourceValue) -> Bool { tree === other.tree && index == other.index }

  /// The path of the value, and its line.
  package var pointer: JSONPointer { tree.pointer(of: index) }
  package var line: Int { tree.line(of: index) }

  /// The value as an argument for messages, such as `a list`.
  package var typeName: String {
    switch node.kind {
    case .null: "null"
    case .no: "false"
    case .yes: "true"
    case .number: "a number"
    case .string, .escapedString, .binary, .name, .escapedName: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

// MARK: - Reading

extension SourceValue {
  /// The member of an object; nil if there is no such member, or if this is no object.
  package subscript(name: String) -> SourceValue? {
    guard isObject else { return nil }
    return tree.member(name, of: index).map { SourceValue(tree: tree, index: $0) }
  }

  /// The element of an array; nil if there are not so many, or if this is no array.
  func element(_ position: Int) -> SourceValue? {
    guard isArray else { return nil }
    return tree.element(position, of: index).map { SourceValue(tree: tree, index: $0) }
  }

  /// The members of an object in order; empty if this is no object.
  package var members: [(name: String, value: SourceValue)] {
    guard isObject else { return [] }
    var found: [(name: String, value: SourceValue)] = []
    var place = index + 1
    let end = Int(node.next)
    while place < end {
      found.append((tree.text(place), SourceValue(tree: tree, index: place + 1)))
      place = Int(tree.nodes[place + 1].next)
    }
    if found.isEmpty { tree.keep(index) }
    return found
  }

  /// The elements of an array in order; empty if this is no array.
  package var elements: [SourceValue] {
    guard isArray else { return [] }
    var found: [SourceValue] = []
    var place = index + 1
    let end = Int(node.next)
    while place < end {
      found.append(SourceValue(tree: tree, index: place))
      place = Int(tree.nodes[place].next)
    }
    if found.isEmpty { tree.keep(index) }
    return found
  }

  /// The elements of an array, or what stands in the place of its only one.
  var elementsOrSelf: [SourceValue] { isArray ? elements : [self] }

  /// A scalar as text: strings decoded, numbers and literals as written; nil for null, arrays and objects.
  package var text: String? {
    guard let text = peekedText else { return nil }
    tree.keep(index)
    return text
  }

  /// The same without recording that it was read.
  package var peekedText: String? {
    switch node.kind {
    case .null, .array, .object: nil
    case .yes, .no, .number, .string, .escapedString, .binary, .name, .escapedName: tree.text(index)
    }
  }

  /// Whether it is a string without characters.
  var isEmptyText: Bool { isString && tree.isEmpty(index) }

  /// Passes on the text of a scalar as UTF-8, without recording that it was read.
  func withUTF8<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try tree.withUTF8(of: index, body)
  }

  /// A whole number, also one that is written as a string; nil for others.
  package var integer: Int? {
    guard let text = peekedText, let number = Int(text) ?? Double(text).flatMap(Int.init(exactly:))
    else { return nil }
    tree.keep(index)
    return number
  }

  /// A number, also one that is written as a string; nil for others.
  package var number: Double? {
    guard let number = peekedText.flatMap(Double.init), number.isFinite else { return nil }
    tree.keep(index)
    return number
  }

  /// A truth value, also one that is written as a string; nil for others.
  package var bool: Bool? {
    let value: Bool? =
      switch peekedText?.lowercased() {
      case "true": true
      case "false": false
      default: nil
      }
    if value != nil { tree.keep(index) }
    return value
  }

  /// The whole value as JSON; records that all of it is kept.
  package var json: JSONValue {
    tree.keep(index)
    return peekedJSON
  }

  /// The same without recording that it was read.
  package var peekedJSON: JSONValue {
    switch node.kind {
    case .null: .null
    case .no: .bool(false)
    case .yes: .bool(true)
    case .number: .number(JSONNumber(unchecked: tree.text(index)))
    case .string, .escapedString, .binary, .name, .escapedName: .string(tree.text(index))
    case .array: .array(elements.map(\.peekedJSON))
    case .object:
      .object(Dictionary(members.map { ($0.name, $0.value.peekedJSON) }) { _, last in last })
    }
  }
}

// MARK: - Reading members

extension SourceValue {
  /// The text of a member; nil without the member, or for null, arrays and objects.
  package func text(_ name: String) -> String? { self[name]?.text }

  package func integer(_ name: String) -> Int? { self[name]?.integer }

  package func number(_ name: String) -> Double? { self[name]?.number }

  /// The truth value of a member; false without it.
  package func flag(_ name: String) -> Bool { self[name]?.bool ?? false }

  /// The elements of a member that is an array; empty for others.
  package func list(_ name: String) -> [SourceValue] { self[name]?.elements ?? [] }

  /// The first of several members that is there and is not null.
  package func first(of names: String...) -> SourceValue? {
    for name in names {
      if let value = self[name], !value.isNull { return value }
    }
    return nil
  }
}

// MARK: - The disposition

extension SourceValue {
  /// Records that the value and everything inside it is in a scenario.
  package func keep() { tree.keep(index) }

  /// Records that the value has no influence on what a server answers.
  package func ignore() { tree.mark(index, .ignored) }

  /// Does the same with members, where they are there.
  package func ignore(_ names: String...) {
    for name in names { self[name]?.ignore() }
  }

  /// Ignores the members whose names satisfy a condition and that were not read.
  package func ignoreUnread(where isIgnored: (String) -> Bool) {
    for member in members where member.value.node.disposition == .unread && isIgnored(member.name) {
      member.value.ignoreUnread()
    }
  }

  /// Ignores what was not read inside the value.
  package func ignoreUnread() {
    for place in index..<Int(node.next) where tree.nodes[place].disposition == .unread {
      tree.markOne(place, .ignored)
    }
  }

  /// Whether the value is something else than null, false, or an empty text, list or object.
  var saysSomething: Bool { !isEmptyText && tree.isText(index..<Int(node.next)) }

  /// Reports for each unread part of a condition that the stub matches without it.
  ///
  /// - Throws: ``Untranslatable`` for the first one, unless stubs may answer more than the original did.
  func requireRead(isLenient: Bool = false) throws {
    for place in index..<Int(node.next) where tree.isUnreadText(place) {
      let part = SourceValue(tree: tree, index: place)
      guard isLenient else {
        throw Untranslatable(part.pointer.description, "stubdb does not know what it is")
      }
      part.drop(.matcher, "stubdb does not know what this is; the stub matches without it")
    }
  }

  /// Adds a line about the value, whatever became of it.
  package func note(_ level: ReportLevel, _ id: ReportID, _ text: String) {
    tree.log.add(level, id, at: self, text)
  }

  /// Records that the value and everything inside it is lost, and says so in the report.
  package func drop(_ id: ReportID, _ text: String) {
    tree.mark(index, .dropped)
    note(.dropped, id, text)
  }

  /// Records that the value is in a scenario in another form, and says so in the report.
  package func change(_ id: ReportID, _ text: String) {
    tree.mark(index, .changed)
    note(.changed, id, text)
  }

  /// An error that ends the import, at this value.
  package func failure(_ message: String) -> FormatError {
    FormatError(
      file: tree.file, line: line, pointer: pointer.description, message: message)
  }
}
