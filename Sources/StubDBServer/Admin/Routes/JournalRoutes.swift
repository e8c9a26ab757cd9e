#if Server
import Foundation
import HTTPTypes
import NIOHTTP1
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServing
import StubDBSupport

extension AdminAPI {
  static let journalRoutes: [AdminRoute] = [
    AdminRoute(
      "GET", "__stubdb/sessions/{id}/journal", takes: .query(JournalListing.parameters)
    ) { api, request in
      .json(try JournalListing(request).page(of: try api.session(request).player.run))
    },
    AdminRoute("GET", "__stubdb/sessions/{id}/journal/{number}") { api, request in
      let event = try api.event(request)
      let session = try api.session(request)
      let player = session.player
      let (run, callbacks) = (player.run, player.callbacks.events(ofRequest: event.number))
      return .json(
        .object([
          ("number", .integer(event.number)), ("at", .string(event.arrivalText)),
          ("durationMs", .milliseconds(run.duration(ofEntry: event.number))),
          ("method", .string(event.request.method)),
          ("url", .string(event.request.url)),
          ("headers", .array(event.request.headers.map { .strings([$0.name.rawName, $0.value]) })),
          ("requestBytes", .integer(event.request.content?.count ?? 0)),
          ("matched", .json(.bool(event.isMatched))),
          ("scenario", .string(event.scenario?.rawValue)), ("key", .string(event.stubKey)),
          ("response", event.responseNumber), ("status", .optional(event.status)),
          ("remark", .string(event.remark)), ("callbacks", .array(callbacks.map(\.json))),
          ("description", .string(event.description)),
          ("frames", event.frames.map { .array($0.records.map(\.json)) } ?? .json(.null)),
          ("frameCount", event.frames.map { .integer($0.count) } ?? .json(.null)),
          ("stubChangedAt", .string(session.change(ofStubOf: event).map(timeText))),
        ]))
    },
    AdminRoute("GET", "__stubdb/sessions/{id}/journal/{number}/request-body") { api, request in
      .content(try api.event(request).request.content ?? Data(), type: "application/octet-stream")
    },
    AdminRoute("GET", "__stubdb/sessions/{id}/journal/{number}/response") { api, request in
      let (event, sent) = try api.answer(request)
      return .json(
        .object([
          ("status", .optional(event.status)), ("headers", .array(sent.fieldsJSON)),
          ("bytes", .integer(sent.byteCount)), ("keptBytes", .integer(sent.content.count)),
          ("text", .string(sent.text)),
        ]))
    },
    AdminRoute("GET", "__stubdb/sessions/{id}/journal/{number}/response-body") { api, request in
      .content(try api.answer(request).sent.content, type: "application/octet-stream")
    },
    AdminRoute("GET", "__stubdb/sessions/{id}/journal/{number}/near-misses") { api, request in
      .json(.array(try api.event(request).nearMisses.map(\.json)))
    },
    AdminRoute("GET", "__stubdb/events", takes: .query(["after", "session"])) { api, request in
      var session: Session?
      if let id = request.query["session"] {
        session = api.sessions[id]
        if session == nil { throw api.sessions.ids.problem(of: id) }
      }
      // A client whose connection broke repeats its URL, and says here how far it came.
      let last = request.headers.first(name: "last-event-id").flatMap { Int($0) }
        .flatMap { $0 >= 0 ? $0 : nil }
      let after = try request.query["after"].map { _ in
        try request.integer("after", 0, in: 0...Int.max)
      }
      return .stream(EventStream(api.sessions, session, after: last ?? after))
    },
    AdminRoute("POST", "__stubdb/sessions/{id}/verify", takes: .content) { api, request in
      let player = try api.session(request).player
      let expectation = try request.object("what to verify", ["request", "count", "inOrder"]) {
        (object) throws(DocumentError) in
        try Expectation(object)
      }
      let problems = try expectation.problems(player.run) ?? player.problems()
      return .json(
        .object([
          ("verified", .json(.bool(problems.isEmpty))), ("problems", .array(problems.map(\.json))),
        ]))
    },
  ]

  /// The entry of the journal that the route names.
  private func event(_ request: AdminRequest) throws -> ServeEvent {
    let run = try session(request).player.run
    guard let number = Int(request.parameters[1]), let event = run.journalEntry(number) else {
      throw AdminProblem(
        404, "no-such-entry", "No such entry",
        "The journal has no entry \(request.parameters[1]), or not any more.")
    }
    return event
  }

  /// The entry with what its client was sent.
  private func answer(_ request: AdminRequest) throws -> (event: ServeEvent, sent: SentResponse) {
    let event = try event(request)
    guard let sent = try session(request).player.run.sentResponse(toEntry: event.number) else {
      throw AdminProblem(
        404, "no-response", "No response",
        "The client of request \(event.number) was sent no response, or has not got all of it yet.")
    }
    return (event, sent)
  }
}

