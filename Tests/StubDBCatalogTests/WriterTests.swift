import Foundation
import HTTPTypes
import StubDBModel
import Testing

@testable import StubDBCatalog

/// What an edit does to the file and its surroundings.
struct WriterTests {
  @Test func aFileOfAnotherApplicationStaysAsItIs() throws {
    try withCatalog { catalog in
      try FileManager.default.removeItem(at: catalog.url)
      try Connection(path: catalog.url.path, mode: .create)
        .execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
      let before = try Data(contentsOf: catalog.url)
      let error = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      }
      #expect(error?.code == .notACatalog)
      #expect(try Data(contentsOf: catalog.url) == before)
    }
  }

  @Test(arguments: [
    "PRAGMA page_size = 1024; PRAGMA auto_vacuum = FULL; VACUUM",
    "CREATE TABLE t (a); DROP TABLE t",
  ])
  func whatAnotherToolPackedGetsTheSameBytesAgain(sql: String) throws {
    try withCatalog { catalog in
      let (first, second) = (Scenario(name: try name("a")), Scenario(name: try name("b")))
      try catalog.edit { try $0.insert(first) }
      try catalog.edit { try $0.insert(second) }
      let canonical = try Data(contentsOf: catalog.url)
      try catalog.edit { try $0.removeScenario(second.name) }
      try Connection(path: catalog.url.path, mode: .readWrite).execute(sql)
      try catalog.edit { try $0.insert(second) }
      #expect(try Data(contentsOf: catalog.url) == canonical)
    }
  }

  @Test func anEditThatChangesNothingKeepsTheFileOfAnotherTool() throws {
    try withCatalog { catalog in
      let scenario = Scenario(name: try name("a"), stubs: [Stub(key: "k")])
      try catalog.edit { try $0.insert(scenario) }
      try Connection(path: catalog.url.path, mode: .readWrite)
        .execute("PRAGMA page_size = 1024; VACUUM")
      let before = try Data(contentsOf: catalog.url)
      try catalog.edit { try $0.replace(scenario) }
      #expect(try Data(contentsOf: catalog.url) == before)
    }
  }

  @Test func stubsGoBehindTheOthersOrInTheirPlace() throws {
    try withCatalog { catalog in
      let scenario = try name("a")
      func stub(_ key: String, _ text: String) -> Stub {
        Stub(
          key: Stub.Key(unchecked: key),
          responses: [StubResponse(body: .text(text)), StubResponse()])
      }
      try catalog.edit { editor in
        try editor.insert(stub("one", "1"), into: scenario)
        try editor.insert(stub("two", "2"), into: scenario)
        try editor.replace(stub("three", "3"), in: scenario)
        try editor.replace(stub("two", "second"), in: scenario)
      }
      #expect(
        try catalog.scenario(named: scenario).stubs
          == [stub("one", "1"), stub("two", "second"), stub("three", "3")])
      let error = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(stub("two", ""), into: scenario) }
      }
      #expect(error?.code == .stubExists)
      // The unused body is gone too.
      try catalog.edit { try $0.removeStub("one", from: scenario) }
      let straight = try withCatalog { catalog in
        try catalog.edit { editor in
          try editor.insert(
            Scenario(name: scenario, stubs: [stub("two", "second"), stub("three", "3")]))
        }
        return try Data(contentsOf: catalog.url)
      }
      #expect(try Data(contentsOf: catalog.url) == straight)
    }
  }

  @Test func aChangeThatIsRefusedInTheMiddleIsUndoneAlone() throws {
    try withCatalog { catalog in
      let scenario = Scenario(name: try name("a"), stubs: [Stub(key: "k")])
      let stored = ResponseBody(
        kind: .text, content: .stored(StoredBody(digest: Data(count: 32), byteCount: 1)))
      let bad = Stub(key: "bad", responses: [StubResponse(), StubResponse(body: stored)])
      try catalog.edit { editor in
        try editor.insert(scenario)
        #expect(throws: CatalogError.self) { try editor.insert(bad, into: scenario.name) }
        #expect(throws: CatalogError.self) {
          try editor.replace(Scenario(name: scenario.name, stubs: [Stub(key: "new"), bad]))
        }
        #expect(try editor.scenario(named: scenario.name) == scenario)
      }
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try catalog.scenarios().map(\.stubCount) == [1])
    }
  }

  @Test func aDamagedScenarioIsReplacedOrRemovedButNotChanged() throws {
    try withCatalog { catalog in
      let scenario = Scenario(name: try name("a"), summary: "why", stubs: [Stub(key: "k")])
      let other = Scenario(name: try name("b"), stubs: [Stub(key: "k")])
      try catalog.edit { editor in
        try editor.insert(scenario)
        try editor.insert(other)
      }
      try Connection(path: catalog.url.path, mode: .readWrite)
        .execute("UPDATE response SET status = 500 WHERE scenario_id = \(RowID.scenario("a"))")
      let error = #expect(throws: CatalogError.self) { try catalog.scenario(named: scenario.name) }
      #expect(error?.code == .damaged)
      #expect(try catalog.check().map(\.scenario) == [scenario.name])
      let change = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Stub(key: "new"), into: scenario.name) }
      }
      #expect(change?.code == .damaged)
      try catalog.edit { try $0.insert(Scenario(name: try name("c"))) }
      #expect(throws: CatalogError.self) { try catalog.scenario(named: scenario.name) }
      try catalog.edit { try $0.replace(scenario) }
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try catalog.check().isEmpty)
    }
  }

  @Test func anEditorIsOfNoUseAfterItsEdit() throws {
    try withCatalog { catalog in
      var kept: CatalogEditor?
      try catalog.edit { editor in
        try editor.insert(Scenario(name: try name("a")))
        kept = editor
      }
      var editor = try #require(kept)
      let writing = #expect(throws: CatalogError.self) {
        try editor.insert(Scenario(name: try name("b")))
      }
      #expect(writing?.code == .editEnded)
      #expect(throws: CatalogError.self) { try editor.scenario(named: try name("a")) }
      #expect(try catalog.scenarios().map(\.name.rawValue) == ["a"])
    }
  }

  @Test func everyColumnCountsInAFileThatAnotherSQLiteWrote() throws {
    try withCatalog { catalog in
      let before = Stub(key: "k", responses: [StubResponse(body: .text("one"))])
      let changes: [(inout Stub) -> Void] = [
        { $0.captures = [Capture("id", .jsonPath("$.id"))] },
        { $0.recorded = Recording(at: "2026-11-21") },
        { $0.summary = "why" },
        { $0.priority = 1 },
        { $0.isRequired = true },
        { $0.request.methods = [.post] },
        { $0.request.scheme = "https" },
        { $0.request.host = .equalTo("h.test") },
        { $0.request.port = 81 },
        { $0.request.path = .template("/v1") },
        { $0.then = .fail },
        { $0.flow = FlowStep(name: "order", becomes: "paid") },
        { $0.responses[0].status = 404 },
        { $0.responses[0].headers = [.contentType: "text/plain"] },
        { $0.responses[0].body = .text("two") },
        { $0.responses[0].body = .data(Data("one".utf8)) },
        { $0.responses[0].delay = .fixed(.seconds(1)) },
      ]
      for change in changes {
        try catalog.edit { try $0.replace(Scenario(name: try name("a"), stubs: [before])) }
        try stampAsOfAnotherSQLite(catalog)
        let stamped = try Data(contentsOf: catalog.url)
        try catalog.edit { try $0.replace(Scenario(name: try name("a"), stubs: [before])) }
        #expect(try Data(contentsOf: catalog.url) == stamped)
        var after = before
        change(&after)
        try catalog.edit { try $0.replace(Scenario(name: try name("a"), stubs: [after])) }
        #expect(try catalog.scenario(named: name("a")).stubs == [after])
      }
    }
  }

  @Test func aDamagedBodyIsRepairedByTheScenarioThatHasIt() throws {
    try withCatalog { catalog in
      let stub = Stub(key: "k", responses: [StubResponse(body: .text("card_declined"))])
      let scenario = Scenario(name: try name("a"), stubs: [stub])
      try catalog.edit { try $0.insert(scenario) }
      let whole = try Data(contentsOf: catalog.url)
      for isStamped in [false, true] {
        var bytes = whole
        let place = try #require(bytes.range(of: Data("card_declined".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "C")
        try bytes.write(to: catalog.url)
        if isStamped { try stampAsOfAnotherSQLite(catalog) }
        #expect(throws: CatalogError.self) { try catalog.scenario(named: scenario.name) }
        try catalog.edit { try $0.replace(scenario) }
        #expect(try catalog.scenario(named: scenario.name) == scenario)
        #expect(try catalog.check() == [])
      }
    }
  }

  /// Marks the file as written by another version of SQLite. https://www.sqlite.org/fileformat2.html#validfor
  private func stampAsOfAnotherSQLite(_ catalog: Catalog) throws {
    var bytes = try Data(contentsOf: catalog.url)
    bytes.replaceSubrange(96..<100, with: [0, 0x2E, 0x5F, 0x4A])
    try bytes.write(to: catalog.url)
  }
}
