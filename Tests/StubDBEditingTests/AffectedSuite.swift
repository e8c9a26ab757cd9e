import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBTestSupport

/// A generated catalog with tests that ask for what it has, and random edits of it.
struct AffectedSuite {
  /// A test: what it loads and asks for.
  struct Case {
    let name: String
    let scenario: String
    let options: PlaybackOptions
    let requests: [StubRequest]
  }

  private static let methods: [HTTPRequest.Method] = [.get, .get, .get, .post, .put, .head]
  private static let operations = ["Cart", "Pay", "Login"]

  private(set) var random: SeededRandom
  private(set) var scenarios: [Scenario] = []
  private(set) var cases: [Case] = []

  init(seed: UInt64, scenarios count: Int) {
    random = SeededRandom(seed: seed)
    for index in 0..<count { scenarios.append(scenario(index)) }
  }

  // MARK: Scenarios

  private mutating func scenario(_ index: Int) -> Scenario {
    var scenario = Scenario(name: ScenarioName(unchecked: "area\(index % 7)/s\(index)"))
    scenario.stubs = (0..<number(3...7)).map { stub(Stub.Key(unchecked: "k\($0)"), area: index) }
    if index > 0, chance(40) {
      scenario.includes = [reference(index < 5 ? 0 : number(0...4))]
      if chance(30) { scenario.includes.append(reference(number(0...index - 1))) }
      scenario.includes = scenario.includes.reduce(into: []) {
        if !$0.contains($1) { $0.append($1) }
      }
    }
    return scenario
  }

  private func reference(_ index: Int) -> ScenarioReference {
    ScenarioReference(scenarios[index].name)
  }

  private mutating func stub(_ key: Stub.Key, area: Int) -> Stub {
    var stub = Stub(key: key, priority: chance(80) ? 5 : number(1...9))
    stub.request = pattern(area: area)
    stub.isRequired = chance(3)
    stub.responses = (0..<(chance(15) ? 2 : 1)).map { _ in response() }
    if chance(15) { stub.then = [.cycle, .fail, .next, .repeatLast][number(0...3)] }
    if chance(10) {
      stub.flow = FlowStep(
        name: "order", requires: chance(50) ? "started" : "paid", becomes: chance(50) ? "paid" : nil
      )
    }
    return stub
  }

  private mutating func pattern(area: Int) -> RequestPattern {
    var pattern = RequestPattern()
    pattern.methods = chance(10) ? [] : [Self.methods[number(0...5)]]
    if chance(70) { pattern.host = .equalTo(chance(80) ? "api.shop.test" : "cdn.shop.test") }
    let place = area % 40 * 10 + number(0...5)
    switch number(0...19) {
    case 0: pattern.path = nil
    case 1: pattern.path = .template("/v\(area % 40)/**")
    case 2, 3: pattern.path = .template("/v\(area % 40)/{id}")
    case 4: pattern.path = .value(.matches("/v\(area % 40)/p[0-9]+"))
    default: pattern.path = .template("/v\(area % 40)/p\(place)")
    }
    if chance(20) { pattern.query = [NamedPattern("page", .equalTo("\(number(1...2))"))] }
    pattern.queryIsExact = chance(10)
    switch number(0...9) {
    case 0:
      pattern.body = [
        .graphQL(GraphQLPattern(operationName: .equalTo(Self.operations[number(0...2)])))
      ]
    case 1:
      let amount = JSONValue.number(JSONNumber(number(1...3)))
      pattern.body = [.equalToJSON(.object(["amount": amount]), ignoreExtraElements: chance(50))]
    default: break
    }
    return pattern
  }

  private mutating func response() -> StubResponse {
    StubResponse(
      status: [200, 201, 404][number(0...2)],
      body: .json(.object(["value": .number(JSONNumber(number(0...1_000_000)))])))
  }

  // MARK: Tests

  /// Adds tests whose requests are mostly answered.
  mutating func addCases(_ count: Int, in catalog: Catalog) throws {
    for index in 0..<count {
      let scenario = number(0...scenarios.count - 1)
      var options = PlaybackOptions(requiresStubs: chance(2) ? true : nil)
      if chance(15) {
        options.overlays = [scenarios[number(0...scenarios.count - 1)].name.rawValue]
      }
      let loaded = try catalog.load(
        scenarios[scenario].name, overlays: options.overlays.map(ScenarioName.init(unchecked:)))
      let sources = loaded.sources
      let requests = (0..<number(1...5)).compactMap { _ -> StubRequest? in
        let request = request(like: sources[number(0...sources.count - 1)].stub.request)
        return loaded.firstMatch(for: request) != nil || chance(3) ? request : nil
      }
      cases.append(
        Case(
          name: "ShopTests/Suite\(index % 50)/test\(index)()",
          scenario: scenarios[scenario].name.rawValue,
          options: options, requests: requests))
    }
  }

