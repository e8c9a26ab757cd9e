internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// A value that a rule selected, with the text of the document that contains it.
struct SelectedSecret {
  let pointer: JSONPointer
  let text: String
}

/// Finds the values that the rules select in a document.
struct SecretCollector {
  let rules: [RedactionRule]
  private(set) var selected: [SelectedSecret] = []
  /// Texts and numbers that may be placeholders of an earlier redaction.
  private(set) var earlier: [JSONValue] = []
  private(set) var budget: RedactionBudget
  private var position: DocumentPosition

  init(rules: [RedactionRule], _ scenario: Scenario, number: Int, _ budget: RedactionBudget) {
    self.rules = rules
    self.budget = budget
    position = DocumentPosition(scenario, number: number)
  }

  /// Applies the rules to a whole document, in order.
  mutating func collect(from document: JSONValue) throws(RedactionTimeout) {
    try visit(document)
  }

  private mutating func visit(_ value: JSONValue) throws(RedactionTimeout) {
    switch value {
    case .object(let members):
      for (index, name) in members.keys.sorted().enumerated() {
        guard let member = members[name] else { continue }
        position.enter(member: name, index + 1)
        if name.contains("REDACTED-") { earlier.append(.string(name)) }
        selectNamed(name, member)
        if DocumentKeys.content.contains(name) {
          try selectContent(member, at: position.pointer)
        }
        try visit(member)
        position.leave()
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        position.enter(element: index)
        try visit(element)
        position.leave()
      }
    case .string(let text):
      if text.contains("REDACTED-") { earlier.append(value) }
      try selectText(text)
    case .number(let number):
      if number.text.utf8.count == 9 { earlier.append(value) }
    case .null, .bool: return
    }
  }

  /// The values of header fields, query parameters and cookies, by name.
  private mutating func selectNamed(_ name: String, _ value: JSONValue) {
    let (parent, pointer) = (position.parent, position.pointer)
    for rule in rules {
      switch rule {
      case .header(let header)
      where parent == "headers" && header.lowercased() == name.lowercased():
        for (pointer, text) in literals(value, at: pointer) {
          for part in HeaderSecrets.parts(of: text, header: name) { add(part, pointer) }
        }
      case .query(let parameter) where parent == "query" && parameter == name:
        for (pointer, text) in literals(value, at: pointer) { add(text, pointer) }
      case .cookie(let cookie) where parent == "cookies" && cookie == name:
        for (pointer, text) in literals(value, at: pointer) { add(text, pointer) }
      case .cookie(let cookie)
      where parent == "headers" && ["cookie", "set-cookie"].contains(name.lowercased()):
        for (pointer, text) in literals(value, at: pointer) {
          for pair in HeaderSecrets.cookies(in: text, header: name) where pair.name == cookie {
            add(pair.value, pointer)
          }
        }
      default: continue
      }
    }
  }

  /// The texts of a value or a pattern that stand for themselves.
  private func literals(
    _ value: JSONValue, at pointer: JSONPointer
  ) -> [(JSONPointer, String)] {
    switch value {
    case .string(let text): [(pointer, text)]
    case .number(let number): [(pointer, number.text)]
    case .array(let elements):
      elements.enumerated().flatMap { literals($1, at: pointer.appending($0)) }
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, member in
        literals(of: name, member, at: pointer.appending(name))
      }
    case .null, .bool: []
    }
  }

  private func literals(
    of name: String, _ operand: JSONValue, at pointer: JSONPointer
  ) -> [(JSONPointer, String)] {
    if DocumentKeys.literals.contains(name) { return literals(operand, at: pointer) }
    guard DocumentKeys.patterns.contains(name), case .string(let pattern) = operand,
      let text = DecodedText.literal(ofPattern: pattern)
    else { return [] }
    return [(pointer, text)]
  }

  private mutating func selectText(_ text: String) throws(RedactionTimeout) {
    let pointer = position.pointer
    var isContent = false
    for rule in rules {
      switch rule {
      case .regex(let regex):
        guard let values = budget.values(of: regex, in: text) else { throw timeout(rule) }
        for value in values { add(String(value), pointer) }
      case .query(let name):
        for value in QueryValues.values(of: name, in: text) { add(value, pointer) }
      case .jsonPath, .jsonPointer: isContent = true
      case .header, .cookie: continue
      }
    }
    // The document is JSON in a text; its places are not places of the outer document.
    guard isContent, let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let value = try? JSONValue(parsing: Data(text.utf8))
    else { return }
    let before = selected.count
    try selectContent(value, at: JSONPointer())
    for index in before..<selected.count {
      selected[index] = SelectedSecret(pointer: pointer, text: selected[index].text)
    }
  }

  private mutating func selectContent(
    _ content: JSONValue, at pointer: JSONPointer
  ) throws(RedactionTimeout) {
    for rule in rules {
      switch rule {
      case .jsonPath(let path):
        guard let values = budget.values(of: path, in: content) else { throw timeout(rule) }
        for found in values { addAll(found.value, pointer.appending(found.pointer)) }
      case .jsonPointer(let inner):
        guard let found = content.value(at: inner) else { continue }
        addAll(found, pointer.appending(inner))
      default: continue
      }
    }
  }

  private func timeout(_ rule: RedactionRule) -> RedactionTimeout {
    RedactionTimeout(rule: rule.text, place: position.place())
  }

  private mutating func addAll(_ value: JSONValue, _ pointer: JSONPointer) {
    switch value {
    case .null, .bool: return
    case .string(let text): add(text, pointer)
    case .number(let number): add(number.text, pointer)
    case .array(let elements):
      for (index, element) in elements.enumerated() { addAll(element, pointer.appending(index)) }
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        addAll(member, pointer.appending(name))
      }
    }
  }

  private mutating func add(_ text: String, _ pointer: JSONPointer) {
    guard !text.isEmpty else { return }
    selected.append(SelectedSecret(pointer: pointer, text: text))
  }
}
