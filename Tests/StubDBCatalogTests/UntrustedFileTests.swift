import CStubDBSQLite
import Foundation
import StubDBEngine
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

/// Damaged and hostile files.
struct UntrustedFileTests {
  @Test(arguments: [(EMFILE, true), (ENFILE, true), (ENOENT, false), (0, false)])
  func tooManyOpenFilesAreNoWrongPath(_ number: Int32, _ areTooMany: Bool) {
    let failure = SQLiteError(
      extendedCode: SQLITE_CANTOPEN, message: "unable to open", systemError: number)
    let error = CatalogError(failure, path: "a.stubdb", doing: "reading")
    #expect(error.message.contains("ulimit -n") == areTooMany)
    #expect(error.message.contains("check the path") != areTooMany)
  }

  /// Names are written into commands, paths and generated source.
  @Test(arguments: ["a/x\") }; f(\"", "a/\u{1B}[31m", "a/b\nc", "a/../b"])
  func namesThatNoScenarioCanHaveAreRefused(_ text: String) throws {
    func reader(of scenario: Scenario) throws -> ScenarioReader {
      let connection = try CatalogFormat.current.emptyCatalog()
      try ScenarioWriter(connection).insert(scenario)
      let reader = ScenarioReader(connection: connection, path: "x")
      let digests = try DigestWriter(reader)
      digests.noteChange(of: scenario.name)
      try digests.updateCatalog()
      return reader
    }
    let named = try reader(of: Scenario(name: ScenarioName(unchecked: text)))
    #expect(throws: SQLiteError.self) { try named.names() }
    #expect(throws: SQLiteError.self) { try named.summaries() }
    let including = try reader(
      of: Scenario(name: try name("a"), includes: [ScenarioReference(unchecked: text)]))
    #expect(throws: SQLiteError.self) { try including.header(try name("a")) }
    #expect(throws: SQLiteError.self) { try including.summaries() }
  }

