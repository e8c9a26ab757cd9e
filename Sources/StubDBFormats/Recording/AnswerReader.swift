internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel

/// Makes responses of recorded answers: header fields chosen, codings undone, content in its most readable form.
struct AnswerReader {
  /// The largest content, decoded.
  static let maximumByteCount = 64 * 1024 * 1024
  /// How many times larger than its coded form a content above 1 MiB may be.
  static let maximumExpansion = 200

  var headers = HeaderPolicy()
  /// Whether the recorded times become delays.
  var keepsTiming = false

  /// The response; nil if the exchange has no answer that can be given, which the report says.
  func response(to exchange: RecordedExchange) -> StubResponse? {
    let source = exchange.answerSource
    switch exchange.outcome {
    case .answer(let answer):
      return response(answer, to: exchange)
    case .failure(let text):
      guard let name = FailureNames.urlError(text), let error = ResponseError(urlErrorName: name)
      else {
        exchange.source.drop(
          .noAnswer, "No response was recorded (\(text)); the request was left out")
        return nil
      }
      if text != name {
        source.add(.changed, .errorGuess, "The recording says \(text); the stub fails with \(name)")
      }
      return StubResponse(error: error)
    case .none:
      exchange.source.drop(.noAnswer, "No response was recorded; the request was left out")
      return nil
    }
  }

  private func response(_ answer: RecordedAnswer, to exchange: RecordedExchange) -> StubResponse? {
    let source = exchange.answerSource
    guard (100...999).contains(answer.status) else {
      exchange.source.drop(
        .noAnswer, "No response was recorded (status \(answer.status)); the request was left out")
      return nil
    }
    if answer.status == 101 {
      exchange.source.drop(.websocket, "A WebSocket; stubdb cannot stub WebSockets")
      return nil
    }
    if answer.status < 200 {
      exchange.source.drop(
        .noAnswer,
        "Only an interim answer was recorded (status \(answer.status)); the request was left out")
      return nil
    }
    var answer = answer
    let isHead = exchange.method == "HEAD"
    guard settleNotModified(&answer, of: exchange) else { return nil }
    guard let decoded = decodedBody(answer, source: source, exchange: exchange) else { return nil }
    let kept = KeptHeaders(
      answer.headers, policy: headers, status: answer.status, isRecoded: decoded.isRecoded,
      keepsLength: isHead)
    source.log.countIgnored(kept.volatileNames.count)
    if source.log.listsIgnored, !kept.volatileNames.isEmpty {
      source.add(
        .ignored, .volatile,
        "Header fields that differ in every answer: \(kept.volatileNames.joined(separator: ", "))")
    }
    for name in kept.invalidNames {
      source.add(.dropped, .header, "The header field \(name) has a value that cannot be sent")
    }
    var response = StubResponse(status: answer.status, headers: kept.fields)
    if decoded.keepsCoding, let coding = answer.headers["Content-Encoding"] {
      response.headers[.contentEncoding] = coding
    }
    if !isHead, answer.status != 204, answer.status != 304 {
      setBody(decoded.body, of: &response, source: source)
    }
    if keepsTiming { addTiming(exchange, to: &response) }
    return response
  }

  /// Turns a 304 with the content of a cache into the answer that filled the cache.
  ///
  /// - Returns: Whether the answer can be given.
  private func settleNotModified(
    _ answer: inout RecordedAnswer, of exchange: RecordedExchange
  ) -> Bool {
    let isConditional =
      exchange.requestHeaders["If-None-Match"] != nil
      || exchange.requestHeaders["If-Modified-Since"] != nil
    if answer.status == 304 {
      switch answer.body {
      case .text("") where !isConditional, .none where !isConditional,
        .missing where !isConditional:
        exchange.source.drop(
          .notModified, "304 for a request that was not conditional; the request was left out")
        return false
      case .none, .missing, .text(""):
        answer.body = .none
      default:
        answer.status = 200
        exchange.answerSource.add(
          .changed, .notModified,
          "304 with a body: the browser filled in its cached content; imported as 200")
      }
    } else if answer.isFromCache {
      if case .missing = answer.body {
        exchange.source.drop(
          .fromCache, "Answered by the browser's cache, and the content was not recorded")
        return false
      }
      exchange.answerSource.add(
        .changed, .fromCache,
        "Answered by the browser's cache; imported as if the server had answered")
    }
    return true
  }

  private func addTiming(_ exchange: RecordedExchange, to response: inout StubResponse) {
    if let wait = exchange.wait, wait >= .milliseconds(5) {
      response.delay = .fixed(.milliseconds((wait.wholeMilliseconds + 5) / 10 * 10))
    }
    if let receive = exchange.receive, receive > .milliseconds(100), response.chunks == nil,
      response.body != nil
    {
      let time = receive.wholeMilliseconds
      response.chunks = .split(count: max(1, time / 50), over: .milliseconds(time))
    }
  }
}

// MARK: - Content

extension AnswerReader {
  private struct DecodedBody {
    var body: RecordedBody
    /// Whether a coding was undone here.
    var isRecoded = false
    /// Whether the content still has its coding.
    var keepsCoding = false
  }

  /// The content without its coding; nil if it is too large.
  private func decodedBody(
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

  private func setBody(
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

extension Duration {
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
