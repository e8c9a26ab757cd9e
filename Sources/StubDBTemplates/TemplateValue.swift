/// A value inside a template: what JSON can say.
public indirect enum TemplateValue: Hashable, Sendable {
  /// No value, or the literal `null`.
  case null
  /// True or false.
  case bool(Bool)
  /// A number as JSON text.
  case number(String)
  /// A text.
  case text(String)
  /// A list.
  case list([TemplateValue])
  /// Named values.
  case object([String: TemplateValue])

  /// A whole number.
  public static func integer(_ value: Int) -> TemplateValue { .number(String(value)) }

  /// The value as a template writes it: a text as it is, nothing for null, lists and objects as JSON.
  public var plainText: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .number(let text): text
    case .bool, .list, .object: jsonText
    }
  }

  /// The value as compact JSON, names sorted.
  public var jsonText: String {
    var text = ""
    writeJSON(to: &text)
    return text
  }

  /// Whether a condition holds: not for null, false, 0, an empty text and an empty list, as in Handlebars.
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

  /// The number, or the number that the text is; nil for other values.
  var numericValue: Double? {
    switch self {
    case .number(let text), .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The whole number, or the one that the text is; nil for other values.
  var integerValue: Int? {
    switch self {
    case .number(let text), .text(let text):
      Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    default: nil
    }
  }

  /// A number in its shortest form; null where there is none.
  static func decimal(_ value: Double) -> TemplateValue {
    guard value.isFinite else { return .null }
    if let integer = Int(exactly: value), abs(value) < 1e15 { return .integer(integer) }
    return .number("\(value)")
  }

  /// The value of a name, or of a place in a list.
  subscript(name: String) -> TemplateValue? {
    switch self {
    case .object(let members): return members[name]
    case .list(let elements):
      guard let index = Int(name), elements.indices.contains(index) else { return nil }
      return elements[index]
    default: return nil
    }
  }

  /// About how many bytes it takes to handle the value.
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
