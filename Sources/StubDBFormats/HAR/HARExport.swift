internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Writes stubs as an HTTP archive: an entry for each response, in the order in which stubs answer.
///
/// http://www.softwareishard.com/blog/har-12-spec/
struct HARExport: ExportFormat {
  let name = "har"
  let summary = "an HTTP archive (HAR 1.2), such as Playwright's routeFromHAR and browsers read"
  let layout = ExportLayout.file(extension: "har")
  /// The largest number of entries that repeat one response.
  static let maximumRepeatCount = 100

  func files(of content: ExportContent) -> [ExportedFile] {
    var entries: [OrderedJSON] = []
    content.settleScenarios(["summary": .ignored, "tags": .ignored])
    var requests = SameRequests()
    for stub in content.stubsInAnswerOrder {
      for (example, response) in exchanges(of: stub, content.options, &requests) {
        entries.append(
          HAREntry(number: entries.count, stub: stub, example: example, response: response).json)
      }
    }
    let log = OrderedJSON.object([
      ("version", .string("1.2")),
      ("creator", .object([("name", .string("stubdb")), ("version", .string("1"))])),
      ("entries", .array(entries)),
    ])
    return [ExportedFile(path: "stubs.har", text: OrderedJSON.object([("log", log)]).text)]
  }

  /// What is written of a stub; empty if it is left out.
  private func exchanges(
    of stub: ExportedStub, _ options: ExportOptions, _ requests: inout SameRequests
  ) -> [(RequestExample, PlayedResponse)] {
    let examples = stub.examples(options)
    guard let first = examples.first else { return [] }
    let played = stub.played(first)
    guard played.contains(where: \.isAnswer) else {
      stub.leaveOut("an archive has answers of HTTP only, and this stub has none of its own")
      return []
    }
    settle(stub, played)
    requests.note(examples, of: stub)
    return examples.flatMap { example in
      stub.played(example).filter(\.isAnswer).flatMap { response in
        Array(
          repeating: (example, response),
          count: min(max(1, response.repeatCount), Self.maximumRepeatCount))
      }
    }
  }

  private func settle(_ stub: ExportedStub, _ played: [PlayedResponse]) {
    stub.document.settle([
      // They are in the comment of each entry.
      "summary": .kept, "required": .ignored, "recorded": .ignored,
      // The order of the entries says it.
      "priority": .kept,
      "flow": .dropped(.state, "The order of a flow's states is not kept: every entry answers"),
      "capture": .dropped(.state, "Nothing is captured"),
      "then": .dropped(.sequence, "What follows the last response is up to the reader"),
    ])
    for response in played {
      guard let document = stub.response(response.index) else { continue }
      document.settle([
        "throttle": .changed(.timing, "The speed is not kept, only the delay before the answer"),
        "webSocket": .dropped(.websocket, "A WebSocket is no entry"),
        "error": .changed(.failure, "The entry has status 0 and the error's name as _error"),
        "fault": .changed(.failure, "The entry has status 0 and the fault's name as _error"),
        "callbacks": .dropped(.webhook, "Calls after the answer are no entries"),
        "next": .dropped(.proxy, "A response that leaves the request to the next stub is no entry"),
        "passthrough": .dropped(.proxy, "A response of the real network is no entry"),
      ])
      document.settleContent(as: response)
      settleCounts(of: response, document)
    }
  }

  /// Notes the disposition of the delay and of the repetitions of a response.
  private func settleCounts(of response: PlayedResponse, _ document: SourceValue) {
    let delay = document["delay"]
    if delay?.isString == true {
      delay?.keep()
    } else {
      delay?.change(.timing, "A delay of this distribution became a fixed one")
    }
    if response.repeatCount > Self.maximumRepeatCount {
      document["repeat"]?.change(
        .sequence, "The entry is repeated \(Self.maximumRepeatCount) times only")
    } else {
      document["repeat"]?.keep()
    }
  }
}

extension PlayedResponse {
  /// Whether it is an answer of its own, also one that fails.
  fileprivate var isAnswer: Bool { ![.next, .passthrough, .webSocket].contains(ending) }
}

/// An entry of an archive.
private struct HAREntry {
  let number: Int
  let stub: ExportedStub
  let example: RequestExample
  let response: PlayedResponse