  private mutating func request(like pattern: RequestPattern) -> StubRequest {
    var path = "/v1/p1"
    if case .template(let template)? = pattern.path {
      path = template.replacing("{id}", with: "p\(number(1...60))").replacing(
        "**", with: "p\(number(1...60))")
    }
    if case .value? = pattern.path { path = "/v\(number(0...39))/p7" }
    let page = chance(30) || !pattern.query.isEmpty ? "?page=\(number(1...2))" : ""
    var request = StubRequest(
      method: (pattern.methods.first ?? Self.methods[number(0...5)]).rawValue,
      url: "https://\(pattern.host?.literal ?? "api.shop.test")\(path)\(page)")
    if chance(15), request.method == "GET" { request.method = "HEAD" }
    switch pattern.body.first?.operation {
    case is GraphQLPattern?:
      request.body = .bytes(
        Data(#"{"query":"query","operationName":"\#(Self.operations[number(0...2)])"}"#.utf8))
    case is EqualToJSONOperator?: request.body = .bytes(Data(#"{"amount":\#(number(1...3))}"#.utf8))
    default: break
    }
    return request
  }

  /// What a test loads.
  private struct Loading: Hashable {
    let scenario: String
    let overlays: [String]

    init(_ test: Case) { (scenario, overlays) = (test.scenario, test.options.overlays) }

    func callAsFunction(from catalog: Catalog) -> LoadedScenario? {
      try? catalog.load(
        ScenarioName(unchecked: scenario), overlays: overlays.map(ScenarioName.init(unchecked:)))
    }
  }

  /// Plays the tests, and returns for each all that it could notice; tests of one scenario share what is loaded.
  func playAll(in catalog: Catalog, keepingIn ledger: UsageLedger? = nil) -> [[String]] {
    var loaded: [Loading: LoadedScenario?] = [:]
    return cases.map { test in
      let loading = Loading(test)
      let scenario = loaded[loading] ?? loading(from: catalog)
      loaded[loading] = .some(scenario)
      return Self.play(test, scenario, keepingIn: ledger)
    }
  }

  /// Plays a test, and returns all that it could notice.
  static func play(
    _ test: Case, in catalog: Catalog, keepingIn ledger: UsageLedger? = nil
  ) -> [String] {
    play(test, Loading(test)(from: catalog), keepingIn: ledger)
  }

  private static func play(
    _ test: Case, _ loaded: LoadedScenario?, keepingIn ledger: UsageLedger?
  ) -> [String] {
    guard let loaded else { return ["not loaded"] }
    let player = Player(loaded, options: test.options)
    if let ledger {
      player.keepInLedger(ledger)
      player.ledgerRun?.name(test: test.name)
    }
    defer { player.end() }
    let answers = test.requests.map { request -> String in
      guard case .respond(let selection)? = player.run.respond(to: request) else { return "none" }
      let response = selection.response
      let content = response.body?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
      return "\(selection.event.scenario?.rawValue ?? "") \(selection.event.stubKey ?? "") "
        + "\(response.status) \(content) \(selection.pacing.delay)"
    }
    // Requests without an answer are said above; a report on each, which reads the whole catalog, adds nothing to that.
    let found = player.run.problems(
      requiringStubs: test.options.requiresStubs,
      requiringWholeSequences: test.options.requiresWholeSequences, acceptingUnmatched: true)
    let problems = found.map { "\($0.kind) \($0.scenario) \($0.stubKey ?? "")" }
    return answers + problems
  }

  // MARK: Edits

  /// Applies a random edit; does nothing if the catalog refuses it.
  mutating func edit(_ catalog: Catalog) throws {
    let index = number(0...scenarios.count - 1)
    guard var scenario = try? catalog.scenario(named: scenarios[index].name) else { return }
    let place = scenario.stubs.isEmpty ? 0 : number(0...scenario.stubs.count - 1)
    switch number(0...13) {
    case 0, 1, 2: scenario.stubs[place].responses[0] = response()
    case 3: scenario.stubs[place].summary = "said otherwise"
    case 4, 5:
      // A second edit may add one, too.
      var key = "new"
      while scenario.stubs.contains(where: { $0.key.rawValue == key }) { key += "er" }
      scenario.stubs.insert(stub(Stub.Key(unchecked: key), area: index), at: place)
    case 6: scenario.stubs.remove(at: place)
    case 7: scenario.stubs[place].priority = number(1...9)
    case 8: scenario.stubs.append(scenario.stubs.remove(at: place))
    case 9: scenario.stubs[place].request = pattern(area: index)
    case 10: scenario.stubs[place].isRequired.toggle()
    case 11:
      scenario.includes =
        scenario.includes.isEmpty && index > 0 ? [reference(number(0...index - 1))] : []
    case 12: scenario.tags = ["edited"]
    default: scenario.stubs[place].then = [.cycle, .fail, .next][number(0...2)]
    }
    if scenario.stubs.isEmpty { scenario.stubs = [Stub(key: "only")] }
    let edited = scenario
    if chance(3) {
      try? catalog.edit { try $0.removeScenario(edited.name) }
    } else {
      try catalog.edit { try $0.replace(edited) }
    }
  }

  // MARK: Random numbers

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
}
