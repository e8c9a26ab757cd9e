internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Finds the places of a scenario that mean something else at a later time: dates that were ahead when it was recorded
/// and are over then, tokens and URLs whose signature has an end, and patterns that compare with a fixed date.
struct AgeingPlaces {
  private let scenario: Scenario
  private let later: DateTime
  /// When stubs that say nothing of it were recorded: with the latest one of the scenario, or now.
  private let start: (date: DateTime, isDay: Bool)
  private var problems: [CheckProblem] = []

  /// The problems in the order of the stubs.
  static func problems(
    in scenario: Scenario, at later: DateTime, now: DateTime = DateTime(Date.now)
  ) -> [CheckProblem] {
    var places = AgeingPlaces(scenario, later, now)
    for (index, stub) in scenario.stubs.enumerated() { places.add(stub, at: index) }
    return places.problems
  }

  private init(_ scenario: Scenario, _ later: DateTime, _ now: DateTime) {
    (self.scenario, self.later) = (scenario, later)
    let latest = scenario.stubs.compactMap(\.recorded).max { $0.isBefore($1) }
    start = latest.flatMap(Self.moment) ?? (now, false)
  }

  private static func moment(_ recording: Stub.Recording) -> (date: DateTime, isDay: Bool)? {
    DateText.date(recording.at).map { ($0, recording.at.utf8.count == 10) }
  }

  private mutating func add(_ stub: Stub, at index: Int) {
    let start = stub.recorded.flatMap(Self.moment) ?? start
    var values = AgeingValues(start: start.date, isDay: start.isDay, later: later)
    let place = JSONPointer(["stubs", String(index)])
    for part in RequestPart.all {
      values.add(
        part.demand(of: stub.request), at: place.appending("request").appending(part.rawValue))
    }
    for (number, response) in stub.responses.enumerated() {
      values.add(response, at: JSONPointer(place.tokens + ["responses", String(number)]))
    }
    problems += values.found.map { pointer, reason in
      CheckProblem(
        .ageing, reason, scenario: scenario.name, key: stub.key.rawValue, pointer: pointer)
    }
  }
}

/// Collects what ages in the patterns and answers of one stub.
struct AgeingValues {
  let start: DateTime
  /// Whether only the day of the recording is known.
  let isDay: Bool
  let later: DateTime
  private(set) var found: [(pointer: JSONPointer, reason: String)] = []

  init(start: DateTime, isDay: Bool, later: DateTime) {
    (self.start, self.isDay, self.later) = (start, isDay, later)
  }

  // MARK: Answers

  mutating func add(_ response: StubResponse, at place: JSONPointer) {
    for field in response.headers {
      let pointer = place.appending("headers").appending(field.name.rawName)
      add(field.value, named: field.name.canonicalName, at: pointer)
    }
    if let body = response.body { add(body, at: place) }
    guard case .pieces(let pieces) = response.chunks?.kind else { return }
    for (index, piece) in pieces.enumerated() {
      add(piece.body, at: place.appending("chunks").appending(String(index)))
    }
  }

  private mutating func add(_ body: ResponseBody, at place: JSONPointer) {
    guard let bytes = body.bytes, let text = String(validating: bytes, as: UTF8.self) else {
      return
    }
    let pointer = place.appending(body.kind.rawValue)
    if let value = try? JSONValue(parsing: text, maximumValues: JSONValue.maximumContentValues) {
      add(value, named: "", at: pointer, isWritten: body.kind == .json)
    } else if body.kind == .text {
      for part in text.split(whereSeparator: { "\"<>\n".contains($0) }) {
        add(String(part), named: "", at: pointer)
      }
    }
  }

  /// The places inside a text are not those of the document, which has the text as a whole.
  private mutating func add(
    _ value: JSONValue, named name: String, at pointer: JSONPointer, isWritten: Bool
  ) {
    switch value {
    case .object(let members):
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        add(
          value, named: name, at: isWritten ? pointer.appending(name) : pointer,
          isWritten: isWritten)
      }
    case .array(let elements):
      for (index, value) in elements.enumerated() {
        let place = isWritten ? pointer.appending(String(index)) : pointer
        add(value, named: name, at: place, isWritten: isWritten)
      }
    case .string(let text): add(text, named: name, at: pointer)
    case .number(let number): add(number.text, named: name, at: pointer)
    case .null, .bool: break
    }
  }

  private mutating func add(_ text: String, named name: String, at pointer: JSONPointer) {
    let isEnd = ["expir", "until"].contains { name.lowercased().contains($0) } || name == "exp"
    for date in DateMover.dates(in: text, named: name)
    where isOver(date.date, isEnd: isEnd || name == "set-cookie") {
      found.append((pointer, "\(date.date) was ahead when it was recorded, and is over on \(day)"))
    }
    for end in SignedEnd.ends(in: text) where isOver(end.date, isEnd: true) {
      found.append(
        (pointer, "\(end.kind) ends on \(end.date), and its signature allows no other date"))
    }
  }

  /// Whether a date is between the recording and the later time.
  ///
  /// Of a recording whose time is not known, only what ends counts from the beginning of its day.
  private func isOver(_ date: DateTime, isEnd: Bool) -> Bool {
    let first = start.instant + (isDay && !isEnd ? 86_400 : 0)
    return date.instant >= first && date.instant <= later.instant
  }

  private var day: String { String(later.description.prefix(10)) }

  // MARK: Patterns

  mutating func add(_ demand: RequestPart.Demand, at place: JSONPointer) {
    switch demand {
    case .value(let pattern): pattern.map { add($0, at: place) }
    case .named(let patterns):
      for named in patterns { add(named.pattern, at: place.appending(named.name)) }
    case .bodies(let patterns): for pattern in patterns { add(pattern, at: place) }
    case .methods, .other: break
    }
  }

  private mutating func add(_ body: BodyPattern, at place: JSONPointer) {
    switch body.storage {
    case .value(let pattern): add(pattern, at: place)
    case .and(let patterns), .or(let patterns): for pattern in patterns { add(pattern, at: place) }
    case .not(let pattern): add(pattern, at: place)
    case .operation: break
    }
  }

  private mutating func add(_ pattern: ValuePattern, at place: JSONPointer) {
    for inner in pattern.patterns { add(inner, at: place) }
    guard case .date(let comparison, let date) = pattern.storage,
      let fixed = DateText.date(date.expected), isOver(fixed, isEnd: false)
    else { return }
    found.append(
      (
        place,
        "\(comparison.rawValue) \(fixed) has another meaning on \(day); write it as an offset such as "
          + "\"now +3 days\""
      ))
  }
}
