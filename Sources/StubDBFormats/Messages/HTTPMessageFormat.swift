internal import Foundation

/// Raw HTTP messages: what `curl -i` and `curl -v` print, and files of captured messages.
///
/// https://www.rfc-editor.org/rfc/rfc9112
struct HTTPMessageFormat: ImportFormat {
  let name = "http"
  let summary = "raw HTTP messages, as curl -i and curl -v print them"
  let ownOptions: Set<ImportOption> = ImportOption.recording.union([.url, .method])

  func recognizes(_ input: ImportInput) -> Bool {
    guard input.tree == nil else { return false }
    let line = HTTPMessages.firstLine(input.bytes)
    return HTTPMessages.StatusLine(line) != nil || HTTPMessages.RequestLine(line) != nil
      || HTTPMessages.StatusLine.wrongStatus(in: line) != nil || CurlTrace.recognizes(input.bytes)
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    let isTrace = CurlTrace.recognizes(input.bytes)
    let bytes = isTrace ? CurlTrace.messages(input.bytes) : input.bytes
    let scheme = isTrace ? CurlTrace.scheme(input.bytes) : nil
    let messages = try HTTPMessages(bytes, file: input.file).list
    var exchanges: [RecordedExchange] = []
    var request: HTTPMessages.Message?
    var responses: [HTTPMessages.Message] = []
    func finish() throws(FormatError) {
      exchanges += try self.exchanges(request, responses, scheme, input, options)
      (request, responses) = (nil, [])
    }
    for message in messages {
      switch message.start {
      case .request:
        if request != nil || !responses.isEmpty { try finish() }
        request = message
      case .response: responses.append(message)
      }
    }
    try finish()
    // The name of the file is that of its only message; of several, each has the name of what it asks for.
    if exchanges.count == 1 { exchanges[0].name = input.path.last }
    return .recording(exchanges, name: input.path)
  }

  /// The exchanges of a request and the responses to it, of which all but the last one are interim or redirects.
  private func exchanges(
    _ request: HTTPMessages.Message?, _ responses: [HTTPMessages.Message], _ scheme: String?,
    _ input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> [RecordedExchange] {
    let final = responses.enumerated().filter { place, response in
      guard case .response(let status) = response.start else { return false }
      let isLast = place == responses.count - 1
      // A proxy answers CONNECT first, with a phrase of its own.
      return status.code >= 200 && (isLast || status.code >= 300)
    }.map(\.element)
    guard var target = try target(of: request, responses, scheme, input, options) else { return [] }
    if final.isEmpty {
      return [exchange(target, request, nil, input)]
    }
    var exchanges: [RecordedExchange] = []
    for response in final {
      let exchange = exchange(target, exchanges.isEmpty ? request : nil, response, input)
      if exchanges.isEmpty, target.isGuessed, !options.matchesAnyHost {
        exchange.source.add(
          .changed, .scheme,
          "The message does not say whether it was sent over http or https; the stub answers https")
      }
      exchanges.append(exchange)
      guard let location = response.headers["Location"],
        let next = URL(string: location, relativeTo: URL(string: target.url))
      else { continue }
      // Only the method of 307 and 308 stays. https://www.rfc-editor.org/rfc/rfc9110#section-15.4
      target.url = next.absoluteString
      if case .response(let status) = response.start, ![307, 308].contains(status.code),
        target.method != "HEAD"
      {
        target.method = "GET"
      }
    }
    return exchanges
  }

  private struct Target {
    var method: String
    var url: String
    /// Whether the scheme of the URL is not known.
    var isGuessed = false
  }

  private func target(
    of request: HTTPMessages.Message?, _ responses: [HTTPMessages.Message], _ scheme: String?,
    _ input: ImportInput, _ options: ImportOptions
  ) throws(FormatError) -> Target? {
    if let request, case .request(let line) = request.start {
      return target(line, scheme, host: request.headers["Host"])
    }
    guard !responses.isEmpty else { return nil }
    guard let url = options.url else {
      throw FormatError(
        file: input.file, line: 1,
        message:
          "the answer does not say what was asked for; add --url URL (and --method, if it was not GET)"
      )
    }
    return Target(method: options.method ?? "GET", url: url)
  }

  /// A captured message does not say which scheme it came over, but a trace may.
  private func target(
    _ line: HTTPMessages.RequestLine, _ scheme: String?, host: String?
  ) -> Target {
    guard !line.target.contains("://"), let host, !host.isEmpty else {
      return Target(method: line.method, url: line.target)
    }
    return Target(
      method: line.method, url: "\(scheme ?? "https")://\(host)\(line.target)",
      isGuessed: scheme == nil)
  }

  private func exchange(
    _ target: Target, _ request: HTTPMessages.Message?, _ response: HTTPMessages.Message?,
    _ input: ImportInput
  ) -> RecordedExchange {
    let item = input.log.beginItem()
    let line = (request ?? response)?.line ?? 1
    var outcome = RecordedExchange.Outcome.none
    if let response, case .response(let status) = response.start {
      outcome = .answer(
        RecordedAnswer(
          status: status.code, headers: response.headers,
          body: body(of: response, to: target.method)))
    }
    var exchange = RecordedExchange(
      method: target.method, url: target.url, outcome: outcome,
      source: ReportSource(file: input.file, line: line, log: input.log, item: item),
      answerSource: ReportSource(
        file: input.file, line: response?.line ?? line, log: input.log, item: item))
    if let request {
      exchange.requestHeaders = request.headers
      exchange.requestBody = request.content.isEmpty ? .none : .bytes(request.content)
      for problem in request.problems { exchange.source.add(.changed, .damaged, problem) }
    }
    for problem in response?.problems ?? [] {
      exchange.answerSource.add(.changed, .damaged, problem)
    }
    return exchange
  }

  private func body(of response: HTTPMessages.Message, to method: String) -> RecordedBody {
    guard response.content.isEmpty else { return .bytes(response.content) }
    let length = response.headers["Content-Length"].flatMap { Int($0) } ?? 0
    return length > 0 && method != "HEAD" ? .missing(byteCount: length) : .none
  }
}
