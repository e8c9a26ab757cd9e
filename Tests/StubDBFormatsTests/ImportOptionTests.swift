import Foundation
import HTTPTypes
import StubDBFormats
import StubDBModel
import StubDBTestSupport
import Testing

/// What the options of an import do, for recordings and for files of stubs.
@Suite struct ImportOptionTests {
  private func options(_ change: (inout ImportOptions) -> Void) -> ImportOptions {
    var options = ImportOptions()
    change(&options)
    return options
  }

  private func names(_ run: ImportRun) -> [String] { run.result.scenarios.map(\.name.rawValue) }

  private static let pact = """
    {"consumer": {"name": "app"}, "provider": {"name": "users"}, "interactions": [
      {"description": "one", "providerState": "Ada exists",
       "request": {"method": "GET", "path": "/1"}, "response": {"status": 200}},
      {"description": "none", "providerState": "nobody exists",
       "request": {"method": "GET", "path": "/1"}, "response": {"status": 404}},
      {"description": "two", "providerState": "nobody exists",
       "request": {"method": "GET", "path": "/2"}, "response": {"status": 200}}]}
    """

  private static func postman(_ base: String = "https://api.shop.test") -> String {
    """
    {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
     "item": [
      {"name": "A", "item": [{"name": "one", "request": {"method": "GET", "url": "\(base)/1"},
        "response": [{"code": 200, "body": "x"}]}]},
      {"name": "B", "item": [{"name": "two", "request": {"method": "POST", "url": "https://pay.test/2"},
        "response": [{"code": 200, "body": "y"}]}]}]}
    """
  }

