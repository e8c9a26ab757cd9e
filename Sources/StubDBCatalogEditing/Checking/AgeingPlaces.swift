internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Finds the places of a scenario that mean something else at a later time: dates that were ahead when it was recorded
/// and are over then, tokens and URLs whose signature has an end, and patterns that compare with a fixed date.
struct AgeingPlaces {
  private let scenario: Scenario
  private let later: DateTime
  /// When stubs that say nothing of it were recorded: with the latest one of the run, as in playing, or now.
  private let start: (date: DateTime, hasTime: Bool)
  private var problems: [CheckProblem] = []

  /// The problems in the order of the stubs; `included` are the scenarios that play along.
  static func problems(
    in scenario: Scenario, including included: [Scenario] = [], at later: DateTime,
    now: DateTime = DateTime(Date.now)
  ) -> [CheckProblem] {
    var places = AgeingPlaces(scenario, included, later, now)
    for (index, stub) in scenario.stubs.enumerated() { places.add(stub, at: index) }
    return places.problems
  }

  private init(_ scenario: Scenario, _ included: [Scenario], _ later: DateTime, _ now: DateTime) {
    (self.scenario, self.later) = (scenario, later)
    let recordings = ([scenario] + included).flatMap { $0.stubs.compactMap(\.recorded) }
    start = recordings.max { $0.isBefore($1) }.flatMap(\.moment) ?? (now, true)
  }

  private mutating func add(_ stub: Stub, at index: Int) {
    let start = stub.recorded.flatMap(\.moment) ?? start
    var values = AgeingValues(start: start.date, isDay: !start.hasTime, later: later)
    let place = JSONPointer(["stubs", String(index)])
    for part in RequestPart.all {
      values.add(
        part.demand(of: stub.request), at: place.appending("request").appending(part.rawValue))
    }
    for (number, response) in stub.responses.enumerated() {
      values.add(response, at: JSONPointer(place.tokens + ["responses", String(number)]))
    }
    problems += values.found.map { pointer, reason in
      let inner = JSONPointer(Array(pointer.tokens.dropFirst(place.tokens.count)))
      return CheckProblem(
        .ageing, reason, scenario: scenario.name, key: stub.key.rawValue,
        pointer: place.appending(stub.documentPointer(inner)))
    }
  }
}

/// Collects what ages in the patterns and answers of one stub.
struct AgeingValues {
  private let start: DateTime
  /// Whether only the day of the recording is known.
  private let isDay: Bool
  private let later: DateTime
  private(set) var found: [(pointer: JSONPointer, reason: String)] = []
  /// What holds the values that are being read, if `today` moves none of its dates.
  private var holder: String?

  init(start: DateTime, isDay: Bool, later: DateTime) {
    (self.start, self.isDay, self.later) = (start, isDay, later)
  }

  var day: String { String(later.description.prefix(10)) }

  mutating func note(_ pointer: JSONPointer, _ reason: String) { found.append((pointer, reason)) }

  // MARK: Answers

  mutating func add(_ response: StubResponse, at place: JSONPointer) {
    // As a run on that day has it, which shows what stays.
    let moved = response.moved(by: (later.day - start.day) * 86_400) { $0.bytes }
    holder = response.isTemplate ? "a template" : nil
    add(response.headers, moved.headers, at: place)
    if let body = response.body { add(body, moved.body, at: place) }
    if case .pieces(let pieces) = response.chunks?.kind {
      var after: [ResponseChunks.Piece] = []
      if case .pieces(let pieces) = moved.chunks?.kind { after = pieces }
      for (index, piece) in pieces.enumerated() {
        let inner = place.appending("chunks").appending(index)
        add(piece.body, index < after.count ? after[index].body : nil, at: inner)
      }
    }
    holder = "a callback"
    for (index, callback) in response.callbacks.enumerated() {
      let inner = place.appending(JSONPointer(["callbacks", String(index), "request"]))
      add(callback.url, nil, named: "", at: inner.appending("url"))
      add(callback.headers, nil, at: inner)
      if let body = callback.body { add(body, nil, at: inner) }
    }
    holder = "a WebSocket message"
    for (index, frame) in (response.webSocket?.frames ?? []).enumerated() {
      guard case .send(let body, _) = frame.kind else { continue }
      add(body, nil, at: place.appending(JSONPointer(["webSocket", "frames", "\(index)", "send"])))
    }
  }

