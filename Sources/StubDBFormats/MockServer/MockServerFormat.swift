internal import Foundation
internal import StubDBDrift
internal import StubDBModel

/// Expectations of MockServer: one, or a list.
///
/// https://www.mock-server.com/mock_server/creating_expectations.html
struct MockServerFormat: ImportFormat {
  let name = "mockserver"
  let summary = "expectations of MockServer"
  let ownOptions: Set<ImportOption> = [.lenient, .allowFiles]

  private static let keys =
    ["httpRequest", "specUrlOrPayload"]
    + MockServerResponseReader.actions.filter { $0.hasPrefix("http") }

  /// What says when an expectation answers.
  static let conditions = [
    "httpRequest", "times", "timeToLive", "percentage", "scenarioName", "scenarioState",
  ]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    let first = root.isArray ? root.elements.first : root
    return Self.keys.contains { first?[$0] != nil }
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root else { return .scenarios([]) }
    let expectations = root.elementsOrSelf
    let texts = MockServerTexts()
    let ranks = MockServerRanks(expectations)
    var stubs: [ImportedStub] = []
    for expectation in expectations {
      guard expectation.isObject else {
        throw expectation.failure("an expectation must be an object")
      }
      let reader = MockServerStubReader(
        input: input, options: options, texts: texts, priority: ranks.priority(of: expectation))
      stubs += try StubTranslation.stubs(
        of: expectation, conditions: Self.conditions.map { expectation[$0] },
        isLenient: options.isLenient
      ) { _ in
        [try reader.stub(expectation)]
      }
    }
    if texts.hasNarrowed {
      input.log.add(
        .changed, .matcher, file: input.file, pointer: "", item: nil,
        "MockServer ignores the case of texts; the stubs compare it")
    }
    return .scenarios([ImportedScenario(name: input.path, stubs: stubs)])
  }
}

/// The priorities of expectations, of which the highest answers first.
struct MockServerRanks {
  private var ranks: [Int: Int] = [:]

  init(_ expectations: [SourceValue]) {
    let values = Set(expectations.map { Self.value($0) }).sorted(by: >)
    guard values.count > 1 else { return }
    for (place, value) in values.enumerated() { ranks[value] = place + 1 }
  }

  private static func value(_ expectation: SourceValue) -> Int {
    expectation["priority"]?.peekedText.flatMap { Int($0) } ?? 0
  }

  /// The lowest number for the highest priority; nil if all are the same.
  func priority(of expectation: SourceValue) -> Int? {
    expectation["priority"]?.keep()
    return ranks[Self.value(expectation)]
  }
}

/// Translates one expectation.
struct MockServerStubReader {
  let input: ImportInput
  let options: ImportOptions
  let texts: MockServerTexts
  let priority: Int?

  /// All that an expectation may have; anything else may decide what is answered, or when.
  private static let members = Set(
    MockServerFormat.conditions + MockServerResponseReader.actions + [
      "id", "timestamp", "priority", "newScenarioState", "specUrlOrPayload", "afterActions",
      "beforeActions",
    ])

  func stub(_ expectation: SourceValue) throws -> ImportedStub {
    try requireKnown(expectation)
    if expectation.first(of: "specUrlOrPayload") != nil {
      throw Unanswerable("it names a description; import the OpenAPI file itself")
    }
    var stub = Stub(key: .unset, priority: priority ?? Stub.defaultPriority)
    if let request = expectation.given("httpRequest") {
      let reader = MockServerRequestReader(input: input, options: options, texts: texts)
      stub.request = try reader.request(request)
    }
    stub.responses = try MockServerResponseReader(input: input).responses(
      of: expectation, request: expectation["httpRequest"])
    try limit(expectation, &stub)
    stub.flow = expectation.flow(requires: "scenarioState", initialState: "Started")
    try limitLife(of: expectation)
    for name in ["afterActions", "beforeActions"] {
      expectation[name]?.dropAction("What is done beside the answer (\(name)) is not done")
    }
    let id = expectation["id"]?.peekedText.flatMap { $0.looksRandom ? nil : $0 }
    expectation.ignore("id", "timestamp")
    return ImportedStub(stub: stub, name: id)
  }

  /// - Throws: ``Unanswerable`` for a member that stubdb does not know, unless stubs may answer more.
  private func requireKnown(_ expectation: SourceValue) throws {
    for member in expectation.members where !Self.members.contains(member.name) {
      guard member.value.saysSomething else { continue }
      let reason = "\(member.name) may change its answer, and stubdb does not know what it is"
      guard options.isLenient else { throw Unanswerable("\(reason); --lenient keeps it") }
      member.value.drop(.unknown, "\(reason); the stub answers without it")
    }
  }

  /// `times` say how often an expectation answers; then the next one does.
  ///
  /// - Throws: ``Unanswerable`` for an expectation that has answered as often as it should.
  private func limit(_ expectation: SourceValue, _ stub: inout Stub) throws {
    if stub.responses.count > 1 { stub.then = .cycle }
    guard let times = expectation.given("times") else { return }
    let isUnlimited = times.flag("unlimited")
    guard !isUnlimited, let remaining = times.first(of: "remainingTimes") else {
      times["remainingTimes"]?.ignore()
      return
    }
    guard let count = remaining.integer else {
      throw Unanswerable("how often it answers is \(remaining.typeName), not a number")
    }
    guard count > 0 else { throw Unanswerable("it is to answer \(count) times") }
    stub.then = .next
    guard stub.responses.count > 1 else {
      stub.responses[0].repeatCount = min(count, 1_000_000)
      return
    }
    let all = stub.responses
    stub.responses = (0..<min(count, 1_000)).map { all[$0 % all.count] }
    if count > 1_000 {
      times.change(.matcher, "The stub answers 1000 times, not \(count)")
    }
  }

  /// Expectations may expire, and answer some of the requests; stubs do neither.
  ///
  /// - Throws: ``Unanswerable`` for such an expectation, unless stubs may answer more.
  private func limitLife(of expectation: SourceValue) throws {
    if let life = expectation.given("timeToLive") {
      if life["unlimited"]?.peekedText == "true" || life.isObject && life.members.isEmpty {
        life.ignore()
      } else if let time = life["timeToLive"]?.peekedText {
        let unit = life["timeUnit"]?.peekedText?.lowercased() ?? ""
        let expiry = "it expires after \(time) \(unit)"
        guard options.isLenient else {
          throw Unanswerable("\(expiry), and stubs do not; --lenient keeps it", id: .expiry)
        }
        life.drop(.expiry, "I\(expiry.dropFirst()); the stub stays")
      }
    }
    guard let percentage = expectation.given("percentage") else { return }
    guard percentage.number != 100 else { return percentage.ignore() }
    let part = "it answers \(percentage.peekedText ?? "some") % of the requests"
    guard options.isLenient else {
      throw Unanswerable("\(part), and stubs answer all; --lenient keeps it", id: .random)
    }
    percentage.drop(.random, "I\(part.dropFirst()); the stub all")
  }
}
