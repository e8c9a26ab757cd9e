import Foundation
import StubDBSupport

/// Splits multipart content into its parts.
///
/// https://www.rfc-editor.org/rfc/rfc2046#section-5.1
struct MultipartReader {
  /// Reports why content is not multipart.
  struct SyntaxError: Error {
    /// A phrase.
    var reason: String
  }

  /// The largest number of parts.
  static let maximumCount = 10_000
  private static let blankLine = Data("\r\n\r\n".utf8)

  private let data: Data
  private let boundary: Data

  /// Reads the boundary from the `Content-Type`.
  ///
  /// - Throws: A ``SyntaxError`` for another type, or if there is no boundary.
  init(_ data: Data, contentType: String?) throws(SyntaxError) {
    guard let contentType else {
      throw SyntaxError(reason: "not multipart: it has no Content-Type")
    }
    let type = ParameterizedValue(contentType)
    guard type.value.lowercased().hasPrefix("multipart/") else {
      throw SyntaxError(
        reason: "not multipart: its Content-Type is \(TextExcerpt.plain(contentType))")
    }
    guard let boundary = type["boundary"], !boundary.isEmpty else {
      throw SyntaxError(reason: "not multipart: its Content-Type names no boundary")
    }
    // A slice keeps its indices; a copy begins at 0.
    self.data = Data(data)
    self.boundary = Data("--\(boundary)".utf8)
  }

  /// The parts in order.
  ///
  /// - Throws: A ``SyntaxError`` if a boundary is missing.
  func parts(_ context: MatchContext) throws(SyntaxError) -> [PreparedPart] {
    guard var delimiter = nextDelimiter(from: 0, endsLines: nil) else {
      throw SyntaxError(reason: "not multipart: the boundary does not occur as a line")
    }
    // Lines end as the first delimiter does: in CRLF, as the standard says, or all of them in LF.
    let endsLines = delimiter.lineEnd
    var parts: [PreparedPart] = []
    while !delimiter.isLast {
      guard let next = nextDelimiter(from: delimiter.end, endsLines: endsLines) else {
        throw SyntaxError(reason: "not multipart: the last boundary is missing")
      }
      guard parts.count < Self.maximumCount else {
        throw SyntaxError(reason: "not multipart: it has more than \(Self.maximumCount) parts")
      }
      parts.append(part(data[delimiter.end..<next.start], context))
      delimiter = next
    }
    return parts
  }

  /// A line with the boundary, including the line end before it.
  private struct Delimiter {
    enum LineEnd {
      case crlf, lf
    }

    var start: Int
    /// The offset of the next line.
    var end: Int
    var isLast: Bool
    /// Nil at the end of the content.
    var lineEnd: LineEnd?
  }

  /// The next line with the boundary, followed by nothing but `--`, spaces and tabs.
  ///
  /// A longer line that begins with the boundary is content. https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
  private func nextDelimiter(from start: Int, endsLines: Delimiter.LineEnd?) -> Delimiter? {
    var place = start
    while let found = data.range(of: boundary, in: place..<data.count) {
      place = found.lowerBound + 1
      guard let lower = lineStart(found.lowerBound, from: start, endsLines),
        let (end, isLast, lineEnd) = delimiterEnd(found.upperBound),
        endsLines == nil || lineEnd == nil || lineEnd == endsLines
      else { continue }
      return Delimiter(start: lower, end: end, isLast: isLast, lineEnd: lineEnd)
    }
    return nil
  }

  /// The offset of the line end before a line; nil inside a line.
  private func lineStart(_ place: Int, from start: Int, _ endsLines: Delimiter.LineEnd?) -> Int? {
    if place == start { return start }
    guard data[place - 1] == 0x0A else { return nil }
    if place - 2 >= start, data[place - 2] == 0x0D { return place - 2 }
    return endsLines == .crlf ? nil : place - 1
  }

  /// The text after the boundary in its line; nil if it is not allowed there.
  private func delimiterEnd(
    _ start: Int
  ) -> (end: Int, isLast: Bool, lineEnd: Delimiter.LineEnd?)? {
    var place = start
    let isLast = data[place...].starts(with: Data("--".utf8))
    if isLast { place += 2 }
    while place < data.count, data[place] == 0x20 || data[place] == 0x09 { place += 1 }
    if place == data.count { return isLast ? (place, true, nil) : nil }
    if data[place] == 0x0A { return (place + 1, isLast, .lf) }
    guard data[place...].starts(with: [0x0D, 0x0A]) else { return nil }
    return (place + 2, isLast, .crlf)
  }

