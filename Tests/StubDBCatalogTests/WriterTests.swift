import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

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

  private static let changes: [@Sendable (inout Scenario, inout Stub) -> Void] = [
    { _, _ in },
    { $1.key = Stub.Key(unchecked: String(repeating: "k", count: 200)) },
    { $1.key = Stub.Key(unchecked: String(repeating: "k", count: 201)) },
    { $1.key = Stub.Key(unchecked: "a\nb") },
    { $1.key = .unset },
    { $1.priority = 0 },
    { $1.summary = "a\nb" },
    { $1.summary = "" },
    { $1.flow = FlowStep(name: "") },
    { $1.flow = FlowStep(name: "order", requires: "a\u{7}") },
    { $1.request.path = .template("no-slash") },
    { $1.request.path = .template("/a?b=c#d") },
    { $1.request.path = .template("/{id") },
    { $1.request.scheme = "a b" },
    { $1.request.host = .equalTo("a/b") },
    { $1.request.port = 65_536 },
    { $1.request.cookies = [NamedPattern("", "1")] },
    { $1.request.pathParameters = [NamedPattern("none", "1")] },
    { $1.request.basicAuth = BasicCredentials(username: "a:b", password: "") },
    { $1.request.body = [.matchesJSONPath("")] },
    { $1.captures = [Capture("", .jsonPath("$"))] },
    { $1.responses[0] = StubResponse(status: 99, body: .text("a")) },
    { $1.responses[0] = StubResponse(chunks: .split(count: 2, over: .seconds(1))) },
    { $1.responses[0] = StubResponse(body: .text("a"), chunks: .split(count: 0, over: .zero)) },
    { $1.responses[0] = StubResponse(fault: .truncated, afterBytes: -1) },
    { $1.responses[0] = StubResponse(isTemplate: true, statusTemplate: "2") },
    { $1.responses[0].delay = .fixed(.seconds(-1)) },
    { scenario, _ in scenario.name = ScenarioName(unchecked: "a//b") },
    { scenario, _ in scenario.summary = "a\r" },
    { scenario, _ in scenario.tags = [""] },
  ]

  /// The editor and the decoder have one rule for all values but expressions.
  @Test(arguments: changes.indices)
  func whatTheEditorAcceptsCanBeReadBackFromADocument(index: Int) throws {
    var random = RandomScenarios(seed: UInt64(index))
    for _ in 0..<4 {
      var scenario = random.scenario(named: try name("a"))
      var stub = scenario.stubs.popLast() ?? Stub(key: "k")
      Self.changes[index](&scenario, &stub)
      scenario.stubs.append(stub)
      let text = ScenarioDocument.encode(scenario)
      let isReadable = (try? ScenarioDocument.decode(Data(text.utf8))) != nil
      try withCatalog { catalog in
        var error: CatalogError?
        try catalog.edit { editor in
          do throws(CatalogError) { try editor.insert(scenario) } catch let refusal {
            error = refusal
          }
        }
        #expect((error == nil) == isReadable, "\(text)")
        #expect(error == nil || error?.code == .invalidValue)
      }
    }
  }

  @Test func aStubThatNoDocumentCanHoldIsRefusedByItself() throws {
    try withCatalog { catalog in
      let name = try name("a")
      let error = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Stub(key: "k", priority: 0), into: name) }
      }
      #expect(error?.code == .invalidValue)
      #expect(
        error?.message
          == "no document can hold this stub \"k\": /priority: the priority must be 1 or more, not 0"
      )
      #expect(try catalog.scenarios().isEmpty)
    }
  }

  @Test func aValueOfAnEarlierVersionDoesNotPreventOtherChanges() throws {
    let old = Stub(key: "old", priority: 0)
    let connection = try CatalogFormat.current.emptyCatalog()
    let scenario = Scenario(name: try name("a"), stubs: [old, Stub(key: "other")])
    try ScenarioWriter(connection).insert(scenario)
    let digests = try DigestWriter(ScenarioReader(connection: connection, path: "x"))
    digests.noteChange(of: scenario.name)
    try digests.updateCatalog()
    var editor = try CatalogEditor(connection: connection, path: "x")
    let (copy, renamed) = (try name("b"), try name("c"))
    try editor.copy(scenario.name, to: copy)
    try editor.rename(copy, to: renamed)
    try editor.removeStub("other", from: renamed)
    #expect(try editor.scenario(named: renamed)?.stubs == [old])
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
        { $0.recorded = Stub.Recording(at: "2026-11-21") },
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