  private mutating func add(_ fields: HTTPFields, _ moved: HTTPFields?, at place: JSONPointer) {
    let after = moved.map(Array.init) ?? []
    for (index, (field, pointer)) in zip(fields, fields.documentPointers).enumerated() {
      add(
        field.value, index < after.count ? after[index].value : nil,
        named: field.name.canonicalName, at: place.appending(pointer))
    }
  }

  private mutating func add(_ body: ResponseBody, _ moved: ResponseBody?, at place: JSONPointer) {
    guard let bytes = body.bytes, let text = String(validating: bytes, as: UTF8.self) else {
      return
    }
    let pointer = place.appending(body.kind.rawValue)
    let after = moved?.bytes.map { String(decoding: $0, as: UTF8.self) }
    if let value = Self.value(text) {
      add(value, after.flatMap(Self.value), named: "", at: pointer, isWritten: body.kind == .json)
    } else if body.kind == .text {
      let after = after.map(Self.parts) ?? []
      for (index, part) in Self.parts(text).enumerated() {
        add(part, index < after.count ? after[index] : nil, named: "", at: pointer)
      }
    }
  }

  private static func value(_ text: String) -> JSONValue? {
    try? JSONValue(parsing: text, maximumValues: JSONValue.maximumContentValues)
  }

  private static func parts(_ text: String) -> [String] {
    text.split { "\"<>\n".contains($0) }.map(String.init)
  }

  /// The places inside a text are not those of the document, which has the text as a whole.
  private mutating func add(
    _ value: JSONValue, _ moved: JSONValue?, named name: String, at pointer: JSONPointer,
    isWritten: Bool
  ) {
    switch value {
    case .object(let members):
      var after: JSONObject = [:]
      if case .object(let members) = moved { after = members }
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        add(
          value, after[name], named: name, at: isWritten ? pointer.appending(name) : pointer,
          isWritten: isWritten)
      }
    case .array(let elements):
      var after: [JSONValue] = []
      if case .array(let elements) = moved { after = elements }
      for (index, value) in elements.enumerated() {
        let place = isWritten ? pointer.appending(index) : pointer
        add(
          value, index < after.count ? after[index] : nil, named: name, at: place,
          isWritten: isWritten)
      }
    case .string(let text):
      var after: String?
      if case .string(let text) = moved { after = text }
      add(text, after, named: name, at: pointer)
    case .number(let number):
      var after: String?
      if case .number(let number) = moved { after = number.text }
      add(number.text, after, named: name, at: pointer)
    case .null, .bool: break
    }
  }

  private mutating func add(
    _ text: String, _ moved: String?, named name: String, at pointer: JSONPointer
  ) {
    let isEnd = ["expir", "until"].contains { name.lowercased().contains($0) } || name == "exp"
    for date in DateMover.dates(in: text, named: name)
    where isOver(date, isEnd: isEnd || name == "set-cookie") {
      let stays = moved == nil || moved.hasSameBytes(as: text)
      let reason = stays ? "; today does not move it" : ""
      let place = stays ? holder.map { ", because it is in \($0)" } ?? "" : ""
      note(
        pointer,
        "\(Self.shown(date)) was ahead when it was recorded, and is over on \(day)\(reason)\(place)"
      )
    }
    for end in SignedEnd.ends(in: text) where isOver(end.date, isEnd: true) {
      note(pointer, "\(end.kind) ends on \(end.date), and its signature allows no other date")
    }
  }

  /// The date as it is written; a number with what it means.
  private static func shown(_ date: WrittenDate) -> String {
    let text = String(decoding: date.text, as: UTF8.self)
    return text.allSatisfy { $0.isNumber || $0 == "." } ? "\(text) (\(date.date))" : text
  }

  /// Whether a date is between the recording and the later time; a day is over at its end.
  private func isOver(_ date: WrittenDate, isEnd: Bool) -> Bool {
    guard date.text.count == 10, date.text.contains(UInt8(ascii: "-")) else {
      return isOver(date.date, isEnd: isEnd)
    }
    let isAhead = isEnd ? date.date.day >= start.day : date.date.day > start.day
    return isAhead && date.date.instant + 86_400 <= later.instant
  }

  /// Whether a moment is between the recording and the later time.
  ///
  /// Of a recording whose time is not known, only what ends counts from the beginning of its day.
  func isOver(_ date: DateTime, isEnd: Bool) -> Bool {
    let first = start.instant + (isDay && !isEnd ? 86_400 : 0)
    return date.instant >= first && date.instant <= later.instant
  }
}
