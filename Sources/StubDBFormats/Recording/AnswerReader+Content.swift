internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// The content of answers, in its most readable form.
extension AnswerReader {
  struct DecodedBody {
    var body: RecordedBody
    /// Whether a coding was undone here.
    var isRecoded = false
    /// Whether the content still has its coding.
    var keepsCoding = false
  }

  /// The content without its coding; nil if it is too large.
  func decodedBody(
    _ answer: RecordedAnswer, source: ReportSource, exchange: RecordedExchange
  ) -> DecodedBody? {
    guard case .bytes(let data) = answer.body else { return DecodedBody(body: answer.body) }
    let codings = answer.headers[values: "Content-Encoding"].joined(separator: ", ")
    guard !codings.isEmpty else { return DecodedBody(body: answer.body) }
    var fields = HTTPFields()
    fields[.contentEncoding] = codings
    do {
      let limit =
        data.count > 1 << 20
        ? min(Self.maximumByteCount, data.count * Self.maximumExpansion) : Self.maximumByteCount
      let decoded = try ContentDecoding.content(data, headers: fields, limit: limit)
      return DecodedBody(body: .bytes(decoded), isRecoded: decoded != data)
    } catch {
      if error.isTooLarge {
        exchange.source.drop(
          .tooLarge, "The content is larger than stubdb takes once it is decoded; left out")
        return nil
      }
      source.add(
        .dropped, .encoding,
        "Content coded as \(codings) could not be decoded; kept as bytes with its Content-Encoding")
      return DecodedBody(body: answer.body, keepsCoding: true)
    }
  }

  func setBody(
    _ body: RecordedBody, of response: inout StubResponse, source: ReportSource
  ) {
    switch body {
    case .none: break
    case .missing(let count):
      let size = count.map { "\($0) bytes were received" } ?? "its size is not known"
      source.add(
        .dropped, .noBody,
        "The recording holds no body for this answer (\(size)); the stub answers without one")
    case .text(var text):
      text.withUTF8 { setText(UnsafeRawBufferPointer($0), of: &response, source: source) }
    case .source(let text):
      text.withUTF8 { setText($0, of: &response, source: source) }
    case .bytes(let data):
      data.withUnsafeBytes { setBytes($0, data, of: &response, source: source) }
    case .form, .multipart: break
    }
  }

  /// Text in UTF-8, or in the character encoding that the answer says, as text; everything else as it is.
  private func setBytes(
    _ bytes: UnsafeRawBufferPointer, _ data: Data, of response: inout StubResponse,
    source: ReportSource
  ) {
    if UTF8Bytes.isValid(bytes) {
      if bytes.isPlainText {
        setText(bytes, of: &response, source: source)
      } else {
        response.body = .data(data)
      }
    } else if var text = transcoded(data, &response, source: source) {
      text.withUTF8 { setText(UnsafeRawBufferPointer($0), of: &response, source: source) }
    } else {
      response.body = .data(data)
    }
  }

  /// The bytes as text in the character encoding that the answer says; nil if they are no text.
  private func transcoded(
    _ data: Data, _ response: inout StubResponse, source: ReportSource
  ) -> String? {
    guard let type = response.headers[.contentType], let charset = Charset(contentType: type),
      let text = charset.decode(data), text.isPlainText
    else { return nil }
    response.headers[.contentType] = charset.replaced(in: type)
    source.add(
      .changed, .charset,
      "Content in \(charset.name) is stored as UTF-8; the charset of Content-Type was changed")
    return text
  }

  /// Text in UTF-8: as JSON where it is JSON, as pieces where it is an event stream.
  private func setText(
    _ text: UnsafeRawBufferPointer, of response: inout StubResponse, source: ReportSource
  ) {
    guard !text.isEmpty else { return }
    if UTF8Bytes.endOfASCII(text, from: 0) < text.count {
      checkCharacters(text, of: &response, source: source)
    }
    let type = response.headers[.contentType]?.lowercased() ?? ""
    if type.hasPrefix("text/event-stream") {
      response.chunks = .pieces(Self.events(of: String(decoding: text, as: UTF8.self)))
      source.add(
        .changed, .streamTiming,
        "An event stream was recorded as one text; cut at blank lines, without their times")
    } else if JSONTextRule.recordings.mayBeJSON(type), let json = JSONCanonicalizer.canonical(text),
      JSONTextRule.recordings.takes(isContainer: json.isContainer, type: type)
    {
      response.body = ResponseBody(kind: .json, content: .bytes(json.text))
    } else {
      response.body = ResponseBody(kind: .text, content: .bytes(Data(text)))
    }
  }

  /// Says what the characters beyond ASCII show: another character encoding, damages.
  private func checkCharacters(
    _ text: UnsafeRawBufferPointer, of response: inout StubResponse, source: ReportSource
  ) {
    if let type = response.headers[.contentType], let charset = Charset(contentType: type),
      !charset.isUTF8
    {
      response.headers[.contentType] = charset.replaced(in: type)
      source.add(
        .changed, .charset,
        "Content in \(charset.name) is stored as UTF-8; the charset of Content-Type was changed")
    }
    let damages = text.countOfReplacementCharacters
    if damages > 0 {
      source.add(
        .changed, .damaged,
        "The recorder damaged the content (\(damages) replacement characters); kept as it is")
    }
  }

  /// An event stream, cut after each blank line.
  private static func events(of text: String) -> [ResponseChunks.Piece] {
    var events: [String] = []
    var event = ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast() {
      event += line + "\n"
      if line.isEmpty || line == "\r" {
        events.append(event)
        event = ""
      }
    }
    event += lines.last ?? ""
    if !event.isEmpty { events.append(event) }
    return events.map { ResponseChunks.Piece(.text($0)) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the text has no control characters but tabs and line ends.
  var isPlainText: Bool {
    allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }

  /// How many times U+FFFD is in the text.
  var countOfReplacementCharacters: Int {
    var count = 0
    var place = 0
    while place + 3 <= self.count {
      if self[place] == 0xEF, self[place + 1] == 0xBF, self[place + 2] == 0xBD { count += 1 }
      place += 1
    }
    return count
  }
}
