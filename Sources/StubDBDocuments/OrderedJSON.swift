package import StubDBJSON

/// JSON on its way to text, whose objects keep the order of their members.
package indirect enum OrderedJSON {
  /// A value; the members of its objects are sorted.
  case json(JSONValue)
  /// A list of strings that is written on one line if it is short.
  case words([String])
  case array([OrderedJSON])
  case object([(String, OrderedJSON)])

  /// A string, or null.
  package static func string(_ text: String?) -> OrderedJSON {
    .json(text.map(JSONValue.string) ?? .null)
  }

  /// Strings, each on a line of its own.
  package static func strings(_ texts: [String]) -> OrderedJSON { .array(texts.map(string)) }

  /// A whole number.
  package static func integer(_ value: Int) -> OrderedJSON { .json(.number(JSONNumber(value))) }

  /// The value true.
  package static var yes: OrderedJSON { .json(.bool(true)) }

  /// The text, indented by two spaces a level, with a line end.
  package var text: String {
    var writer = JSONWriter(indent: 2)
    writer.write(self, depth: 0)
    return writer.text + "\n"
  }

  /// The same as a value whose objects have no order.
  package var jsonValue: JSONValue {
    switch self {
    case .json(let value): value
    case .words(let words): .array(words.map(JSONValue.string))
    case .array(let elements): .array(elements.map(\.jsonValue))
    case .object(let members): .object(Self.jsonObject(members))
    }
  }

  /// Members as those of an object without an order.
  package static func jsonObject(_ members: [(String, OrderedJSON)]) -> JSONObject {
    var object = JSONObject(minimumCapacity: members.count)
    for (key, tree) in members { object[key] = tree.jsonValue }
    return object
  }
}

extension JSONWriter {
  /// The maximum length of a list of strings on one line, including the brackets.
  private static let longestLine = 80

  /// Writes the value on several lines, a short list of strings on one line.
  fileprivate mutating func write(_ tree: OrderedJSON, depth: Int) {
    switch tree {
    case .json(let value): write(value, depth: depth)
    case .words(let words): write(words, depth: depth)
    case .array(let elements):
      writeContainer("[", "]", elements, depth: depth) { writer, element in
        writer.write(element, depth: depth + 1)
      }
    case .object(let members):
      writeContainer("{", "}", members, depth: depth) { writer, member in
        writer.writeName(member.0)
        writer.write(member.1, depth: depth + 1)
      }
    }
  }

  private mutating func write(_ words: [String], depth: Int) {
    let texts = words.map { JSONValue.string($0).canonicalText }
    let line = "[" + texts.joined(separator: ", ") + "]"
    if line.unicodeScalars.count <= Self.longestLine {
      write(verbatim: line)
    } else {
      writeContainer("[", "]", texts, depth: depth) { $0.write(verbatim: $1) }
    }
  }
}
