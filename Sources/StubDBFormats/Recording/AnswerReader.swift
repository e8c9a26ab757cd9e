internal import Foundation
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
      guard let name = FailureTable.urlError(recordedAs: text),
        let error = ResponseError(urlErrorName: name)
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
    guard isFinal(answer, of: exchange) else { return nil }
    var answer = answer
    let isHead = exchange.method == "HEAD"
    guard settleNotModified(&answer, of: exchange) else { return nil }
    guard let decoded = decodedBody(answer, source: source, exchange: exchange) else { return nil }
    let kept = KeptHeaders(
      answer.headers, policy: headers, status: answer.status, isRecoded: decoded.isRecoded,
      keepsLength: isHead)
    note(kept, at: source)
    guard kept.fields.count <= StubResponse.maximumHeaderCount else {
      exchange.source.drop(
        .tooLarge,
        "The answer has more than \(StubResponse.maximumHeaderCount) header fields; the request was left out"
      )
      return nil
    }
    var builder = ResponseBuilder(
      status: answer.status, headers: kept.fields, recordedAt: source)
    if decoded.keepsCoding, let coding = answer.headers["Content-Encoding"] {
      builder.replaceHeader("Content-Encoding", coding)
    }
    if !isHead, answer.status != 204, answer.status != 304 { builder.set(decoded.body) }
    var response = builder.response
    if let count = answer.keptByteCount {
      response = StubResponse(
        status: response.status, headers: response.headers, body: response.body, fault: .truncated,
        afterBytes: count)
    }
    if keepsTiming { addTiming(exchange, to: &response) }
    return response
  }

  /// Says which header fields were left out.
  private func note(_ kept: KeptHeaders, at source: ReportSource) {
    source.log.countIgnored(kept.volatileNames.count)
    if source.log.listsIgnored, !kept.volatileNames.isEmpty {
      source.add(
        .ignored, .volatile,
        "Header fields that differ in every answer: \(kept.volatileNames.joined(separator: ", "))")
    }
    for name in kept.invalidNames {
      source.add(
        .dropped, .header,
        "A header field was left out: its name \(JSONValue.string(name).canonicalText) cannot be sent"
      )
    }
    for name in kept.namesOfInvalidValues {
      source.add(.dropped, .header, "The header field \(name) has a value that cannot be sent")
    }
  }

  /// Whether the status is that of an answer which can be given; if not, the report says why.
  private func isFinal(_ answer: RecordedAnswer, of exchange: RecordedExchange) -> Bool {
    switch answer.status {
    case 200...999: return true
    case 101: exchange.source.drop(.websocket, "A WebSocket; its messages are not taken over")
    case 100..<200:
      exchange.source.drop(
        .noAnswer,
        "Only an interim answer was recorded (status \(answer.status)); the request was left out")
    default:
      exchange.source.drop(
        .noAnswer, "No response was recorded (status \(answer.status)); the request was left out")
    }
    return false
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

// MARK: - Codings

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
    do {
      let limit =
        data.count > 1 << 20
        ? min(Self.maximumByteCount, data.count * Self.maximumExpansion) : Self.maximumByteCount
      let decoded = try ResponseBuilder.decoded(data, coding: codings, limit: limit)
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
}

extension Duration {
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