  /// SQLite gets paths in URIs.
  @Test(arguments: ["a?\u{301}b", "a%\u{301}41", "a#\u{301}b", "a?b%41#c"])
  func aCatalogHasAnyNameThatAFileCanHave(_ file: String) throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("\(file).stubdb")
      let catalog = try Catalog.create(at: url)
      try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      #expect(try Catalog(contentsOf: url).scenarios().map(\.name) == [try name("a")])
      #expect(try files(in: folder) == [url.lastPathComponent])
    }
  }

  @Test func damagedFilesAreReadRightOrRefused() throws {
    try withCatalog { catalog in
      var random = RandomScenarios(seed: 7)
      var scenarios = try (0..<8).map { random.scenario(named: try name("s/\($0)")) }
      // Small files make two thousand rounds fast.
      for (scenario, stub) in scenarios.indices.flatMap({ index in
        scenarios[index].stubs.indices.map { (index, $0) }
      }) {
        scenarios[scenario].stubs[stub].responses.removeAll { $0.body?.byteCount ?? 0 > 1_000 }
      }
      try catalog.edit { editor in
        for scenario in scenarios { try editor.insert(scenario) }
      }
      let summaries = try catalog.scenarios()
      let hits = try catalog.search("a")
      let whole = try Data(contentsOf: catalog.url)
      let copy = catalog.url.deletingLastPathComponent().appendingPathComponent("copy.stubdb")
      var refused = 0
      for round in 0..<2_000 {
        try damage(whole, &random, round).write(to: copy)
        var isRefused = false
        /// A file that is not refused must have the original content.
        func expectRefusal<Value: Equatable>(or value: Value, _ read: () throws -> Value) {
          do {
            let found = try read()
            #expect(found == value, "round \(round)")
          } catch is CatalogError {
            isRefused = true
          } catch {
            Issue.record("round \(round): \(error)")
          }
        }
        expectRefusal(or: summaries) { try Catalog(contentsOf: copy).scenarios() }
        expectRefusal(or: hits) { try Catalog(contentsOf: copy).search("a") }
        for scenario in scenarios {
          expectRefusal(or: scenario) {
            try Catalog(contentsOf: copy).scenario(named: scenario.name)
          }
          expectRefusal(or: scenario.stubs.count) {
            do throws(CatalogError) {
              return try Catalog(contentsOf: copy).load(scenario.name.rawValue).stubCount
            } catch {
              guard error.code == .unplayable else { throw error }
              return scenario.stubs.count  // for what this version cannot play yet
            }
          }
        }
        expectRefusal(or: true) {
          let problems = try Catalog(contentsOf: copy).check()
          return isRefused == false || !problems.isEmpty
        }
        if isRefused { refused += 1 }
      }
      #expect(refused > 500)
    }
  }

  @Test func anEditOfADamagedFileMakesNothingWrongLookRight() throws {
    try withCatalog { catalog in
      var random = RandomScenarios(seed: 11)
      let scenarios = try (0..<6).map { random.scenario(named: try name("s/\($0)")) }
      try catalog.edit { editor in
        for scenario in scenarios { try editor.insert(scenario) }
      }
      let whole = try Data(contentsOf: catalog.url)
      let stub = Stub(key: "new")
      var refused = 0
      for round in 0..<300 {
        try damage(whole, &random, round).write(to: catalog.url)
        do {
          try catalog.edit { try $0.insert(stub, into: scenarios[round % 6].name) }
        } catch is CatalogError {
          refused += 1
          continue
        }
        for (index, scenario) in scenarios.enumerated() {
          var expected = scenario
          if index == round % 6 { expected.stubs.append(stub) }
          do {
            #expect(try catalog.scenario(named: scenario.name) == expected, "round \(round)")
          } catch {
            continue  // still known to be damaged
          }
        }
      }
      #expect(refused > 100 && refused < 300)
    }
  }

  /// Changes some bytes anywhere, in the first page or in the header; or truncates the file.
  private func damage(_ whole: Data, _ random: inout RandomScenarios, _ round: Int) -> Data {
    if round % 4 == 3 { return whole.prefix(random.next(whole.count)) }
    var damaged = whole
    let reach = [whole.count, 4_096, 100][round % 4]
    for _ in 0...random.next(32) {
      damaged[random.next(reach)] = UInt8(truncatingIfNeeded: random.next(256))
    }
    return damaged
  }

  @Test func bytesBehindTheLastPageAreRefused() throws {
    try withCatalog { catalog in
      let whole = try Data(contentsOf: catalog.url)
      for other in [whole + Data(count: 5), whole + Data(count: 4_096), whole.dropLast(5)] {
        try other.write(to: catalog.url)
        let error = #expect(throws: CatalogError.self) { try Catalog(contentsOf: catalog.url) }
        #expect(error?.code == .damaged)
      }
    }
  }

  @Test func aFlippedByteOfABodyIsFound() throws {
    try withCatalog { catalog in
      let text = String(repeating: "needle", count: 100)
      let stub = Stub(key: "k", responses: [StubResponse(body: .text(text))])
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [stub])) }
      var bytes = try Data(contentsOf: catalog.url)
      let place = try #require(bytes.range(of: Data("needle".utf8)))
      bytes[place.lowerBound] = UInt8(ascii: "N")
      try bytes.write(to: catalog.url)
      let error = #expect(throws: CatalogError.self) { try catalog.load("a") }
      #expect(error?.code == .damaged)
      #expect(try catalog.check().isEmpty == false)
    }
  }

  @Test(arguments: [
    "CREATE VIEW extra AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON stub BEGIN DELETE FROM body; END",
    "DROP TABLE include; CREATE VIEW include AS SELECT 1 AS scenario_id, 1 AS position, 'x' AS name",
    "CREATE TABLE extra (a)",
    "CREATE INDEX extra ON stub (key)",
    "ALTER TABLE stub ADD COLUMN evil TEXT GENERATED ALWAYS AS (key) VIRTUAL",
    "CREATE VIRTUAL TABLE extra USING fts5(a)",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'key TEXT', 'key ANY')",
    "DROP TABLE include",
  ])
  func everyOtherSchemaIsRefused(sql: String) throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k")])) }
      let connection = try Connection(path: catalog.url.path, mode: .readWrite)
      try connection.execute(sql)
      let reading = #expect(throws: CatalogError.self) { try Catalog(contentsOf: catalog.url) }
      #expect(reading?.code == .damaged)
      let writing = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Scenario(name: try name("b"))) }
      }
      #expect(writing?.code == .damaged)
    }
  }

  @Test(arguments: ["", "not a database", String(repeating: "SQLite format 3\0", count: 500)])
  func whatIsNoDatabaseIsRefused(text: String) throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("a.stubdb")
      try Data(text.utf8).write(to: url)
      let error = #expect(throws: CatalogError.self) { try Catalog(contentsOf: url) }
      #expect([.notACatalog, .damaged].contains(error?.code))
    }
  }

  @Test func anotherApplicationsDatabaseIsRefused() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("a.stubdb")
      try Connection(path: url.path, mode: .create).execute("CREATE TABLE t (a)")
      let error = #expect(throws: CatalogError.self) { try Catalog(contentsOf: url) }
      #expect(error?.code == .notACatalog)
    }
  }

  @Test func aScenarioUnderAWrongIDIsDamagedAndNotMissing() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k")])) }
      try Connection(path: catalog.url.path, mode: .readWrite).execute(
        "UPDATE scenario SET id = id + 1")
      let reading = #expect(throws: CatalogError.self) {
        try catalog.scenario(named: try name("a"))
      }
      #expect(reading?.code == .damaged)
      #expect(reading?.message.contains("the scenario \"a\"") == true)
      let loading = #expect(throws: CatalogError.self) { try catalog.load("a") }
      #expect(loading?.code == .damaged)
      let writing = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.removeScenario(try name("a")) }
      }
      #expect(writing?.code == .damaged)
    }
  }

  @Test func aPageThatNamesAnImpossibleOneIsNoFullDisk() throws {
    try withCatalog { catalog in
      let body = ResponseBody.text(String(repeating: "L", count: 20_000))
      let stub = Stub(key: "k", responses: [StubResponse(body: body)])
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [stub])) }
      var bytes = try Data(contentsOf: catalog.url)
      // A page of the body begins with the number of the next one.
      let page = try #require(
        stride(from: 0, to: bytes.count, by: 4_096).first { start in
          bytes[start] == 0 && bytes[start + 3] != 0
            && bytes[(start + 4)..<(start + 4_096)].allSatisfy { $0 == UInt8(ascii: "L") }
        })
      bytes[page] ^= 0x80
      try bytes.write(to: catalog.url)
      let error = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Scenario(name: try name("b"))) }
      }
      #expect(error?.code == .damaged, "\(String(describing: error))")
    }
  }
}
