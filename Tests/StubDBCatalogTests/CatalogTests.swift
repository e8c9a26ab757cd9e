import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import Testing

struct CatalogTests {
  @Test(arguments: 0..<20)
  func whatIsPutInComesOutAgain(seed: Int) throws {
    try withCatalog { catalog in
      var random = RandomScenarios(seed: UInt64(seed))
      var names: [ScenarioName] = []
      var scenarios: [Scenario] = []
      for index in 0..<6 {
        let scenario = random.scenario(named: try name("area/\(index)"), including: names)
        names.append(scenario.name)
        scenarios.append(scenario)
      }
      try catalog.edit { editor in
        for scenario in scenarios { try editor.insert(scenario) }
      }
      for scenario in scenarios {
        #expect(try catalog.scenario(named: scenario.name) == scenario)
      }
      #expect(try catalog.scenarios().map(\.name) == names)
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func aWebSocketIsKeptAndFound() throws {
    try withCatalog { catalog in
      let script = WebSocketScript(
        subprotocol: "orders.v1",
        frames: [
          .send(.json(["state": "paid"])),
          .init(kind: .expect([.value(.contains("needle"))], within: .seconds(2))),
          .close(4000, reason: "bye"),
        ], otherwise: .ignore)
      let response = StubResponse(
        webSocket: script, headers: [.server: "stub"], delay: .fixed(.seconds(1)), repeatCount: 2,
        isTemplate: true)
      let scenario = Scenario(
        name: try name("a/b"), stubs: [Stub(key: "live", responses: [response])])
      try catalog.edit { try $0.insert(scenario) }
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try catalog.search("needle").map(\.part) == [.response])
    }
  }

  @Test(arguments: 0..<10)
  func theSameContentGivesTheSameBytesWhateverTheHistory(seed: Int) throws {
    var random = RandomScenarios(seed: UInt64(seed))
    let scenarios = try (0..<5).map { random.scenario(named: try name("s/\($0)")) }
    let straight = try withCatalog { catalog in
      try catalog.edit { editor in
        for scenario in scenarios { try editor.insert(scenario) }
      }
      return try Data(contentsOf: catalog.url)
    }
    let winding = try withCatalog { catalog in
      for scenario in scenarios.reversed() {
        let detour = random.scenario(named: scenario.name)
        try catalog.edit { try $0.insert(detour) }
        try catalog.edit { try $0.insert(random.scenario(named: try name("gone/again"))) }
        try catalog.edit { editor in
          try editor.replace(scenario)
          try editor.removeScenario(try name("gone/again"))
        }
      }
      return try Data(contentsOf: catalog.url)
    }
    #expect(straight == winding)
  }

  @Test func anEditThatChangesNothingLeavesTheFileAlone() throws {
    try withCatalog { catalog in
      let scenario = Scenario(name: try name("a/b"), stubs: [Stub(key: "only")])
      try catalog.edit { try $0.insert(scenario) }
      let before = try FileManager.default.attributesOfItem(atPath: catalog.url.path)
      try catalog.edit { try $0.replace(scenario) }
      try catalog.edit { _ in }
      let after = try FileManager.default.attributesOfItem(atPath: catalog.url.path)
      #expect(before[.systemFileNumber] as? NSNumber == after[.systemFileNumber] as? NSNumber)
    }
  }

  @Test func anEditThatThrowsLeavesTheFileAsItWas() throws {
    struct Stop: Error {}
    try withCatalog { catalog in
      let before = try Data(contentsOf: catalog.url)
      #expect(throws: Stop.self) {
        try catalog.edit { editor in
          try editor.insert(Scenario(name: try name("a/b")))
          throw Stop()
        }
      }
      #expect(try Data(contentsOf: catalog.url) == before)
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func renamingIsFollowedByIncludes() throws {
    try withCatalog { catalog in
      let (base, other, user) = (try name("base"), try name("other"), try name("user"))
      try catalog.edit { editor in
        try editor.insert(Scenario(name: base, stubs: [Stub(key: "b")]))
        try editor.insert(Scenario(name: user, includes: [base]))
        try editor.rename(base, to: other)
        try editor.copy(other, to: base)
      }
      #expect(try catalog.scenario(named: user).includes == [ScenarioReference(other)])
      #expect(try catalog.scenarios().map(\.name) == [base, other, user])
      #expect(try catalog.load("user").stubCount == 1)
    }
  }

  @Test func includesThatLeadNowhereOrRoundInACircleAreRefused() throws {
    try withCatalog { catalog in
      let (first, second) = (try name("a/first"), try name("a/second"))
      let dangling = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Scenario(name: first, includes: [second])) }
      }
      #expect(dangling?.code == .danglingInclude)
      #expect(
        dangling?.message
          == "the catalog has no scenario \"a/second\", which is included: a/first -> a/second")
      let cycle = #expect(throws: CatalogError.self) {
        try catalog.edit { editor in
          try editor.insert(Scenario(name: first, includes: [second]))
          try editor.insert(Scenario(name: second, includes: [first]))
        }
      }
      #expect(cycle?.code == .includeCycle)
      #expect(cycle?.message.hasSuffix("a/first -> a/second -> a/first") == true)
      #expect(try catalog.scenarios().isEmpty)
    }
  }

  @Test func aNameThatDoesNotExistComesWithWhatWasMeant() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("checkout/card-declined"))) }
      let error = #expect(throws: CatalogError.self) { try catalog.load("checkout/card-declind") }
      #expect(error?.code == .noSuchScenario)
      #expect(error?.suggestions == ["checkout/card-declined"])
    }
  }

  @Test func largeBodiesAreReadWhenServedFromTheFileThatWasLoaded() throws {
    try withCatalog { catalog in
      let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let scenario = Scenario(
        name: try name("a"),
        stubs: [Stub(key: "k", responses: [StubResponse(body: .data(large))])])
      try catalog.edit { try $0.insert(scenario) }
      let loaded = try catalog.load("a")
      // Another file is at the path now, whose rows do not have the body.
      try catalog.edit { try $0.removeScenario(try name("a")) }
      let outcome = loaded.run().respond(to: StubRequest(url: "https://h/"))
      guard case .respond(let selection) = outcome, let body = selection.response.body,
        case .stored(let stored) = body.content
      else {
        Issue.record("expected a stored body, got \(outcome as Any)")
        return
      }
      #expect(stored.byteCount == large.count)
      #expect(try loaded.body(of: body) == large)
    }
  }

  @Test func aReportNamesTheScenariosThatWouldHaveAnswered() throws {
    try withCatalog { catalog in
      let patterns: [(String, RequestPattern)] = [
        ("all", RequestPattern()), ("everything", RequestPattern(path: .template("/**"))),
        ("any", RequestPattern(headers: [HeaderPattern(.accept, .equalTo("text/plain"))])),
        ("literal", RequestPattern(methods: [.get], path: .template("/a%20b/7"))),
        ("method", RequestPattern(methods: [.put], path: .template("/a%20b/7"))),
        ("methods", RequestPattern(methods: [.get, .head], path: .template("/a%20b/**"))),
        ("path", RequestPattern(path: .template("/other"))),
        ("regex", RequestPattern(path: .value(.matches("/[a-z%0-9]+/7")))),
        ("template", RequestPattern(path: .template("/a%20b/{id}"))),
      ]
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("empty")))
        for (text, pattern) in patterns {
          try editor.insert(Stub(key: "k", request: pattern), into: try name(text))
        }
      }
      let run = try catalog.load("empty").run()
      let url = "https://h/a%20b/7"
      for request in [StubRequest(url: url), StubRequest(method: "PUT", url: url)] {
        guard case .unmatched = run.respond(to: request) else {
          Issue.record("an empty scenario answered")
          return
        }
      }
      // Stubs for any method are mostly written for a GET.
      #expect(
        run.journal.map { run.report(on: $0).otherScenarios.map(\.rawValue) }
          == [["literal", "methods", "template"], ["method"]])
    }
  }

  @Test func equalBodiesAreKeptOnce() throws {
    try withCatalog { catalog in
      let body = ResponseBody.text(String(repeating: "x", count: 50_000))
      try catalog.edit { editor in
        for index in 0..<50 {
          try editor.insert(
            Scenario(
              name: try name("s/\(index)"),
              stubs: [Stub(key: "k", responses: [StubResponse(body: body)])]))
        }
      }
      #expect(try Data(contentsOf: catalog.url).count < 150_000)
    }
  }

  @Test func searchLooksEverywhere() throws {
    try withCatalog { catalog in
      let stub = Stub(
        key: "charge", request: RequestPattern(methods: [.post], path: .template("/v1/charges")),
        responses: [
          StubResponse(
            headers: [.retryAfter: "77", .eTag: #""a\b""#], body: .json(["error": "card_declined"]))
        ])
      try catalog.edit { editor in
        try editor.insert(
          Scenario(name: try name("shop/a"), summary: "Bank says no", tags: ["x"], stubs: [stub]))
      }
      let scenario = try name("shop/a")
      func hits(_ text: String) throws -> [String] {
        try catalog.search(text).map { hit in
          #expect(hit.scenario == scenario)
          return "\(hit.key ?? "-") \(hit.part): \(hit.text)"
        }
      }
      #expect(try hits("SAYS") == ["- summary: Bank says no"])
      #expect(try hits("/v1/ch") == ["charge url: /v1/charges"])
      #expect(try hits("77") == [#"charge headers: {"ETag":"\"a\\b\"","Retry-After":"77"}"#])
      #expect(try hits(#""a\b""#) == hits("77"))
      #expect(try hits("card_decl") == [#"charge body: {"error":"card_declined"}"#])
      #expect(try hits("card%decl").isEmpty)
      #expect(try hits("").isEmpty)
    }
  }

  @Test func searchFindsWhatItPrintsAndURLsWithTheirQueries() throws {
    try withCatalog { catalog in
      let scenario = try ScenarioDocument.decode(
        Data(
          #"""
          {"scenario": "shop/a", "tags": ["x"], "stubs": [
            {"key": "cup", "request": {"url": "/cups", "body": {"equalToJson": {"n": 3, "q": "mug"}}}},
            {"key": "find", "request": {
              "url": "https://api.test/find?per_page=5&q=a%20b&id=1&id=2"}}]}
          """#.utf8))
      try catalog.edit { try $0.insert(scenario) }
      func hits(_ text: String) throws -> [String] {
        try catalog.search(text).map { "\($0.key ?? "-") \($0.part): \($0.text)" }
      }
      let pattern = #"cup request: {"body":{"equalToJson":{"n":3,"q":"mug"}}}"#
      for text in ["mug", #""q":"mug""#, #""MUG""#, #"{"n":3"#] {
        #expect(try hits(text) == [pattern], "\(text)")
      }
      #expect(try hits(#"["x""#) == [#"- tags: ["x"]"#])
      let url = "find url: https://api.test/find?id=1&id=2&per_page=5&q=a%20b"
      for text in ["https://API.test/find?per_page=5&q=a", "d?q=a+b&id=2", "?id=2&q=A%20B"] {
        #expect(try hits(text) == [url], "\(text)")
      }
      for text in ["/find?q=b", "/find?q=a&id=1", "/fin?q=a", "/find?id=3", "/find?"] {
        #expect(try hits(text).isEmpty, "\(text)")
      }
    }
  }

  @Test func checkNamesWhatIsWrong() throws {
    try withCatalog { catalog in
      let path = PathPattern.template("/a")
      try catalog.edit { editor in
        try editor.insert(
          Scenario(
            name: try name("a"),
            stubs: [
              Stub(key: "all", request: RequestPattern(path: path)),
              Stub(key: "get", request: RequestPattern(methods: [.get], path: path)),
              Stub(key: "first", priority: 1, request: RequestPattern(path: path), then: .next),
              Stub(
                key: "bad",
                request: RequestPattern(headers: [HeaderPattern(.accept, .matches("("))])),
            ]))
      }
      let problems = try catalog.check()
      #expect(problems.map(\.key) == ["bad", "get"])
      #expect(
        problems.map { $0.pointer?.description } == [
          "/stubs/3/request/headers/Accept/matches", "/stubs/1",
        ])
    }
  }
}
