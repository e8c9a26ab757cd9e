internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// A value that a rule selected, with the text of the document that contains it.
struct SelectedSecret {
  let pointer: JSONPointer
  let text: String
}

/// Finds the values that the rules select in a document.
struct SecretCollector {
  let rules: SelectionRules
  private(set) var selected: [SelectedSecret] = []
  /// The largest number of the placeholders of an earlier redaction; 0 if there are none.
  private(set) var earlier = 0
  private(set) var budget: RedactionBudget
  private var position: DocumentPosition

  init(rules: SelectionRules, _ scenario: Scenario, number: Int, _ budget: RedactionBudget) {
    self.rules = rules
    self.budget = budget
    position = DocumentPosition(scenario, number: number)
  }

  /// Applies the rules to a whole document, in order.
  mutating func collect(from document: JSONValue) throws(RedactionTimeout) {
    try visit(document)
  }

  private mutating func visit(
    _ value: JSONValue, isContent: Bool = false
  ) throws(RedactionTimeout) {
    switch value {
    case .object(let members):
      for (index, name) in members.keys.sorted().enumerated() {
        guard let member = members[name] else { continue }
        position.enter(member: name, index + 1)
        earlier = max(earlier, RedactionPlaceholders.largestNumber(in: name))
        selectNamed(name, member)
        if !rules.content.isEmpty, DocumentKeys.content.contains(name) {
          try selectContent(member, at: position.pointer)
        }
        if case .string(let text) = member, !isContent, DocumentKeys.base64.contains(name) {
          try visit(base64: text)
        } else {
          try visit(member, isContent: isContent || DocumentKeys.content.contains(name))
        }
        position.leave()
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        position.enter(element: index)
        try visit(element, isContent: isContent)
        position.leave()
      }
    case .string(let text): try visit(text: text)
    case .number(let number):
      earlier = max(earlier, RedactionPlaceholders.largestNumber(in: number.text))
    case .null, .bool: return
    }
  }

  private mutating func visit(text: String) throws(RedactionTimeout) {
    earlier = max(earlier, RedactionPlaceholders.largestNumber(in: text))
    try selectText(text)
  }

  /// The text of a content in base64, or the runs of text in it.
  private mutating func visit(base64: String) throws(RedactionTimeout) {
    guard let bytes = Base64.decoded(base64.utf8) else { return try visit(text: base64) }
    var texts: [String] = []
    bytes.withUnsafeBytes { bytes in
      PrintableRuns.forEach(in: bytes.bindMemory(to: UInt8.self)) { run in
        texts.append(String(decoding: run, as: UTF8.self))
      }
    }
    for text in texts { try visit(text: text) }
  }

  /// The values of header fields, query parameters and cookies, by name.
  private mutating func selectNamed(_ name: String, _ value: JSONValue) {
    switch position.parent {
    case "headers":
      let header = name.lowercased()
      let isSelected = rules.headers.contains(header)
      let hasCookies = !rules.cookies.isEmpty && ["cookie", "set-cookie"].contains(header)
      guard isSelected || hasCookies else { return }
      for (pointer, text) in literals(value, at: position.pointer) {
        if isSelected {
          for part in HeaderSecrets.parts(of: text, header: name) { add(part, pointer) }
        }
        for pair in hasCookies ? HeaderSecrets.cookies(in: text, header: name) : []
        where rules.cookies.contains(pair.name) {
          add(pair.value, pointer)
        }
      }
    case "query" where rules.query.names.contains(name),
      "cookies" where rules.cookies.contains(name):
      for (pointer, text) in literals(value, at: position.pointer) { add(text, pointer) }
    default: return
    }
  }

  /// The texts of a value or a pattern that are literal.
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
      let text = TextReading.literal(ofPattern: pattern)
    else { return [] }
    return [(pointer, text)]
  }

  private mutating func selectText(_ text: String) throws(RedactionTimeout) {
    for (rule, regex) in rules.regexes {
      guard let values = budget.values(of: regex, in: text) else { throw timeout(rule) }
      for value in values { add(String(value), position.pointer) }
    }
    for value in rules.query.values(in: text) { add(value, position.pointer) }
    // The document is JSON in a text; its places are not places of the outer document.
    guard !rules.content.isEmpty, let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let value = try? JSONValue(parsing: Data(text.utf8))
    else { return }
    let before = selected.count
    try selectContent(value, at: JSONPointer())
    let pointer = position.pointer
    for index in before..<selected.count {
      selected[index] = SelectedSecret(pointer: pointer, text: selected[index].text)
    }
  }

  private mutating func selectContent(
    _ content: JSONValue, at pointer: JSONPointer
  ) throws(RedactionTimeout) {
    for rule in rules.content {
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
