internal import Foundation
internal import StubDBJSONPath
internal import StubDBModel

/// Finds what the rules select in a document.
struct SecretCollector {
  /// Where JSON content stands in a document.
  private static let contentKeys: Set<String> = ["json", "equalToJson", "variables", "userInfo"]
  /// Operands that are no literal text.
  private static let expressions: Set<String> = [
    "matches", "doesNotMatch", "before", "after", "equalToDateTime", "absent", "anything",
  ]

  let rules: [RedactionRule]
  private(set) var selected: [SelectedSecret] = []
  /// Texts and numbers that an earlier redaction may have left.
  private(set) var earlier: [JSONValue] = []
  private var place: [String] = []

  init(rules: [RedactionRule]) {
    self.rules = rules
  }

  /// Selects in a whole document, in its order.
  mutating func collect(from document: JSONValue) {
    visit(document)
  }

  private mutating func visit(_ value: JSONValue) {
    switch value {
    case .object(let members):
      for name in members.keys.sorted() {
        guard let member = members[name] else { continue }
        place.append(name)
        selectNamed(name, member)
        if Self.contentKeys.contains(name) { selectContent(member, at: JSONPointer(place)) }
        visit(member)
        place.removeLast()
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        place.append(String(index))
        visit(element)
        place.removeLast()
      }
    case .string(let text):
      if text.contains("REDACTED-") { earlier.append(value) }
      selectText(text)
    case .number(let number):
      if number.text.utf8.count == 9 { earlier.append(value) }
    case .null, .bool: return
    }
  }

  /// The values of header fields, query parameters and cookies, which stand under their names.
  private mutating func selectNamed(_ name: String, _ value: JSONValue) {
    guard place.count > 1 else { return }
    let parent = place[place.count - 2]
    for rule in rules {
      switch rule {
      case .header(let header)
      where parent == "headers" && header.lowercased() == name.lowercased():
        for (pointer, text) in literals(value, at: JSONPointer(place)) {
          for part in HeaderSecrets.parts(of: text, header: name) { add(part, pointer) }
        }
      case .query(let parameter) where parent == "query" && parameter == name:
        for (pointer, text) in literals(value, at: JSONPointer(place)) { add(text, pointer) }
      case .cookie(let cookie) where parent == "cookies" && cookie == name:
        for (pointer, text) in literals(value, at: JSONPointer(place)) { add(text, pointer) }
      case .cookie(let cookie)
      where parent == "headers" && ["cookie", "set-cookie"].contains(name.lowercased()):
        for (pointer, text) in literals(value, at: JSONPointer(place)) {
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
        Self.expressions.contains(name) ? [] : literals(member, at: pointer.appending(name))
      }
    case .null, .bool: []
    }
  }

  private mutating func selectText(_ text: String) {
    var isContent = false
    for rule in rules {
      switch rule {
      case .regex(let regex):
        for value in regex.values(in: text) { add(String(value), JSONPointer(place)) }
      case .query(let name):
        for value in QueryValues.values(of: name, in: text) { add(value, JSONPointer(place)) }
      case .jsonPath, .jsonPointer: isContent = true
      case .header, .cookie: continue
      }
    }
    // JSON that stands in a text: its places are not places of the document.
    guard isContent, let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let value = try? JSONValue(parsing: Data(text.utf8))
    else { return }
    let pointer = JSONPointer(place)
    let before = selected.count
    selectContent(value, at: JSONPointer())
    for index in before..<selected.count {
      selected[index] = SelectedSecret(pointer: pointer, text: selected[index].text)
    }
  }

  private mutating func selectContent(_ content: JSONValue, at pointer: JSONPointer) {
    for rule in rules {
      switch rule {
      case .jsonPath(let path):
        for found in path.values(in: PlacedValue(value: content, pointer: pointer)) {
          addAll(found.value, found.pointer)
        }
      case .jsonPointer(let inner):
        guard let found = content.value(at: inner) else { continue }
        addAll(found, JSONPointer(pointer.tokens + inner.tokens))
      default: continue
      }
    }
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
