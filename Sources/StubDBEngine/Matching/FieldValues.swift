internal import StubDBSupport

/// The values of a request for one name: none, one or several.
struct FieldValues {
  /// The values in order.
  var values: [String]
  /// For header fields, the elements of the values as comma-separated lists; nil for other values.
  var elements: [String]?
  /// Whether they are lines of a header field, which can also be combined into one line.
  var isHeader = false

  init(_ values: [String]) {
    self.values = values
  }

  /// The lines of a header field.
  init(headerLines lines: [String]) {
    values = lines
    isHeader = true
    elements =
      lines.contains { ByteText.contains($0, ",") }
      ? lines.flatMap(Self.elements) : nil
  }

  /// All lines combined, as RFC 9110 §5.3 allows; nil if that makes no difference.
  static func joined(_ lines: [String]) -> String? {
    lines.count > 1 ? lines.joined(separator: ", ") : nil
  }

  /// The elements of a list, split at commas outside quotes and trimmed; empty ones are dropped.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1
  static func elements(_ line: String) -> [String] {
    var (result, current) = ([String](), [UInt8]())
    var (isQuoted, isEscaped) = (false, false)
    for byte in line.utf8 {
      if byte == UInt8(ascii: ","), !isQuoted {
        result.append(trimmed(current))
        current = []
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      current.append(byte)
    }
    result.append(trimmed(current))
    return result.filter { !$0.isEmpty }
  }

  /// The text without leading and trailing spaces and tabs; the same text if it has none, as most.
  static func trimmed(_ text: String) -> String {
    let isBlank = { (byte: UInt8?) in byte == 0x20 || byte == 0x09 }
    return isBlank(text.utf8.first) || isBlank(text.utf8.last) ? trimmed(text.utf8) : text
  }

  /// The text without leading and trailing spaces and tabs.
  static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[start...end], as: UTF8.self)
  }
}