  var json: OrderedJSON {
    let wait = response.ending == .never ? 0 : response.delay.wholeMilliseconds
    let members: [(String, OrderedJSON)] = [
      ("startedDateTime", .string(Self.time(number))), ("time", .integer(wait)),
      ("request", request), ("response", answer), ("cache", .object([])),
      (
        "timings",
        .object([("send", .integer(0)), ("wait", .integer(wait)), ("receive", .integer(0))])
      ),
      ("comment", .string(stub.title)),
    ]
    return .object(members)
  }

  /// A time that depends on nothing but the place of the entry.
  private static func time(_ number: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(number))
    return date.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
  }

  private var request: OrderedJSON {
    let query = URLParts(example.url)?.query ?? []
    var members: [(String, OrderedJSON)] = [
      ("method", .string(example.method)), ("url", .string(example.url)),
      ("httpVersion", .string("HTTP/1.1")),
      ("cookies", Self.pairs(Self.cookies(in: example.headers[.cookie] ?? ""))),
      ("headers", Self.pairs(example.headers.map { ($0.name.rawName, $0.value) })),
      ("queryString", Self.pairs(query.map { ($0.name, $0.value) })),
    ]
    if let postData { members.append(("postData", postData)) }
    members += [("headersSize", .integer(-1)), ("bodySize", .integer(example.body.count))]
    return .object(members)
  }

  private var postData: OrderedJSON? {
    guard !example.body.isEmpty else { return nil }
    let type = example.headers[.contentType] ?? "application/octet-stream"
    guard let text = String(strictUTF8: example.body) else {
      return .object([
        ("mimeType", .string(type)), ("text", .string(example.body.base64EncodedString())),
        ("encoding", .string("base64")),
      ])
    }
    return .object([("mimeType", .string(type)), ("text", .string(text))])
  }

  private var answer: OrderedJSON {
    guard failure == nil else { return failed }
    let headers = response.headers
    return .object([
      ("status", .integer(response.status)),
      ("statusText", .string(StatusPhrase.text(of: response.status))),
      ("httpVersion", .string("HTTP/1.1")),
      ("cookies", setCookies), ("headers", Self.pairs(headers.map { ($0.name.rawName, $0.value) })),
      ("content", content), ("redirectURL", .string(headers[.location] ?? "")),
      ("headersSize", .integer(-1)), ("bodySize", .integer(response.content.count)),
    ])
  }

  private var content: OrderedJSON {
    let type = response.headers[.contentType] ?? "x-unknown"
    var members: [(String, OrderedJSON)] = [
      ("size", .integer(response.content.count)), ("mimeType", .string(type)),
    ]
    if let text = response.text {
      if !text.isEmpty { members.append(("text", .string(text))) }
    } else {
      members += [
        ("text", .string(response.content.base64EncodedString())),
        ("encoding", .string("base64")),
      ]
    }
    return .object(members)
  }

  private var failed: OrderedJSON {
    .object([
      ("status", .integer(0)), ("statusText", .string("")), ("httpVersion", .string("")),
      ("cookies", .array([])), ("headers", .array([])),
      ("content", .object([("size", .integer(0)), ("mimeType", .string("x-unknown"))])),
      ("redirectURL", .string("")), ("headersSize", .integer(-1)), ("bodySize", .integer(-1)),
      ("_error", .string(failure)),
    ])
  }

  /// The name of the error; nil for a response that arrives.
  private var failure: String? {
    switch response.ending {
    case .complete, .next, .passthrough, .webSocket: return nil
    case .never: return "timedOut"
    case .error(let error): return FailureTable.words(for: error)
    }
  }

  private var setCookies: OrderedJSON {
    let cookies = response.headers[values: .setCookie].compactMap { field in
      field.split(separator: ";").first.flatMap { Self.cookies(in: String($0)).first }
    }
    return Self.pairs(cookies)
  }

  private static func cookies(in field: String) -> [(String, String)] {
    field.split(separator: ";").map { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        parts[0].trimmingCharacters(in: .whitespaces),
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
      )
    }
  }

  private static func pairs(_ pairs: [(String, String)]) -> OrderedJSON {
    .array(pairs.map { .object([("name", .string($0.0)), ("value", .string($0.1))]) })
  }
}