extension ServeEvent {
  /// A line of a list: the request without header fields and content, and what answered it how long.
  func json(duration: Duration?) -> OrderedJSON {
    .object([
      ("number", .integer(number)), ("at", .string(arrivalText)),
      ("durationMs", .milliseconds(duration)), ("method", .string(request.method)),
      ("url", .string(request.url)), ("matched", .json(.bool(isMatched))),
      ("scenario", .string(scenario?.rawValue)), ("key", .string(stubKey)),
      ("response", responseNumber), ("status", .optional(status)),
      ("remark", .string(remark)),
    ])
  }

  /// When the request came, in UTC.
  fileprivate var arrivalText: String { timeText(arrival) }

  /// The number of the response, from 1; null if no stub answered.
  fileprivate var responseNumber: OrderedJSON { .optional(responseIndex.map { $0 + 1 }) }
}

private func timeText(_ time: Date) -> String {
  time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}

extension SentResponse {
  /// What is kept of the content; nil if it is not UTF-8.
  ///
  /// What is cut off may end within a character.
  fileprivate var text: String? {
    let most = content.count < byteCount ? min(3, content.count) : 0
    return (0...most).lazy.compactMap { String(strictUTF8: content.dropLast($0)) }.first
  }

  /// The fields as they went out, as pairs of name and value; `Connection` belongs to the connection.
  fileprivate var fieldsJSON: [OrderedJSON] {
    let isChunked = headers[.transferEncoding]?.lowercased() == "chunked"
    var fields = headers.filter { $0.name != .connection && $0.name != .contentLength }
    if !isChunked, let contentLength {
      fields.append(HTTPField(name: .contentLength, value: String(contentLength)))
    }
    return fields.map { .strings([$0.name.rawName, $0.value]) }
  }
}

extension OrderedJSON {
  /// A number, or null.
  fileprivate static func optional(_ number: Int?) -> OrderedJSON {
    number.map(OrderedJSON.integer) ?? .json(.null)
  }

  /// A time with a tenth of a millisecond; null if it is missing.
  fileprivate static func milliseconds(_ time: Duration?) -> OrderedJSON {
    guard let time else { return .json(.null) }
    let tenths = (time / .microseconds(100)).rounded() / 10
    return .json(JSONNumber(tenths).map(JSONValue.number) ?? .null)
  }
}

extension CallbackEvent {
  /// A call after the answer, and its outcome.
  var json: OrderedJSON {
    var members: [(String, OrderedJSON)] = [
      ("method", .string(request.method)), ("url", .string(request.url)), ("turn", .integer(turn)),
    ]
    switch outcome {
    case .answered(let status, let time)?:
      members += [
        ("outcome", .string("answered")), ("status", .integer(status)),
        ("durationMs", .milliseconds(time)),
      ]
    case .failed(let reason)?:
      members += [("outcome", .string("failed")), ("reason", .string(reason))]
    case .refused(let reason)?:
      members += [("outcome", .string("refused")), ("reason", .string(reason))]
    case nil: members.append(("outcome", .string("pending")))
    }
    return .object(members)
  }
}

/// What a client expects of the requests so far.
private struct Expectation {
  private var pattern: RequestPattern?
  private var count = 1...Int.max
  private var order: [RequestPattern] = []

  init(_ object: DocumentObject) throws(DocumentError) {
    pattern = try object["request"]?.pattern()
    if let node = object["count"] { count = try node.countRange() }
    for node in try object["inOrder"]?.list("a list of patterns") ?? [] {
      order.append(try node.pattern())
    }
    if pattern == nil, object["count"] != nil {
      throw object.node.failure(
        .missingKey, "\"request\" is missing; \"count\" counts what it says")
    }
  }

  /// The problems; nil if nothing of its own is expected.
  func problems(_ run: ScenarioRun) throws -> [VerificationProblem]? {
    guard pattern != nil || !order.isEmpty else { return nil }
    do throws(VerificationError) {
      if let pattern { try run.expect(count: count, matching: pattern) }
      if !order.isEmpty { try run.expect(inOrder: order) }
      return []
    } catch {
      if error.problems.contains(where: { $0.kind == .invalidExpectation }) { throw error }
      return error.problems
    }
  }
}

extension DocumentNode {
  fileprivate func pattern() throws(DocumentError) -> RequestPattern {
    switch value {
    case .object(let members):
      return try RequestPattern(jsonObject: members)
    case .string(let line):
      do throws(DocumentError) {
        return try RequestPattern(line: line)
      } catch {
        throw failure(.invalidValue, error.message)
      }
    default:
      throw failure(
        .wrongType, "expected a line such as \"POST /v1/charges\", or a pattern as in a stub")
    }
  }

  /// A number, or `{"atLeast": 1, "atMost": 3}`.
  fileprivate func countRange() throws(DocumentError) -> ClosedRange<Int> {
    if case .number = value {
      let count = try integer("the count", in: 0...Int.max)
      return count...count
    }
    let object = try object(DocumentObjectKind("a count", ["atLeast", "atMost"]))
    let least = try object["atLeast"]?.integer("atLeast", in: 0...Int.max) ?? 0
    let most = try object["atMost"]?.integer("atMost", in: least...Int.max) ?? .max
    return least...most
  }
}
#endif
