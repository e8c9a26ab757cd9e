import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBEditing

/// `stubdb rewrite`: many stubs in one edit.
struct CatalogRewriteTests {
  private static func change(
    _ query: String, _ rewrite: ValueRewrite
  ) throws -> CatalogRewrite.Change {
    .values(rewrite, try RewriteQuery(argument: query))
  }

  private static func stub(_ key: String, _ responses: StubResponse...) -> Stub {
    Stub(key: Stub.Key(unchecked: key), responses: responses)
  }

  private func withCatalog<Value>(
    _ scenarios: [Scenario], _ body: (Catalog) throws -> Value
  ) throws -> Value {
    try withTemporaryFolder { folder in
      let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      try catalog.edit { editor in for scenario in scenarios { try editor.replace(scenario) } }
      return try body(catalog)
    }
  }

  private func run(
    _ catalog: Catalog, _ words: [String], _ change: CatalogRewrite.Change
  ) throws -> CatalogRewrite.Plan {
    try CatalogRewrite(catalog, try words.map(ScenarioGlob.init(argument:)), change).run()
  }

  private func json(_ catalog: Catalog, _ name: String) throws -> [String?] {
    try catalog.scenario(named: ScenarioName(unchecked: name)).stubs.flatMap(\.responses).map {
      $0.body?.bytes.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func thereAndBackGivesTheSameBytes() throws {
    var random = SeededRandom(seed: 34)
    let scenarios = (0..<12).map { number in
      Scenario(
        name: ScenarioName(unchecked: "shop/s\(number)"),
        stubs: (0..<5).map {
          Self.stub("k\($0)", .json(RandomJSON.value(&random, depth: 4), status: 200 + $0))
        })
    }
    try withCatalog(scenarios) { catalog in
      let before = try Data(contentsOf: catalog.url)
      let there = try run(
        catalog, ["shop/**"], Self.change("response $..a", .rename(from: "a", to: "new~/é")))
      #expect(there.stubCount > 20)
      #expect(try Data(contentsOf: catalog.url) != before)
      let back = try run(
        catalog, ["shop/"], Self.change("response $..['new~/é']", .rename(from: "new~/é", to: "a")))
      #expect(back.stubCount == there.stubCount)
      #expect(try Data(contentsOf: catalog.url) == before)
    }
  }

  @Test func changesOfRandomDocumentsAreThoseOfASimpleWalk() throws {
    let query = try RewriteQuery(argument: "response $..a")
    for seed in 0..<400 {
      var random = SeededRandom(seed: UInt64(seed))
      let value = RandomJSON.value(&random, depth: 5)
      for (change, expected) in [
        (ValueRewrite.set([1]), RandomJSON.mapped(value) { _ in [1] }),
        (.remove, RandomJSON.mapped(value) { _ in nil }),
        (.wrap(["data": "…"]), RandomJSON.mapped(value) { ["data": $0] }),
      ] {
        var rewriter = ValueRewriter(change)
        let places = try #require(query.places(in: value, isSeed: false))
        #expect(rewriter.rewritten(value, at: places) == expected, "seed \(seed), \(change)")
      }
    }
  }

  @Test func whatItDoesNotUnderstandIsLeftAndSaid() throws {
    let text = #"{"user":{"email":"a"}}"#
    let value: JSONValue = ["user": ["email": "a"]]
    let scenario = Scenario(
      name: ScenarioName(unchecked: "shop/a"), includes: [ScenarioName(unchecked: "base")],
      stubs: [
        Self.stub("json", .json(value)), Self.stub("text", .text(text)),
        Self.stub("bytes", .data(Data(text.utf8))),
        Self.stub("template", StubResponse(body: .json(value), isTemplate: true)),
        Self.stub("other", .text("nothing")),
      ])
    let base = Scenario(
      name: ScenarioName(unchecked: "base"), stubs: [Self.stub("json", .json(value))])
    try withCatalog([scenario, base]) { catalog in
      let plan = try run(
        catalog, ["shop/*"],
        Self.change("response $.user.email", .rename(from: "email", to: "mail")))
      #expect(plan.changes.map { $0.after.stubs.map(\.key.rawValue) } == [["json"]])
      #expect(plan.left.map(\.reason) == [.text, .base64, .template])
      #expect(
        plan.left.map(\.pointer.description)
          == ["/responses/0/text", "/responses/0/base64", "/responses/0/json"])
      #expect(plan.outside.map(\.rawValue) == ["base"])
      #expect(
        try json(catalog, "shop/a") == [#"{"user":{"mail":"a"}}"#, text, text, text, "nothing"])
      #expect(try json(catalog, "base") == [text])
    }
  }

  @Test func aMemberIsNotRenamedOverAnotherOne() throws {
    let scenario = Scenario(
      name: ScenarioName(unchecked: "shop/a"),
      stubs: [
        Self.stub("k", .json(["email": "a", "mail": "b"])), Self.stub("l", .json(["email": 1])),
      ])
    try withCatalog([scenario]) { catalog in
      let before = try Data(contentsOf: catalog.url)
      let error = #expect(throws: JobError.self) {
        try run(
          catalog, ["**"], Self.change("response $.email", .rename(from: "email", to: "mail")))
      }
      #expect(error?.hints.first?.description == "There: shop/a k /responses/0/json/email")
      #expect(try Data(contentsOf: catalog.url) == before)
    }
  }

  @Test func placesInItemsOfAResourceAreThoseOfItsSeed() throws {
    var stub = try Stub(
      key: "items", resourceAt: "/v1/items",
      seed: [["id": "a"], ["id": "b", "email": 1, "mail": 2]])
    let seeded = stub
    stub.responses.insert(.json([["email": 1, "mail": 2]]), at: 0)
    let scenario = Scenario(name: ScenarioName(unchecked: "shop/a"), stubs: [stub])
    try withCatalog([scenario]) { catalog in
      let error = #expect(throws: JobError.self) {
        try run(
          catalog, ["**"], Self.change("response $[*].email", .rename(from: "email", to: "mail")))
      }
      #expect(
        error?.hints.prefix(2).map(\.description) == [
          "There: shop/a items /responses/0/json/0/email",
          "There: shop/a items /resource/seed/1/email",
        ])
      let removed = #expect(throws: JobError.self) {
        try run(catalog, ["**"], Self.change("response $", .remove))
      }
      #expect(removed?.hints.first?.description == "There: shop/a items /responses/0/json")
      try catalog.edit { try $0.replace(Scenario(name: scenario.name, stubs: [seeded])) }
      let emptied = #expect(throws: JobError.self) {
        try run(catalog, ["**"], Self.change("response $", .remove))
      }
      #expect(emptied?.hints.first?.description == "There: shop/a items /resource/seed")
      #expect(emptied?.hints.last?.description.contains("--set '[]'") == true)
    }
  }

  /// An item is an answer of a resource, as its list is.
  @Test func whatIsNotInTheListOfAResourceIsLookedForInItsItems() throws {
    let stub = try Stub(
      key: "items", resourceAt: "/v1/items",
      seed: [["id": "a", "user": ["email": 1]], ["id": "b", "email": 2, "user": ["email": 3]]])
    let scenario = Scenario(name: ScenarioName(unchecked: "shop/a"), stubs: [stub])
    try withCatalog([scenario]) { catalog in
      let before = try Data(contentsOf: catalog.url)
      for (query, old, new) in [
        ("response $.user.email", "email", "mail"), ("response $[*].user.mail", "mail", "email"),
      ] {
        _ = try run(catalog, ["**"], Self.change(query, .rename(from: old, to: new)))
        let seed = try #require(try json(catalog, "shop/a").last ?? nil)
        #expect(seed.contains(#""email":2,"#) && seed.contains(#""user":{"\#(new)":3}"#), "\(seed)")
      }
      #expect(try Data(contentsOf: catalog.url) == before)
    }
  }

  @Test func jsonInAnotherFormIsLeftAndSaid() throws {
    let value = #"{"user":{"stra\u00dfe":"a"}}"#
    func response(_ body: ResponseBody, _ fields: [String: String]) -> StubResponse {
      var response = StubResponse(body: body)
      for (name, value) in fields {
        if let name = HTTPField.Name(name) { response.headers[name] = value }
      }
      return response
    }
    let packed = try #require(
      Data(base64Encoded: "H4sIAAAAAAACA6tWKi1OLVKyqlYqLilKPDw/VclKKVGpthYA0ACJjRgAAAA="))
    let type = ["Content-Type": "application/json"]
    let scenario = Scenario(
      name: ScenarioName(unchecked: "shop/a"),
      stubs: [
        Self.stub("escaped", .text(value)),
        Self.stub("packed", response(.data(packed), ["Content-Encoding": "gzip"])),
        Self.stub("wide", response(.data(try #require(value.data(using: .utf16))), type)),
        Self.stub("picture", response(.data(Data([0x89, 0x50])), ["Content-Type": "image/png"])),
        Self.stub("else", .text(#"{"user":{"name":"a"}}"#)),
      ])
    try withCatalog([scenario]) { catalog in
      let plan = try run(
        catalog, ["**"],
        Self.change("response $.user['straße']", .rename(from: "straße", to: "street")))
      #expect(plan.left.map(\.key.rawValue).sorted() == ["escaped", "packed", "wide"])
      #expect(plan.stubCount == 0)
    }
  }

  @Test func whatCouldNotBeReadAgainIsRefused() throws {
    var deep: JSONValue = 1
    for _ in 1..<500 { deep = [deep] }
    var stub = Self.stub("deep", .json(["a": deep]))
    stub.request.body = [.and([.equalToJSON(["a": 1]), .equalToJSON(deep)])]
    let scenario = Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub])
    try withCatalog([scenario]) { catalog in
      let before = try Data(contentsOf: catalog.url)
      // Around the content are the scenario, two lists, the stub and the response.
      let wrapped = try ValueRewrite(
        wrapping: String(repeating: "[", count: 8) + "…" + String(repeating: "]", count: 8))
      for (query, place) in [
        ("response $", "There: a deep /responses/0/json"),
        ("request $", "There: a deep /request/body/and/1/equalToJson"),
      ] {
        let error = #expect(throws: JobError.self) {
          try run(catalog, ["a"], Self.change(query, wrapped))
        }
        #expect(error?.hints.first?.description == place)
      }
      #expect(try Data(contentsOf: catalog.url) == before)
      let most = try ValueRewrite(wrapping: "[[[[[[[…]]]]]]]")
      #expect(try run(catalog, ["a"], Self.change("response $", most)).stubCount == 1)
      let changed = try catalog.scenario(named: ScenarioName(unchecked: "a"))
      #expect(try ScenarioDocument.decode(Data(ScenarioDocument.encode(changed).utf8)) == changed)
    }
  }

  @Test(arguments: [
    ("response $", "stubdb set SCENARIO KEY --text ''"), ("request $", #"--when '{"body": []}'"#),
  ])
  func aContentIsNotRemovedAsAWhole(query: String, hint: String) throws {
    var stub = Self.stub("k", .json(1))
    stub.request.body = [.equalToJSON(1)]
    try withCatalog([Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub])]) { catalog in
      let error = #expect(throws: JobError.self) {
        try run(catalog, ["a"], Self.change(query, .remove))
      }
      #expect(error?.hints.last?.description.hasSuffix(hint) == true, "\(error?.hints ?? [])")
    }
  }

  @Test func stubsThatNeverAnswerAfterwardsAreNamed() throws {
    let hosts = ["a.test", "b.test", "c.test"]
    let stubs = try hosts.map { host in
      Stub(
        key: Stub.Key(unchecked: host), request: try RequestPattern(url: "https://\(host)/x"),
        responses: [.json(1)])
    }
    try withCatalog([Scenario(name: ScenarioName(unchecked: "a"), stubs: stubs)]) { catalog in
      let plan = try run(catalog, ["a"], .host(HostRewrite(argument: "c.test=a.test")))
      #expect(plan.hidden.map(\.key) == ["c.test"])
      let other = try run(catalog, ["a"], .host(HostRewrite(argument: "b.test=d.test")))
      #expect(other.stubCount == 1 && other.hidden.isEmpty)
    }
  }

  @Test(arguments: [
    ("x/", "there is no scenario below \"x/\" in "),
    ("x/*", "the name of no scenario in "), ("x", "there is no scenario x in "),
  ])
  func aWordThatSelectsNothingIsAnErrorBesideOneThatDoes(word: String, message: String) throws {
    let scenario = Scenario(
      name: ScenarioName(unchecked: "a"), stubs: [Self.stub("k", .json(["a": 1]))])
    try withCatalog([scenario]) { catalog in
      let error = #expect(throws: JobError.self) {
        try run(catalog, ["**", word], Self.change("response $.a", .set(2)))
      }
      #expect(error?.message.description.hasPrefix(message) == true, "\(error as Any)")
      let after = try json(catalog, "a")
      #expect(after == [#"{"a":1}"#])
    }
  }

  @Test func jsonHasWhatIsLeftAndOutside() throws {
    let scenario = Scenario(
      name: ScenarioName(unchecked: "a"), includes: [ScenarioName(unchecked: "base")],
      stubs: [Self.stub("k", .text("a")), Self.stub("l", .json(["a": 1]))])
    try withCatalog([scenario, Scenario(name: ScenarioName(unchecked: "base"))]) { catalog in
      let plan = try run(catalog, ["a"], Self.change("response $.a", .set(2)))
      let json = plan.json(isWritten: true).jsonValue
      #expect(json.value(at: JSONPointer(["outside"])) == ["base"])
      #expect(json.value(at: JSONPointer(["left", "0", "reason"])) == "text")
      #expect(
        plan.notes == [
          "Left as it is: 1 content that is text: a k /responses/0/text",
          "Left as it is: 1 included scenario that was not named: base",
        ])
    }
  }

  @Test func requestsAndNumbersKeepWhatIsNotSelected() throws {
    let number = JSONValue.number(try #require(try JSONValue(parsing: "1.50E400").number))
    var stub = Self.stub("k", .json(["n": number]))
    stub.request.body = [
      .equalToJSON(["email": "a", "n": number], ignoreExtraElements: true),
      .matchesJSONPath("$.email"),
    ]
    try withCatalog([Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub])]) { catalog in
      let plan = try run(
        catalog, ["a"], Self.change("request $.email", .set("b")))
      #expect(plan.left.map(\.reason) == [.pattern])
      let changed = try catalog.scenario(named: ScenarioName(unchecked: "a")).stubs[0]
      #expect(
        changed.request.body[0]
          == .equalToJSON(["email": "b", "n": number], ignoreExtraElements: true))
      #expect(changed.request.body[1] == stub.request.body[1])
      #expect(changed.responses == stub.responses)
    }
  }

  @Test func hostsOfRequestsAndAnswersChange() throws {
    var stub = Stub(
      key: "k", request: try RequestPattern(method: .get, url: "https://api.test:8443/a"),
      responses: [
        .json(
          ["next": "https://api.test/a?x=1", "other": "https://api.test.example/"],
          headers: [.location: "https://api.test:8443/b"])
      ])
    stub.recorded = Stub.Recording(at: "2026-11-21", from: "https://api.test")
    try withCatalog([Scenario(name: ScenarioName(unchecked: "a"), stubs: [stub])]) { catalog in
      _ = try run(catalog, ["a"], .host(HostRewrite(argument: "api.test=new.test")))
      let changed = try catalog.scenario(named: ScenarioName(unchecked: "a")).stubs[0]
      #expect(changed.request == (try RequestPattern(method: .get, url: "https://new.test:8443/a")))
      #expect(changed.responses[0].headers[.location] == "https://new.test:8443/b")
      #expect(changed.recorded == stub.recorded)
      #expect(
        try json(catalog, "a")
          == [#"{"next":"https://new.test/a?x=1","other":"https://api.test.example/"}"#])
    }
  }

  @Test(arguments: [
    ("checkout/**", "checkout/a/b", true), ("checkout/**", "checkout", true),
    ("checkout/*", "checkout/a/b", false), ("c*t/a", "checkout/a", true), ("**", "a", true),
    ("**/paid", "a/b/paid", true), ("checkout/", "checkout/a", true), ("a", "ab", false),
    ("*a*b*", "xaab", true), ("*a*b", "xba", false),
  ])
  func patternsSelectNames(pattern: String, name: String, isSelected: Bool) throws {
    let glob = try ScenarioGlob(argument: pattern)
    #expect(glob.matches(ScenarioName(unchecked: name)) == isSelected)
  }

  @Test(arguments: ["", "email", "=x", "a=a"])
  func wrongRenamesAreRefused(text: String) {
    #expect(throws: ArgumentError.self) { _ = try ValueRewrite(renaming: text) }
  }

  @Test(arguments: ["{}", "{\"a\": …, \"b\": …}", "{a: …}"])
  func wrapsNeedOnePlace(text: String) {
    #expect(throws: ArgumentError.self) { _ = try ValueRewrite(wrapping: text) }
  }
}

/// Documents of few names, and a walk over their members `a` that knows no places.
private enum RandomJSON {
  static func value(_ random: inout SeededRandom, depth: Int) -> JSONValue {
    let count = Int.random(in: 0...3, using: &random)
    switch depth == 0 ? 0 : Int.random(in: 0...4, using: &random) {
    case 0: return .number(JSONNumber(count))
    case 1: return .array((0..<count).map { _ in value(&random, depth: depth - 1) })
    default:
      var members: JSONObject = [:]
      for name in ["a", "b", "e\u{301}", "é"].shuffled(using: &random).prefix(count + 1) {
        members[name] = value(&random, depth: depth - 1)
      }
      return .object(members)
    }
  }

  /// The value with its members `a` changed, the inner ones first.
  static func mapped(_ value: JSONValue, _ change: (JSONValue) -> JSONValue?) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { mapped($0, change) })
    case .object(let members):
      var result: JSONObject = [:]
      for (name, member) in members {
        let inner = mapped(member, change)
        result[name] = name == "a" ? change(inner) : inner
      }
      return .object(result)
    case .null, .bool, .number, .string: return value
    }
  }
}

extension JSONValue {
  fileprivate var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
}