  @Test func everyOptionIsForAFormatAndAMistakeForOthers() throws {
    let users = ImportFormats.all.map(\.ownOptions)
    #expect(ImportOption.allCases.allSatisfy { option in users.contains { $0.contains(option) } })
    for (option, change) in [
      ("flows", { $0.flags.insert(.flows) }), ("server", { $0.server = "https://a.test" }),
      ("templates", { $0.usesTemplates = true }), ("url", { $0.url = "https://a.test" }),
      ("by", { $0.flags.insert(.by) }),
    ] as [(String, (inout ImportOptions) -> Void)] {
      let error = #expect(throws: FormatError.self) {
        try ImportRun("a.json", Self.pact, options: options(change))
      }
      #expect(error?.isUsage == true)
      #expect(error?.message.hasPrefix("--\(option) means nothing for pact; it is for ") == true)
    }
    // One file that has a use for it is enough.
    let both = [
      "a.json": Data(Self.pact.utf8), "b.har": Data(HARText.archive([HARText.entry()]).utf8),
    ]
    #expect(throws: Never.self) {
      try ImportRun(both, options: options { $0.flags.insert(.flows) })
    }
    #expect(throws: Never.self) {
      try ImportRun("a.json", Self.pact, options: options { $0.flags.insert(.lenient) })
    }
  }

  @Test func aSplitByNothingMakesOneScenarioButForAlternatives() throws {
    let none = options { $0.split = ImportOptions.Split.none }
    let pact = try ImportRun("a.json", Self.pact, options: none)
    #expect(names(pact) == ["app-users", "app-users/nobody-exists"])
    #expect(pact.result.scenarios.map { $0.stubs.map(\.key) } == [["one", "two"], ["none"]])
    #expect(names(try ImportRun("a.json", Self.pact)).count == 2)
    let postman = try ImportRun("a.json", Self.postman(), options: none)
    #expect(names(postman) == ["shop"])
    #expect(names(try ImportRun("a.json", Self.postman())) == ["shop", "shop/a", "shop/b"])
  }

  /// It would change nothing, without a word.
  @Test(arguments: [
    ("a.json", postman("{{base}}"), "bsae", "did you mean base?"),
    ("a.json", postman("{{base}}"), "token", "there are base"),
    ("a.json", postman(), "token", "there are no variables"),
    ("a.sh", "curl https://a.test/$ITEM", "item-id", "there are ITEM"),
    ("a.sh", "curl https://a.test/${ITEM}", "item", "did you mean ITEM?"),
    (
      "a.yml",
      """
      http_interactions:
      - request: {method: get, uri: 'https://a.test/<%= id %>', headers: {}}
        response: {status: {code: 200}, headers: {}, body: {string: ''}}
      recorded_with: VCR 6.3.1
      """, "ID", "did you mean id?"
    ),
  ])
  func aValueForNoVariableIsAMistake(
    file: String, text: String, name: String, advice: String
  ) throws {
    let error = #expect(throws: FormatError.self) {
      try ImportRun(file, text, options: options { $0.variables = [name: "1"] })
    }
    #expect(error?.isUsage == true)
    #expect(error?.message == "--var \(name): no variable has this name; \(advice)")
    let real = String(advice.split(separator: " ").last ?? "").filter { $0 != "?" }
    guard real != "variables" else { return }
    #expect(throws: Never.self) {
      try ImportRun(file, text, options: options { $0.variables = [real: "1"] })
    }
  }

  @Test func aSplitByHostMakesAScenarioForEach() throws {
    let run = try ImportRun(
      "a.json", Self.postman(), options: options { $0.split = .host })
    #expect(names(run) == ["shop/api.shop.test", "shop/pay.test"])
    let har = HARText.archive([HARText.entry(), HARText.entry("GET", "https://pay.test/1")])
    let recording = try ImportRun("a.har", har, options: options { $0.split = .host })
    #expect(names(recording) == ["a/api.shop.test", "a/pay.test"])
  }

  @Test func foldersOfMocktailAreOneScenarioWhereNothingSplitsThem() throws {
    try withTemporaryFolder { folder in
      let root = folder.appendingPathComponent("tails")
      for name in ["a", "b"] {
        let place = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("GET\n.*/\(name)\n200\ntext/plain\n\nx".utf8).write(
          to: place.appendingPathComponent("\(name).tail"))
      }
      #expect(names(try ImportRun(folder: root)) == ["tails/a", "tails/b"])
      let none = options { $0.split = ImportOptions.Split.none }
      let run = try ImportRun(folder: root, options: none)
      #expect(names(run) == ["tails"])
      #expect(run.stubs.count == 2)
    }
  }

  @Test(arguments: [("a.json", ImportOptions.Split.page), ("a.json", .tag), ("a.har", .tag)])
  func aSplitThatAFormatDoesNotHaveIsAMistake(file: String, split: ImportOptions.Split) {
    let text = file == "a.har" ? HARText.archive([HARText.entry()]) : Self.pact
    let error = #expect(throws: FormatError.self) {
      try ImportRun(file, text, options: options { $0.split = split })
    }
    #expect(error?.isUsage == true)
  }

  @Test func scenariosMayHaveTheNamesOfPages() throws {
    let har = HARText.archive([
      HARText.entry(entry: #", "pageref": "p1""#),
      HARText.entry("GET", "https://api.shop.test/2", entry: #", "pageref": "p2""#),
    ]).replacingOccurrences(
      of: #""pages": []"#,
      with: #""pages": [{"id": "p1", "title": "Shop"}, {"id": "p2", "title": "Cart"}]"#)
    #expect(names(try ImportRun("a.har", har)) == ["a"])
    #expect(
      names(try ImportRun("a.har", har, options: options { $0.split = .page }))
        == ["a/shop", "a/cart"])
    #expect(
      names(try ImportRun("a.har", har, options: options { $0.flags.insert(.by) }))
        == ["shop", "cart"])
  }

  @Test func anyHostTakesHostsOutOfRecordingsAndStubs() throws {
    let any = options { $0.matchesAnyHost = true }
    let wiremock =
      #"{"request": {"scheme": "https", "host": {"equalTo": "a.test"}, "port": 8443, "urlPath": "/a"}, "response": {}}"#
    for (name, text) in [
      ("a.har", HARText.archive([HARText.entry()])), ("a.json", Self.postman()),
      ("b.json", wiremock),
    ] {
      let before = try ImportRun(name, text).result.scenarios.flatMap(\.stubs)
      #expect(before.first?.request.host != nil, "\(name)")
      let request = try #require(
        try ImportRun(name, text, options: any).result.scenarios.flatMap(\.stubs).first
      ).request
      #expect(request.host == nil && request.scheme == nil && request.port == nil, "\(name)")
    }
  }

  @Test func answersOfSeveralHostsAreNotOneSequence() throws {
    let any = options { $0.matchesAnyHost = true }
    func entry(_ host: String, _ text: String) -> String {
      HARText.entry("GET", "https://\(host)/1", content: HARText.content(text))
    }
    let har = HARText.archive([
      entry("a.test", "one"), entry("b.test", "other"), entry("a.test", "two"),
      entry("c.test", "one"), entry("c.test:8443", "other"), entry("c.test", "two"),
    ])
    let run = try ImportRun("a.har", har, options: any)
    #expect(run.stubs.map { $0.responses.map(\.body) } == [[.text("one"), .text("two")]])
    #expect(run.ids(.dropped) == ["stub-left-out", "stub-left-out"])
    #expect(run.result.report.requestCount == 4)
    func mapping(_ host: String, _ body: String) -> String {
      #"{"request": {"host": {"equalTo": "\#(host)"}, "urlPath": "/1"}, "response": {"body": "\#(body)"}}"#
    }
    let mappings = [mapping("a.test", "x"), mapping("b.test", "x"), mapping("c.test", "y")]
    let stubs = try ImportRun(
      "a.json", #"{"mappings": [\#(mappings.joined(separator: ","))]}"#, options: any)
    #expect(stubs.stubs.map(\.responses[0].body) == [.text("y")])
    #expect(stubs.ids(.dropped) == ["stub-left-out", "stub-left-out"])
  }

  @Test func whatASplitLeavesOutIsSaidOnce() throws {
    let har = HARText.archive(
      [
        HARText.entry(), HARText.entry("GET", "https://pay.test/1"),
        HARText.entry("GET", "https://a.test/x.png", entry: #", "_resourceType": "image""#),
        HARText.entry("GET", "https://pay.test/x.png", entry: #", "_resourceType": "image""#),
      ], creator: "WebInspector")
    let run = try ImportRun("a.har", har, options: options { $0.split = .host })
    #expect(run.result.report.text().count { $0.contains("left out") } == 1)
    #expect(run.result.report.text().contains { $0.contains("2 of 4 entries left out") })
  }

  @Test func aFormatThatIsNotThatOfTheFileIsAMistake() throws {
    let har = HARText.archive([HARText.entry()])
    for format in ["curl", "vcr", "wiremock"] {
      let error = #expect(throws: FormatError.self) {
        try ImportRun(["a.har": Data(har.utf8)], format: format)
      }
      #expect(error?.message.contains("in the format har, not \(format)") == true)
      #expect(error?.isUsage == true)
    }
  }

  @Test(arguments: [
    ("POST *", [], ["two"]), ("/1", [], ["one"]), ("GET https://api.shop.test/**", [], ["one"]),
    ("*", ["pay.test"], ["two"]),
  ])
  func onlyAndHostChooseAmongStubs(only: String, hosts: [String], keys: [String]) throws {
    let run = try ImportRun(
      "a.json", Self.postman(),
      options: options {
        $0.only = [only]
        $0.hosts = hosts
      })
    #expect(run.result.scenarios.flatMap(\.stubs).map(\.key.rawValue) == keys)
  }

  @Test(arguments: [
    ("/v1/*", true), ("*", true), ("POST *", true), ("* /a", true), ("PROPFIND /a", true),
    ("https://a.test/**", true), ("http*://a.test/", true), ("GET http*", true),
    ("[", false), ("", false), ("GET", false), ("GET ", false), ("a.test/*", false),
    ("httpbin.test/*", false), ("GET /a /b", false), ("/a b", false), ("ftp://a.test/", false),
  ])
  func onlyTakesWhatARequestCanBeLike(text: String, canMatch: Bool) {
    #expect(RequestGlob.canMatch(text) == canMatch)
  }

  @Test func environmentsGiveVariablesTheirValuesAndOptionsComeFirst() throws {
    try withTemporaryFolder { folder in
      let collection = folder.appendingPathComponent("shop.json")
      let environment = folder.appendingPathComponent("live.json")
      try Data(Self.postman("{{base}}").utf8).write(to: collection)
      try Data(
        #"{"name": "live", "values": [{"key": "base", "value": "https://live.shop.test"}]}"#.utf8
      ).write(to: environment)
      func host(_ options: ImportOptions, _ paths: [URL]) throws -> ValuePattern? {
        try ImportRun(paths: paths, options: options).result.scenarios.flatMap(\.stubs).first?
          .request.host
      }
      #expect(try host(ImportOptions(), [collection]) == nil)
      #expect(try host(ImportOptions(), [collection, environment]) == .equalTo("live.shop.test"))
      let given = options { $0.variables = ["base": "https://test.shop.test"] }
      #expect(try host(given, [collection, environment]) == .equalTo("test.shop.test"))
      let files = ImportFiles(log: ReportLog())
      #expect(throws: Never.self) { try files.environment(at: environment, named: "live.json") }
      let error = #expect(throws: FormatError.self) {
        try files.environment(at: collection, named: "shop.json")
      }
      #expect(error?.isUsage == true)
    }
  }

  @Test func aStrictOrderFailsWhatWasNotRecorded() throws {
    let har = HARText.archive([HARText.entry()])
    #expect(try ImportRun("a.har", har).stubs[0].then == .repeatLast)
    let run = try ImportRun("a.har", har, options: options { $0.flags.insert(.strictOrder) })
    #expect(run.stubs[0].then == .fail)
  }

  @Test func everythingIsImportedAndMatchedWhereItIsAskedFor() throws {
    let har = HARText.archive(
      [
        HARText.entry("GET", "https://api.shop.test/a?_=173845678126"),
        HARText.entry("GET", "https://api.shop.test/b.png", entry: #", "_resourceType": "image""#),
      ], creator: "WebInspector")
    let usual = try ImportRun("a.har", har)
    #expect(usual.stubs.count == 1)
    #expect(usual.stubs[0].request.query == [NamedPattern("_", .anything)])
    let all = try ImportRun(
      "a.har", har,
      options: options {
        $0.flags.insert(.all)
        $0.flags.insert(.exact)
      })
    #expect(all.stubs.count == 2)
    #expect(all.stubs[0].request.query == [NamedPattern("_", "173845678126")])
  }

  @Test func theServerOfADescriptionCanBeChosen() throws {
    let text = """
      {"openapi": "3.0.0", "info": {"title": "x", "version": "1"},
       "servers": [{"url": "https://one.test/v1"}, {"url": "https://two.test/v2"}],
       "paths": {"/a": {"get": {"responses": {"200": {"description": "ok"}}}}}}
      """
    #expect(try ImportRun("a.json", text).stubs[0].request.host == .equalTo("one.test"))
    let chosen = options { $0.server = "https://two.test/v2" }
    let request = try ImportRun("a.json", text, options: chosen).stubs[0].request
    #expect(request.host == .equalTo("two.test"))
    #expect(request.path == .template("/v2/a"))
  }

  @Test func requestsWithoutAnAnswerMayBecomeStubs() throws {
    let text = Self.postman().replacingOccurrences(of: #"[{"code": 200, "body": "x"}]"#, with: "[]")
    #expect(try ImportRun("a.json", text).result.report.stubCount == 1)
    let empty = options { $0.flags.insert(.empty) }
    #expect(try ImportRun("a.json", text, options: empty).result.report.stubCount == 2)
  }

  @Test func ignoredValuesAreListedWhereItIsAskedFor() throws {
    let har = HARText.archive([
      HARText.entry(
        headers: #"[{"name": "Date", "value": "today"}, {"name": "X-A", "value": "1"}]"#)
    ])
    let usual = try ImportRun("a.har", har)
    #expect(usual.ids(.ignored) == [])
    let listed = try ImportRun("a.har", har, listsIgnored: true)
    let lines = listed.result.report.lines.filter { $0.level == .ignored }
    #expect(Set(lines.map(\.id.rawValue)) == ["http-version", "ignored", "reason", "volatile"])
    #expect(
      lines.first { $0.id == .reason }?.pointer == "/log/entries/0/response/statusText")
    #expect(lines.first { $0.id == .reason }?.key == "get-v1-items")
    #expect(listed.result.report.ignoredCount == usual.result.report.ignoredCount)
    let kept = #"[{"name": "X-B", "value": "today"}, {"name": "X-A", "value": "1"}]"#
    let without = try ImportRun("a.har", HARText.archive([HARText.entry(headers: kept)]))
    #expect(usual.result.report.ignoredCount == without.result.report.ignoredCount + 1)
  }

  @Test func aFolderMayHoldFilesOfSeveralFormatsAndOfNone() throws {
    try withTemporaryFolder { folder in
      let files = [
        "a.har": HARText.archive([HARText.entry()]), "notes.txt": "Buy milk.\n",
        "b.json": #"{"request": {"urlPath": "/b"}, "response": {"status": 204}}"#,
        "package.json": #"{"name": "shop", "version": "1.0.0"}"#,
      ]
      for (name, text) in files {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      }
      let run = try ImportRun(folder: folder)
      #expect(Set(run.result.scenarios.flatMap(\.stubs).map(\.key)) == ["get-v1-items", "any-b"])
      #expect(run.ids(.dropped) == [])
    }
  }
}