  /// A part: header fields, an empty line, content.
  private func part(_ rest: Data, _ context: MatchContext) -> PreparedPart {
    var (head, body) = (rest, Data())
    if rest.first == 0x0A || rest.starts(with: [0x0D, 0x0A]) {
      head = Data()
      body = rest.dropFirst(rest.first == 0x0A ? 1 : 2)
    } else if let blank = rest.range(of: Self.blankLine)
      ?? rest.range(of: Data("\n\n".utf8))
    {
      head = rest[..<blank.lowerBound]
      body = rest[blank.upperBound...]
    }
    let headers = Self.headers(head)
    let disposition = headers.first { ByteText.isSameName($0.name, "content-disposition") }
      .map { ParameterizedValue($0.value) }
    return PreparedPart(
      name: disposition?["name"], filename: disposition?["filename"], headers: headers,
      body: PreparedBody(
        part: Data(body),
        contentType: headers.first { ByteText.isSameName($0.name, "content-type") }?.value,
        context: context))
  }

  private static func headers(_ head: Data) -> [(name: String, value: String)] {
    head.split(separator: 0x0A).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...]
      return (
        FieldValues.trimmed(line[..<colon]),
        FieldValues.trimmed(value.last == 0x0D ? value.dropLast() : value)
      )
    }
  }
}

/// A header field value with parameters, such as `form-data; name="avatar"; filename="me.png"`.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6
struct ParameterizedValue {
  /// The text before the parameters.
  let value: String
  private var parameters: [(name: String, value: String)] = []

  init(_ text: String) {
    var pieces = Self.cut(text)
    value = FieldValues.trimmed(pieces.removeFirst())
    for piece in pieces {
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let raw = FieldValues.trimmed(piece[(equals + 1)...])
      parameters.append((FieldValues.trimmed(piece[..<equals]), Self.unquoted(raw)))
    }
  }

  /// The value of a parameter; the form `name*=UTF-8''…` takes precedence.
  ///
  /// https://www.rfc-editor.org/rfc/rfc8187
  subscript(name: String) -> String? {
    if let extended = parameters.first(where: { ByteText.isSameName($0.name, name + "*") }),
      let text = Self.decoded(extended.value)
    {
      return text
    }
    return parameters.first { ByteText.isSameName($0.name, name) }?.value
  }

  /// The pieces between semicolons outside quotes; at least one.
  private static func cut(_ text: String) -> [[UInt8]] {
    var (pieces, current) = ([[UInt8]](), [UInt8]())
    var (isQuoted, isEscaped) = (false, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ";"), !isQuoted {
        pieces.append(current)
        current = []
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      current.append(byte)
    }
    return pieces + [current]
  }

  /// Removes quotes, and a backslash before a quote or a backslash; other backslashes stay, as in Windows paths.
  private static func unquoted(_ text: String) -> String {
    let (bytes, quote) = (text.utf8, UInt8(ascii: "\""))
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return text }
    var (result, isEscaped) = ([UInt8](), false)
    for byte in bytes.dropFirst().dropLast() {
      if isEscaped {
        if byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          result.append(UInt8(ascii: "\\"))
        }
        result.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    if isEscaped { result.append(UInt8(ascii: "\\")) }
    return String(decoding: withoutCodes(result), as: UTF8.self)
  }

  /// Decodes the quotes and line ends that browsers and curl write as `%22`, `%0D` and `%0A`.
  ///
  /// https://html.spec.whatwg.org/#multipart-form-data
  private static func withoutCodes(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(UInt8(ascii: "%")) else { return text }
    var (result, rest) = ([UInt8](), text[...])
    while let byte = rest.popFirst() {
      let code = byte == UInt8(ascii: "%") ? String(decoding: rest.prefix(2), as: UTF8.self) : ""
      switch code.uppercased() {
      case "22": result.append(UInt8(ascii: "\""))
      case "0D": result.append(0x0D)
      case "0A": result.append(0x0A)
      default:
        result.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
    }
    return result
  }

  /// Decodes `UTF-8'en'na%C3%AFve`; nil for another charset.
  private static func decoded(_ text: String) -> String? {
    let pieces = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard pieces.count == 3, pieces[0].lowercased() == "utf-8" else { return nil }
    return pieces[2].removingPercentEncoding
  }
}

/// A part of multipart content.
struct PreparedPart {
  /// The name in its `Content-Disposition`, or nil.
  var name: String?
  /// The file name in its `Content-Disposition`, or nil.
  var filename: String?
  /// Its header fields in order, values trimmed.
  var headers: [(name: String, value: String)]
  /// Its content.
  var body: PreparedBody

  func values(ofHeader name: String) -> FieldValues {
    FieldValues(
      headerLines: headers.compactMap { ByteText.isSameName($0.name, name) ? $0.value : nil })
  }
}
