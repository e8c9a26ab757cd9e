internal import Foundation
internal import StubDBModel
internal import StubDBSupport

/// The messages in a text, one after another.
struct HTTPMessages {
  /// The first line of a request.
  struct RequestLine {
    var method: String
    var target: String

    init?(_ line: String) {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count == 3, words[2].hasPrefix("HTTP/"),
        words[0].utf8.allSatisfy({ $0.isASCIILetter || $0 == UInt8(ascii: "-") })
      else { return nil }
      (method, target) = (String(words[0]), String(words[1]))
    }
  }

  /// The first line of a response.
  struct StatusLine {
    var code: Int

    init?(_ line: String) {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count >= 2, words[0].hasPrefix("HTTP/"), words[1].utf8.count == 3,
        words[1].allSatisfy({ ("0"..."9").contains($0) }), let code = Int(words[1]), code >= 100
      else { return nil }
      self.code = code
    }

    /// What stands where the status should be; nil for a status, and for a line that no answer begins with.
    static func wrongStatus(in line: String) -> String? {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard let version = words.first,
        version.wholeMatch(of: /HTTP\/[0-9](\.[0-9])?/) != nil, StatusLine(line) == nil
      else { return nil }
      return words.count > 1 ? String(words[1].prefix(40)) : ""
    }
  }

  enum Start {
    case request(RequestLine)
    case response(StatusLine)
  }

  struct Message {
    var start: Start
    /// The line of its first line, from 1.
    var line: Int
    var headers = RecordedHeaders()
    /// The content, without transfer coding.
    var content = Data()
    /// What is wrong with it, for the report.
    var problems: [String] = []
  }

  private(set) var list: [Message] = []
  private let bytes: Data
  private let file: String
  private var place = 0
  private var line = 1

  /// - Throws: ``FormatError`` for a text that does not begin with a message.
  init(_ bytes: Data, file: String) throws(FormatError) {
    self.bytes = Data(bytes)
    self.file = file
    while place < self.bytes.count {
      skipBlankLines()
      guard place < self.bytes.count else { break }
      list.append(try message())
    }
  }

  static func firstLine(_ bytes: Data) -> String {
    let rest = bytes.drop { $0 == 0x0A || $0 == 0x0D }.prefix(8192)
    return String(decoding: rest.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  private mutating func skipBlankLines() {
    while place < bytes.count, bytes[place] == 0x0A || bytes[place] == 0x0D {
      if bytes[place] == 0x0A { line += 1 }
      place += 1
    }
  }

  /// The next line without its end, which may be CRLF or LF.
  private mutating func takeLine() -> String {
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    var text = bytes[place..<end]
    if text.last == 0x0D { text.removeLast() }
    place = min(end + 1, bytes.count)
    line += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func message() throws(FormatError) -> Message {
    let number = line
    let first = takeLine()
    let start: Start
    if let status = StatusLine(first) {
      start = .response(status)
    } else if let request = RequestLine(first) {
      start = .request(request)
    } else if let status = StatusLine.wrongStatus(in: first) {
      let found = status.isEmpty ? "the answer has no status" : "\"\(status)\" is not a status"
      throw FormatError(
        file: file, line: number,
        message: "\(found): it is a number from 100 to 999, as in HTTP/1.1 200 OK")
    } else {
      throw FormatError(
        file: file, line: number,
        message:
          "expected the first line of a message, such as HTTP/1.1 200 OK or GET /v1/me HTTP/1.1")
    }
    var message = Message(start: start, line: number)
    while place < bytes.count {
      let line = takeLine()
      if line.isEmpty { break }
      if !add(line, to: &message.headers) {
        message.problems.append("A line of the head is no header field and was left out")
      }
    }
    message.content = takeContent(of: &message)
    return message
  }

  /// A line that begins with a space continues the field before it; false for a line that is no field.
  private func add(_ line: String, to headers: inout RecordedHeaders) -> Bool {
    if line.first == " " || line.first == "\t", !headers.fields.isEmpty {
      headers.fields[headers.fields.count - 1].value +=
        " " + line.trimmingCharacters(in: .whitespaces)
      return true
    }
    let isURL = line.cut(at: ":")?.1.hasPrefix("//") ?? false
    return !isURL && headers.append(line: line)
  }

  private mutating func takeContent(of message: inout Message) -> Data {
    let start = place
    if isMessageStart(at: place) { return Data() }
    var (end, next) = nextMessage(from: start)
    if let length = message.headers["Content-Length"].flatMap({ Int($0) }), length >= 0 {
      if length <= bytes.count - start, isEndOfMessage(at: start + length) {
        (end, next) = (start + length, start + length)
      } else if end > start {
        message.problems.append(
          "Content-Length says \(length) bytes, and there are \(end - start); all of them were taken"
        )
      }
    }
    let content = bytes[start..<end]
    line += bytes[start..<next].count { $0 == 0x0A }
    place = next
    let isChunked = message.headers["Transfer-Encoding"]?.lowercased().contains("chunked") ?? false
    return isChunked ? Self.withoutChunks(Data(content)) ?? Data(content) : Data(content)
  }

  /// Whether the text ends here, or another message begins after line ends.
  private func isEndOfMessage(at place: Int) -> Bool {
    let rest = bytes[place...].drop { $0 == 0x0A || $0 == 0x0D }
    return rest.isEmpty || isMessageStart(at: rest.startIndex)
  }

  private func isMessageStart(at place: Int) -> Bool {
    let text = bytes[place...].prefix(8192).prefix { $0 != 0x0A && $0 != 0x0D }
    let line = String(decoding: text, as: UTF8.self)
    return StatusLine(line) != nil || RequestLine(line) != nil
  }

  /// Where the next message begins, and where the content before it ends: the line end between them is no part of it.
  private func nextMessage(from start: Int) -> (end: Int, next: Int) {
    var place = start
    while let lineEnd = bytes[place...].firstIndex(of: 0x0A) {
      let next = lineEnd + 1
      if isMessageStart(at: next), isHead(at: next) {
        var end = lineEnd
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        // A blank line may stand between them, too.
        if end > start, bytes[end - 1] == 0x0A { end -= 1 }
        if end > start, end < lineEnd, bytes[end - 1] == 0x0D { end -= 1 }
        return (end, next)
      }
      place = next
    }
    return (bytes.count, bytes.count)
  }

  /// Whether a header field, or the empty line after a head, follows the line at a place.
  private func isHead(at place: Int) -> Bool {
    guard let end = bytes[place...].firstIndex(of: 0x0A) else { return true }
    let second = bytes[(end + 1)...].prefix(8192).prefix { $0 != 0x0A && $0 != 0x0D }
    guard !second.isEmpty, let colon = second.firstIndex(of: UInt8(ascii: ":")) else {
      return second.isEmpty
    }
    return second[..<colon].allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// The content of chunks; nil if the bytes are not chunks up to their end.
  ///
  /// `curl -i` shows content without them, although the field is there. https://www.rfc-editor.org/rfc/rfc9112#section-7.1
  static func withoutChunks(_ data: Data) -> Data? {
    var content = Data()
    var rest = data[...]
    while true {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      let line = String(decoding: rest[..<end], as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines)
      let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      guard let size = Int(digits, radix: 16), size >= 0 else { return nil }
      rest = rest[(end + 1)...]
      if size == 0 { return content }
      guard rest.count >= size else { return nil }
      content += rest.prefix(size)
      rest = rest.dropFirst(size)
      if rest.first == 0x0D { rest = rest.dropFirst() }
      guard rest.first == 0x0A else { return nil }
      rest = rest.dropFirst()
    }
  }
}
