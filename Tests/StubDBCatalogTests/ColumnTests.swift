import CStubDBSQLite
import Foundation
import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

/// The lists of columns, and what is derived from them.
struct ColumnTests {
  @Test func theListsAreTheColumnsOfTheTables() throws {
    let catalog = try CatalogFormat.current.emptyCatalog()
    func columns(of table: String) throws -> [String] {
      let row = try catalog.prepare("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
      var names: [String] = []
      while try row.step() { names.append(try row.text(0)) }
      return names
    }
    #expect(
      try columns(of: "stub") == ["scenario_id", "position"] + StubColumn.allCases.map { "\($0)" })
    #expect(
      try Set(columns(of: "response"))
        == Set(
          ["scenario_id", "stub_position", "position"]
            + ResponseColumn.storedCases.compactMap(\.stored)))
    #expect(
      try Set(columns(of: "scenario")) == Set(["id"] + ScenarioColumn.allCases.map(\.stored)))
    #expect(try columns(of: "conflict") == ConflictColumn.allCases.map { "\($0)" })
  }

  @Test func laterColumnsCountAsFarAsTheyHoldSomething() throws {
    let connection = try Connection.inMemory()
    func digest(_ values: String, later: Int) throws -> Data {
      let statement = try connection.prepare("SELECT \(values)")
      let rows = HashedRows(
        statement, columnCount: values.split(separator: ",").count - later,
        laterColumnCount: later)
      while try rows.step() {}
      return rows.digest()
    }
    let old = try digest("1, 'a'", later: 0)
    #expect(try digest("1, 'a', NULL", later: 1) == old)
    #expect(try digest("1, 'a', NULL, NULL", later: 2) == old)
    let one = try digest("1, 'a', 'x'", later: 0)
    #expect(try digest("1, 'a', 'x', NULL", later: 2) == one)
    #expect(try digest("1, 'a', NULL, 'x'", later: 2) != one)
    #expect(try digest("1, 'a', NULL, 'x'", later: 2) == digest("1, 'a', NULL, 'x'", later: 0))
  }

  @Test func aCatalogOfAnEarlierStubdbIsWholeAndKeepsItsDigests() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let fixture = root.appendingPathComponent("Examples/ShopApp/Fixtures/shop.stubdb")
    try withTemporaryFolder { folder in
      let copy = folder.appendingPathComponent("shop.stubdb")
      try FileManager.default.copyItem(at: fixture, to: copy)
      let catalog = try Catalog(contentsOf: copy)
      #expect(try catalog.check() == [])
      let before = try catalog.scenarios()
      #expect(!before.isEmpty)
      try catalog.edit { editor in
        for name in try editor.scenarioNames() {
          guard let scenario = try editor.scenario(named: name) else { continue }
          try editor.replace(scenario)
        }
      }
      #expect(try catalog.scenarios() == before)
    }
  }

  @Test func theURLOfAResourceIsFoundOnce() throws {
    try withCatalog { catalog in
      var stub = try Stub(
        key: "k", resourceAt: "https://a.test/v1/items", pages: .offset("from", limit: "size"))
      stub.request.headers = [HeaderPattern(.accept, .contains("json"))]
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a"), stubs: [stub]))
      }
      func parts(_ text: String) throws -> [String] {
        try catalog.search(text).map { "\($0.part): \($0.text)" }
      }
      #expect(try parts("v1/items") == ["url: https://a.test/v1/items"])
      #expect(try parts("https://a.test/v1/items") == ["url: https://a.test/v1/items"])
      #expect(try parts("from") == [#"resource: {"limit":"size","offset":"from"}"#])
      #expect(try parts("accept").count == 1)
    }
  }

  @Test func everyPartIsSearched() throws {
    try withCatalog { catalog in
      let stub = Stub(
        key: "key-needle", summary: "a needle in the summary",
        request: RequestPattern(
          methods: [try #require(HTTPRequest.Method("NEEDLE"))], scheme: "https",
          host: .equalTo("needle.test"), port: 81,
          path: .template("/v1"),
          headers: [HeaderPattern(HTTPField.Name("x") ?? .accept, .contains("needle"))]),
        captures: [Capture("needle", .jsonPath("$"))],
        responses: [
          StubResponse(headers: [.server: "needle"], body: .text("needle in text")),
          StubResponse(
            body: .data(Data("needle".utf8)), isTemplate: true,
            statusTemplate: "{{needle}}"),
        ],
        flow: FlowStep(name: "needle", becomes: "b"),
        recorded: Stub.Recording(at: "2026-11-21", from: "https://needle.test"))
      var other = Stub(key: "other", responses: [StubResponse(body: .json([]))])
      other.resource = Resource(row: ["at": "/v1", "member": "needle"])
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a"), stubs: [other, stub]))
        try editor.insert(
          Scenario(name: try name("b/needle"), summary: "needle", tags: ["needle"], stubs: []))
      }
      let hits = try catalog.search("Needle")
      #expect(
        hits.map { "\($0.scenario) \($0.key ?? "-") \($0.part.rawValue)" } == [
          "a other resource", "a key-needle key", "a key-needle summary", "a key-needle method",
          "a key-needle url",
          "a key-needle request", "a key-needle flow", "a key-needle capture",
          "a key-needle recorded", "a key-needle headers", "a key-needle response",
          "a key-needle body",
          "b/needle - name", "b/needle - summary", "b/needle - tags",
        ])
      #expect(hits[4].text == "https://needle.test:81/v1")
    }
  }

  @Test(arguments: ["card_declined", "why not", "/v1/charges", "text/needle", "hay"])
  func aSearchOfADamagedFileIsAnError(text: String) throws {
    try withCatalog { catalog in
      let stub = Stub(
        key: "charge", summary: "why not",
        request: RequestPattern(path: .template("/v1/charges")),
        responses: [
          StubResponse(headers: [.contentType: "text/needle"], body: .text("card_declined")),
          StubResponse(body: .data(Data("hay\u{0}".utf8))),
        ])
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a"), stubs: [stub]))
        try editor.insert(Scenario(name: try name("b")))
      }
      var bytes = try Data(contentsOf: catalog.url)
      let place = try #require(bytes.range(of: Data(text.utf8)))
      bytes[place.lowerBound + 1] ^= 1
      try bytes.write(to: catalog.url)
      // A removed text, its replacement, and a text at another place.
      let found = String(decoding: bytes[place], as: UTF8.self)
      for wanted in [text, found, "b"] {
        let error = #expect(throws: CatalogError.self) { try catalog.search(wanted) }
        #expect(error?.code == .damaged)
      }
    }
  }
}
