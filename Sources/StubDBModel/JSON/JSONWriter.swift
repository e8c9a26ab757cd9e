/// Writes JSON text piece by piece.
package struct JSONWriter {
  /// What was written so far.
  package private(set) var text = ""
  /// Spaces a level, or nil for text on one line.
  private let indent: Int?

  package init(indent: Int?) {
    self.indent = indent
  }

  package mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += value.text
    case .string(let value): write(value)
    case .array(let elements):
      writeContainer("[", "]", elements, depth: depth) { writer, element in
        writer.write(element, depth: depth + 1)
      }
    case .object(let members):
      writeMembers(Self.sorted(members), depth: depth)
    }
  }

  /// Writes an object whose members keep the order given.
  package mutating func writeMembers(_ members: [(String, JSONValue)], depth: Int) {
    writeContainer("{", "}", members, depth: depth) { writer, member in
      writer.writeName(member.0)
      writer.write(member.1, depth: depth + 1)
    }
  }

  /// Writes the name of a member and the colon behind it.
  package mutating func writeName(_ name: String) {
    write(name)
    text += indent == nil ? ":" : ": "
  }

  /// Writes text that is JSON already.
  package mutating func write(verbatim json: String) {
    text += json
  }

  /// Writes a container whose elements the closure writes, each on a line of its own if there are lines.
  package mutating func writeContainer<Elements: Collection>(
    _ open: String, _ close: String, _ elements: Elements, depth: Int,
    writeElement: (inout JSONWriter, Elements.Element) -> Void
  ) {
    text += open
    guard !elements.isEmpty else {
      text += close
      return
    }
    var isFirst = true
    for element in elements {
      if !isFirst { text += "," }
      isFirst = false
      writeLineBreak(depth: depth + 1)
      writeElement(&self, element)
    }
    writeLineBreak(depth: depth)
    text += close
  }

  /// Writes a JSON string with the escapes that RFC 8259 §7 requires and no others.
  package mutating func write(_ string: String) {
    text += "\""
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    ) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(escaping: scalar) }
    }
    text += "\""
  }

  private mutating func write(escaping scalar: Unicode.Scalar) {
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

  private mutating func writeLineBreak(depth: Int) {
    guard let indent else { return }
    text += "\n" + String(repeating: " ", count: indent * depth)
  }

  private static func sorted(_ members: [String: JSONValue]) -> [(String, JSONValue)] {
    members.map { ($0.key, $0.value) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }
}
