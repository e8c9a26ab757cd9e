internal import Foundation
import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// What an export of stubdb wrote into `metadata` of a mapping, for what WireMock has no place.
struct WireMockOrigin {
  let scenario: String?
  let scenarioSummary: String?
  let key: Stub.Key?
  let summary: String?
  /// The place of the stub in its scenario.
  let order: Int?
  let isRequired: Bool
  private let recording: JSONObject?
  let tags: [String]
  /// The place of the mapping among those of its stub, from 1; nil if the stub is no sequence.
  let answer: Int?
  /// The number of mappings of the stub.
  let answerCount: Int
  /// The index of the response among those of the stub.
  let response: Int?
  let then: AfterLastResponse?
  /// Whether braces in the content are text.
  let isPlain: Bool
  /// How the content was written.
  let content: ResponseBody.Kind?
  /// Whether the Content-Type is the one that clients get anyway.
  let addsContentType: Bool
  /// The error or the fault, how many bytes come before it, and the delay, as a document has them.
  private let failing: JSONObject
  /// Whether the field `Host` says what the host is.
  let hasHostField: Bool
  /// The path or the URL that became an expression.
  private let path: JSONValue?
  private let url: String?
  /// Whether a query parameter of the URL may have further values.
  private let allowsFurtherValues: Bool
  private let priority: (was: Int, now: Int)?

  /// Nil for a mapping that was not exported.
  init?(_ mapping: SourceValue) {
    guard let metadata = mapping["metadata"], let value = metadata["stubdb"], value.isObject else {
      return nil
    }
    scenario = value.text("scenario")
    scenarioSummary = value.text("scenarioSummary")
    key = value.text("key").flatMap { Stub.Key($0) }
    summary = value.text("summary")
    order = value.integer("order")
    isRequired = value.flag("required")
    recording = if case .object(let members)? = value["recorded"]?.json { members } else { nil }
    tags = metadata.list("tags").compactMap(\.text)
    answer = value.integer("answer")
    answerCount = value.integer("answers") ?? 1
    response = value.integer("response")
    then = value.text("then").flatMap(AfterLastResponse.init(rawValue:))
    isPlain = value["template"]?.bool == false
    content = value.text("content").flatMap(ResponseBody.Kind.init(rawValue:))
    addsContentType = value.text("adds") == "Content-Type"
    var failing: JSONObject = [:]
    for part in [ResponsePart.delay, .afterBytes, .fault] {
      failing[part.rawValue] = value[part.rawValue]?.json
    }
    failing[ResponsePart.error.rawValue] = metadata["x-stubdb-error"]?.json
    self.failing = failing
    hasHostField = value.flag("hostField")
    path = value["path"]?.json
    url = value.text("url")
    allowsFurtherValues = value.flag("furtherValues")
    if let was = value["priority"]?.integer("was"), let now = value["priority"]?.integer("is") {
      priority = (was, now)
    } else {
      priority = nil
    }
  }

  /// The priority that a stub had before the export changed it, unless it was changed since.
  func priority(_ number: Int) -> Int {
    if let priority, priority.now == number { priority.was } else { number }
  }

  /// When and from where the stub was recorded.
  func recorded() throws -> Stub.Recording? {
    try recording.map { try Stub.Recording(jsonObject: $0, at: JSONPointer(["recorded"])) }
  }

  /// Whether the stub fails in place of an answer.
  var fails: Bool {
    [ResponsePart.error, .fault].contains { failing[$0.rawValue] != nil }
  }

  /// The error or the fault of the stub, with its delay.
  func failure() throws -> StubResponse {
    try StubResponse(jsonObject: failing, at: JSONPointer(["responses", "0"]))
  }

  /// Puts the path or the URL back that became an expression, unless the expression was changed since.
  func restore(_ pattern: inout RequestPattern, of request: SourceValue) throws {
    if let path, let expression = WireMockURLWriter.expression(of: path),
      pattern.path == .value(.matches(expression))
    {
      pattern.path = try RequestPattern.reading(.path, path).path
    }
    if allowsFurtherValues {
      pattern.query = pattern.query.map { named in
        let isOnlyValue =
          named.pattern.operator == .hasExactly && named.pattern.patterns.count == 1
        return isOnlyValue ? NamedPattern(named.name, named.pattern.patterns[0]) : named
      }
    }
    guard let url, let split = WireMockURLExpression(url),
      split.members.allSatisfy({ request[$0.key]?.peekedJSON == $0.value })
    else { return }
    pattern.wholeURL = .matches(url)
    (pattern.path, pattern.scheme, pattern.host, pattern.port) = (nil, nil, nil, nil)
  }

  /// The scenario by its parts, if it has a name that a catalog takes.
  var scenarioName: [String]? {
    scenario.flatMap(ScenarioName.init).map { $0.rawValue.split(separator: "/").map(String.init) }
  }
}

/// A stub of a mapping, with what an export wrote down of it.
struct WireMockImported {
  var stub: ImportedStub
  var origin: WireMockOrigin?
}

extension WireMockImported {
  /// Stubs in the order in which an export found them, and one for each sequence; nil if others are among them.
  static func restored(_ imported: [WireMockImported]) -> [ImportedStub]? {
    let places = imported.compactMap { one in
      one.origin?.order.map { ($0, one.origin?.answer ?? 1) }
    }
    guard places.count == imported.count else { return nil }
    let sorted = zip(places, imported).sorted { $0.0 < $1.0 }.map(\.1)
    var stubs: [ImportedStub] = []
    var start = 0
    while start < sorted.count {
      let key = sorted[start].origin?.key
      var end = start + 1
      while end < sorted.count, sorted[end].origin?.key == key { end += 1 }
      let group = Array(sorted[start..<end])
      stubs += sequence(of: group).map { [$0] } ?? group.map(\.stub)
      start = end
    }
    return stubs
  }

  /// The stub that became several mappings; nil if they are not what an export writes.
  private static func sequence(of group: [WireMockImported]) -> ImportedStub? {
    guard let first = group.first, let origin = first.origin, origin.answer != nil,
      origin.answerCount == group.count, let key = origin.key,
      group.enumerated().allSatisfy({ $1.origin?.answer == $0 + 1 })
    else { return nil }
    var stub = first.stub.stub
    stub.flow = nil
    var responses: [StubResponse] = []
    stub.then = origin.then ?? .repeatLast
    var last: Int?
    for (number, one) in group.enumerated() {
      if stub.then == .passthrough, number == group.count - 1, one.origin?.response == nil { break }
      let isLast = number == group.count - (stub.then == .passthrough ? 2 : 1)
      var flow = FlowStep(
        name: "\(origin.scenario ?? "")/\(key.rawValue)", requires: "\(key.rawValue)-\(number + 1)")
      if number == 0 { flow.requires = FlowStep.initialState }
      switch stub.then {
      case _ where !isLast: flow.becomes = "\(key.rawValue)-\(number + 2)"
      case .repeatLast: break
      case .cycle: flow.becomes = FlowStep.initialState
      default: flow.becomes = "\(key.rawValue)-done"
      }
      guard one.origin?.response != nil, one.stub.stub.flow == flow,
        one.stub.stub.request == stub.request,
        let response = one.stub.stub.responses.first
      else { return nil }
      if last == one.origin?.response {
        guard responses[responses.count - 1].once == response.once else { return nil }
        responses[responses.count - 1].repeatCount += 1
      } else {
        responses.append(response)
      }
      last = one.origin?.response
    }
    stub.responses = responses
    var whole = first.stub
    whole.stub = stub
    whole.items = group.flatMap(\.stub.items)
    return whole
  }
}
