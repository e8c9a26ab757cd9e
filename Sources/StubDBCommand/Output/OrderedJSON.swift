import StubDBJSON
import StubDBModel

/// JSON whose objects keep their order, for output that is also read by humans.
indirect enum OrderedJSON {
  case value(JSONValue)
  case array([OrderedJSON])
  case object([(name: String, value: OrderedJSON)])

  /// A string, or null.
  static func string(_ text: String?) -> OrderedJSON {
    .value(text.map(JSONValue.string) ?? .null)
  }

  /// An array of strings.
  static func strings(_ texts: [String]) -> OrderedJSON {
    .array(texts.map(string))
  }

  /// A whole number.
  static func integer(_ number: Int) -> OrderedJSON {
    .value(.number(JSONNumber(number)))
  }

  /// The text, indented by two spaces a level, with a line end.
  var text: String {
    var text = ""
    write(to: &text, depth: 0)
    return text + "\n"
  }

  private func write(to text: inout String, depth: Int) {
    switch self {
    case .value(let value):
      text += value.prettyText(depth: depth)
    case .array(let elements):
      write(elements.map { (nil, $0) }, between: "[", and: "]", to: &text, depth: depth)
    case .object(let members):
      write(members.map { ($0.name, $0.value) }, between: "{", and: "}", to: &text, depth: depth)
    }
  }

  private func write(
    _ items: [(name: String?, value: OrderedJSON)], between opening: String, and closing: String,
    to text: inout String, depth: Int
  ) {
    guard !items.isEmpty else {
      text += opening + closing
      return
    }
    text += opening
    for (index, item) in items.enumerated() {
      text += index == 0 ? "\n" : ",\n"
      text += String(repeating: "  ", count: depth + 1)
      if let name = item.name { text += JSONValue.string(name).canonicalText + ": " }
      item.value.write(to: &text, depth: depth + 1)
    }
    text += "\n" + String(repeating: "  ", count: depth) + closing
  }
}
