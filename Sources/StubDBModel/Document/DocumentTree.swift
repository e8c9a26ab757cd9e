package import StubDBJSON

/// A document on its way to text: JSON whose objects keep the order of their keys.
package indirect enum DocumentTree {
  /// Content that is JSON itself: its keys are sorted.
  case json(JSONValue)
  /// A list of strings that is written on one line if it is short.
  case words([String])
  case list([DocumentTree])
  case object([(String, DocumentTree)])

  static func string(_ text: String) -> DocumentTree { .json(.string(text)) }

  static func integer(_ value: Int) -> DocumentTree { .json(.number(JSONNumber(value))) }

  static let yes = DocumentTree.json(.bool(true))

  /// The same as a value whose objects have no order.
  var jsonValue: JSONValue {
    switch self {
    case .json(let value): value
    case .words(let words): .array(words.map(JSONValue.string))
    case .list(let elements): .array(elements.map(\.jsonValue))
    case .object(let members): .object(Self.jsonObject(members))
    }
  }

  static func jsonObject(_ members: [(String, DocumentTree)]) -> [String: JSONValue] {
    var object = [String: JSONValue](minimumCapacity: members.count)
    for (key, tree) in members { object[key] = tree.jsonValue }
    return object
  }
}

extension JSONWriter {
  /// The maximum length of a list of strings on one line, including the brackets.
  private static let longestLine = 80

  /// Writes the tree on several lines, a short list of strings on one line.
  mutating func write(_ tree: DocumentTree, depth: Int) {
    switch tree {
    case .json(let value): write(value, depth: depth)
    case .words(let words): write(words, depth: depth)
    case .list(let elements):
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
