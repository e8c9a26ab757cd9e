import StubDBModel

/// Values that their names mark as secrets.
extension SecretSearch {
  private static let separators = Set("&;,)}] \t\r\n\"'<>#".utf8)

  /// The value after a sensitive name; several for the elements of JSON.
  mutating func assignment(at sign: Int) -> [Place] {
    var end = sign
    while end > 0, Self.isBlank(bytes[end - 1]) { end -= 1 }
    var isQuoted = false
    while end > 0, Self.isQuote(bytes[end - 1]) || bytes[end - 1] == Self.backslash {
      end -= 1
      isQuoted = true
    }
    var start = end
    while start > 0, end - start < 64, Self.isName(bytes[start - 1]) { start -= 1 }
    guard start < end else { return [] }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    let value = value(behind: sign, isField: !isQuoted && bytes[sign] == UInt8(ascii: ":"))
    // What is looked at in a value is at its beginning.
    let text = beginning(of: value.range)
    guard SensitiveName.hides(name, value: text) else { return [] }
    let isLiteral = isQuoted && !value.isText
    if isLiteral {
      if let first = text.utf8.first, "[{".utf8.contains(first) {
        return elements(from: value.range.lowerBound)
      }
      if ["true", "false", "null"].contains(text) { return [] }
    }
    let scheme = text.utf8.count - SecretDisplay.withoutScheme(text).utf8.count
    let range = value.range.lowerBound + scheme..<value.range.upperBound
    // A regular expression such as `.+` contains no secret.
    let isTelling = bytes[range].contains { byte in
      byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80
    }
    return isTelling ? [Place(range: range, needsQuotes: isLiteral)] : []
  }

  /// The texts and numbers in a JSON array or object, without the names of members.
  private mutating func elements(from bracket: Int) -> [Place] {
    if json.contains(bracket) { return [] }
    var found: [Place] = []
    var (index, depth) = (bracket, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 {
          json = bracket..<index
          examined += json.count
          return found
        }
      case UInt8(ascii: "\""), Self.backslash, UInt8(ascii: "-"), 0x30...0x39:
        let value = value(behind: index - 1, isField: false)
        let next = bytes[value.range.upperBound...].prefix(Self.beginning).first { byte in
          byte > 0x20 && !Self.isQuote(byte) && byte != Self.backslash
        }
        if next != UInt8(ascii: ":") {
          found.append(Place(range: value.range, needsQuotes: !value.isText))
        }
        // After the closing quote; a bracket after a number still counts.
        index = max(index + 1, value.range.upperBound + (value.isText ? 1 : 0))
        continue
      default: break
      }
      index += 1
    }
    json = bracket..<index
    examined += json.count
    return found
  }

  /// The value after a separator: in quotes, or to the end of the line for a header field, or to the next separator.
  private mutating func value(behind sign: Int, isField: Bool) -> (range: Range<Int>, isText: Bool)
  {
    var start = sign + 1
    while start < bytes.count, Self.isBlank(bytes[start]) { start += 1 }
    let escapes = start < bytes.count && bytes[start] == Self.backslash
    if escapes { start += 1 }
    if start < bytes.count, Self.isQuote(bytes[start]) {
      let quote = bytes[start]
      start += 1
      var end = start
      while end < bytes.count, bytes[end] != quote {
        if bytes[end] == Self.backslash {
          if escapes, end + 1 < bytes.count, bytes[end + 1] == quote { break }
          end += 1
        }
        end += 1
      }
      examined += end - start
      return (start..<min(end, bytes.count), true)
    }
    let last = isField ? field : other
    var end = last.contains(start) ? last.upperBound : start
    examined -= end
    while end < bytes.count {
      let byte = bytes[end]
      if isField
        ? byte == 0x0A || byte == 0x0D || Self.isQuote(byte) : Self.separators.contains(byte)
      {
        break
      }
      end += 1
    }
    examined += end
    if isField { field = start..<end } else { other = start..<end }
    return (start..<end, false)
  }
}
