/// A value in a template: anything that JSON can represent.
package indirect enum TemplateValue: Hashable, Sendable {
  /// The absence of a value, or the literal `null`.
  case null
  /// True or false.
  case bool(Bool)
  /// A number as JSON text.
  case number(String)
  /// A text.
  case text(String)
  /// A list.
  case list([TemplateValue])
  /// An object.
  case object([String: TemplateValue])

  /// A whole number.
  package static func integer(_ value: Int) -> TemplateValue { .number(String(value)) }

  /// The value as a template renders it: text as is, null as nothing, lists and objects as JSON.
  package var plainText: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .number(let text): text
    case .bool, .list, .object: jsonText
    }
  }

  /// The value as compact JSON, names sorted.
  package var jsonText: String {
    var text = ""
    writeJSON(to: &text)
    return text
  }

  /// The value as indented JSON with two spaces for each level, names sorted.
  ///
  /// Stops soon after `limit` bytes, because indentation can make a deep value much larger.
  func prettyJSONText(atMost byteCount: Int) -> String {
    var text = ""
    writePretty(to: &text, indent: "\n", atMost: byteCount)
    return text
  }

  /// Whether the value counts as true in a condition: false are null, false, 0, an empty text and an empty list, as in
  /// Handlebars.
  var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .number(let text): Double(text) != 0
    case .text(let text): !text.isEmpty
    case .list(let elements): !elements.isEmpty
    case .object: true
    }
  }

  /// The number, or the number that the text represents; nil for other values.
  var numericValue: Double? {
    switch self {
    case .number(let text), .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The integer, or the integer that the text represents; nil for other values.
  var integerValue: Int? {
    switch self {
    case .number(let text), .text(let text):
      Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    default: nil
    }
  }

  /// A number in its shortest form; null for nil, infinity and NaN.
  static func decimal(_ value: Double) -> TemplateValue {
    guard value.isFinite else { return .null }
    if let integer = Int(exactly: value), abs(value) < 1e15 { return .integer(integer) }
    return .number("\(value)")
  }

  /// The member with a name, or the element at an index: from 0, `first`, `last`, or as in WireMock `-1` for the second
  /// to last.
  package subscript(name: String) -> TemplateValue? {
    switch self {
    case .object(let members): return members[name]
    case .list(let elements):
      let index =
        switch name {
        case "first": 0
        case "last": elements.count - 1
        default: Int(name).map { $0 < 0 ? elements.count - 1 + $0 : $0 } ?? -1
        }
      return elements.indices.contains(index) ? elements[index] : nil
    default: return nil
    }
  }

  /// The value at a path of names separated by points; a name may contain points itself.
  subscript(path path: String) -> TemplateValue? {
    if let value = self[path] { return value }
    var end = path.startIndex
    while let point = path[end...].firstIndex(of: ".") {
      end = path.index(after: point)
      if let value = self[String(path[..<point])]?[path: String(path[end...])] { return value }
    }
    return nil
  }

  /// This value merged with another one: members of objects are merged, everything else is replaced.
  func merged(with other: TemplateValue, removingNulls: Bool) -> TemplateValue {
    guard case .object(var members) = self, case .object(let others) = other else { return other }
    for (name, value) in others {
      if value == .null, removingNulls {
        members[name] = nil
      } else {
        members[name] = members[name]?.merged(with: value, removingNulls: removingNulls) ?? value
      }
    }
    return .object(members)
  }

  /// The approximate cost of handling the value, in bytes.
  var weight: Int {
    switch self {
    case .null, .bool: 1
    case .number(let text), .text(let text): text.utf8.count
    case .list(let elements): elements.reduce(8) { $0 + 8 + $1.weight }
    case .object(let members):
      members.reduce(8) { $0 + 8 + $1.key.utf8.count + $1.value.weight }
    }
  }
}

extension TemplateValue {
  private func writeJSON(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number
    case .text(let string): Self.write(string, to: &text)
    case .list(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.writeJSON(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, name) in Self.sorted(members.keys).enumerated() {
        if index > 0 { text += "," }
        Self.write(name, to: &text)
        text += ":"
        members[name]?.writeJSON(to: &text)
      }
      text += "}"
    }
  }

  private func writePretty(to text: inout String, indent: String, atMost byteCount: Int) {
    guard text.utf8.count <= byteCount else { return }
    let inner = indent + "  "
    switch self {
    case .list(let elements) where !elements.isEmpty:
      text += "["
      for (index, element) in elements.enumerated() where text.utf8.count <= byteCount {
        text += index > 0 ? "," + inner : inner
        element.writePretty(to: &text, indent: inner, atMost: byteCount)
      }
      text += indent + "]"
    case .object(let members) where !members.isEmpty:
      text += "{"
      for (index, name) in Self.sorted(members.keys).enumerated()
      where text.utf8.count <= byteCount {
        text += index > 0 ? "," + inner : inner
        Self.write(name, to: &text)
        text += ": "
        members[name]?.writePretty(to: &text, indent: inner, atMost: byteCount)
      }
      text += indent + "}"
    default: writeJSON(to: &text)
    }
  }

  static func sorted<Names: Sequence<String>>(_ names: Names) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{c}": text += "\\f"
      case "\u{0}"..<"\u{20}":
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
