internal import Foundation
internal import StubDBModel

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
        let code = Int(words[1])
      else { return nil }
      self.code = code
    }
  }

  enum Start {
    case request(RequestLine)
    case response(StatusLine)
  }

  /// A request or a response.
  struct Message {
    var start: Start
    /// The line of its first line, from 1.
    var line: Int
    var headers = RecordedHeaders()
    /// The content, without transfer coding.
    var content = Data()
  }

  private(set) var list: [Message] = []
  private let bytes: Data
  private let file: String
  private var place = 0
  private var line = 1

  /// - Throws: ``ImportError`` for a text that does not begin with a message.
  init(_ bytes: Data, file: String) throws(ImportError) {
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

  private mutating func message() throws(ImportError) -> Message {
    let number = line
    let first = takeLine()
    let start: Start
    if let status = StatusLine(first) {
      start = .response(status)
    } else if let request = RequestLine(first) {
      start = .request(request)
    } else {
      throw ImportError(
        file: file, line: number,
        message:
          "expected the first line of a message, such as HTTP/1.1 200 OK or GET /v1/me HTTP/1.1")
    }
    var message = Message(start: start, line: number)
    while place < bytes.count {
      let line = takeLine()
      if line.isEmpty { break }
      add(line, to: &message.headers)
    }
    message.content = takeContent(of: message)
    return message
  }

  /// A line that begins with a space continues the field before it.
  private func add(_ line: String, to headers: inout RecordedHeaders) {
    if line.first == " " || line.first == "\t", !headers.fields.isEmpty {
      headers.fields[headers.fields.count - 1].value +=
        " " + line.trimmingCharacters(in: .whitespaces)
    } else if let colon = line.firstIndex(of: ":") {
      headers.fields.append(
        RecordedHeaders.Field(
          line[..<colon].trimmingCharacters(in: .whitespaces),
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
    }
  }

  private mutating func takeContent(of message: Message) -> Data {
    let start = place
    if isMessageStart(at: place) { return Data() }
    var end = bytes.count
    let length = message.headers["Content-Length"].flatMap { Int($0) }
    if let length, length >= 0, length <= bytes.count - start, isEndOfMessage(at: start + length) {
      end = start + length
    } else if case .request = message.start {
      end = nextResponse(from: start) ?? bytes.count
    }
    let content = bytes[start..<end]
    line += content.count { $0 == 0x0A }
    place = end
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

  private func nextResponse(from start: Int) -> Int? {
    var place = start
    while let end = bytes[place...].firstIndex(of: 0x0A) {
      if bytes[(end + 1)...].starts(with: "HTTP/".utf8), isMessageStart(at: end + 1) {
        return end + 1
      }
      place = end + 1
    }
    return nil
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

/// What `curl -v` prints: lines that begin with `> ` are of the request, with `< ` of the response.
enum CurlTrace {
  static func recognizes(_ bytes: Data) -> Bool {
    let text = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    return lines.contains {
      $0.hasPrefix("> ") && HTTPMessages.RequestLine(String($0.dropFirst(2))) != nil
    }
      && lines.contains { $0.hasPrefix("< HTTP/") }
  }

  /// The same as messages.
  static func messages(_ bytes: Data) -> Data {
    var messages = Data()
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let isOfMessage = line.starts(with: "> ".utf8) || line.starts(with: "< ".utf8)
      let isEnd =
        line.count <= 2 && (line.first == UInt8(ascii: ">") || line.first == UInt8(ascii: "<"))
      let isNote = ["* ", "{ ", "} "].contains { line.starts(with: $0.utf8) }
      if isNote { continue }
      if isEnd {
        messages.append(0x0A)
      } else if isOfMessage {
        messages += line.dropFirst(2)
        messages.append(0x0A)
      } else {
        messages += line
        messages.append(0x0A)
      }
    }
    return messages
  }
}
