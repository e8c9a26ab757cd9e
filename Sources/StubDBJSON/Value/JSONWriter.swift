internal import StubDBSupport

/// Writes JSON text piece by piece.
package struct JSONWriter {
  /// The text so far, as bytes because a string validates each piece that is appended.
  private var bytes: [UInt8] = []
  /// The text so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The indentation per level; nil for text on one line.
  private let indent: Int?

  package init(indent: Int?) {
    self.indent = indent
  }

  package mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: write(verbatim: "null")
    case .bool(let value): write(verbatim: value ? "true" : "false")
    case .number(let value): write(verbatim: value.text)
    case .string(let value): write(value)
    case .array(let elements):
      writeContainer("[", "]", elements, depth: depth) { writer, element in
        writer.write(element, depth: depth + 1)
      }
    case .object(let members):
      writeMembers(Self.sorted(members), depth: depth)
    }
  }

  /// Writes an object whose members keep their order.
  package mutating func writeMembers(_ members: [(String, JSONValue)], depth: Int) {
    writeContainer("{", "}", members, depth: depth) { writer, member in
      writer.writeName(member.0)
      writer.write(member.1, depth: depth + 1)
    }
  }

  /// Writes the name of a member and the colon after it.
  package mutating func writeName(_ name: String) {
    write(name)
    bytes.append(UInt8(ascii: ":"))
    if indent != nil { bytes.append(UInt8(ascii: " ")) }
  }

  /// Writes text that is already JSON.
  package mutating func write(verbatim json: String) {
    var json = json
    json.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes a container whose elements the closure writes, each on a line of its own if the text is indented.
  package mutating func writeContainer<Elements: Collection>(
    _ open: String, _ close: String, _ elements: Elements, depth: Int,
    writeElement: (inout JSONWriter, Elements.Element) -> Void
  ) {
    write(verbatim: open)
    guard !elements.isEmpty else { return write(verbatim: close) }
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      writeLineBreak(depth: depth + 1)
      writeElement(&self, element)
    }
    writeLineBreak(depth: depth)
    write(verbatim: close)
  }

  /// Writes a JSON string with the escapes that RFC 8259 §7 requires and no others.
  package mutating func write(_ string: String) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    var string = string
    string.withUTF8 { text in
      // Runs of bytes without escapes are copied at once.
      var start = 0
      for (index, byte) in text.enumerated()
      where byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: text[start..<index])
        write(escaping: byte)
        start = index + 1
      }
      bytes.append(contentsOf: text[start...])
    }
    bytes.append(quote)
  }

  private mutating func write(escaping byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): write(verbatim: "\\\"")
    case UInt8(ascii: "\\"): write(verbatim: "\\\\")
    case 0x0A: write(verbatim: "\\n")
    case 0x0D: write(verbatim: "\\r")
    case 0x09: write(verbatim: "\\t")
    case 0x08: write(verbatim: "\\b")
    case 0x0C: write(verbatim: "\\f")
    default:
      let hex = String(byte, radix: 16)
      write(verbatim: "\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
    }
  }

  private mutating func writeLineBreak(depth: Int) {
    guard let indent else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: indent * depth))
  }

  private static func sorted(_ members: JSONObject) -> [(String, JSONValue)] {
    members.map { ($0.key, $0.value) }
      .sorted { $0.0.precedesByBytes($1.0) }
  }
}
