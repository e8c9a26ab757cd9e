import Foundation
import StubDBEngine
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

/// Files that other programs leave beside a catalog.
@Suite(.serialized)
struct SidecarTests {
  @Test func whatAKilledProgramWroteIsTakenBackByAReader() throws {
    try withInterrupted { catalog, scenario, whole in
      let halfWritten = try Data(contentsOf: catalog.url)
      #expect(halfWritten != whole)
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try Data(contentsOf: catalog.url) == whole)
      #expect(try catalog.check() == [])
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func whatAKilledProgramWroteIsTakenBackByAnEdit() throws {
    try withInterrupted { catalog, scenario, _ in
      try catalog.edit { try $0.insert(Scenario(name: try name("new"))) }
      #expect(try catalog.scenario(named: scenario.name) == scenario)
      #expect(try catalog.check() == [])
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func theJournalBesideTheTargetOfALinkCounts() throws {
    try withInterrupted { catalog, scenario, _ in
      try withTemporaryFolder { folder in
        let link = folder.appendingPathComponent("link.stubdb")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: catalog.url)
        #expect(try Catalog(contentsOf: link).scenario(named: scenario.name) == scenario)
        #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
      }
    }
  }

  @Test func aJournalThatIsNoneIsRemovedAndTheCatalogStays() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k")])) }
      let before = try Data(contentsOf: catalog.url)
      var random = RandomScenarios(seed: 5)
      for byteCount in [1, 27, 512, 8_192] {
        let garbage = Data((0..<byteCount).map { _ in UInt8(1 + random.next(255)) })
        try garbage.write(to: URL(fileURLWithPath: catalog.url.path + "-journal"))
        #expect(try catalog.scenarios().count == 1)
        #expect(try catalog.load("a").stubCount == 1)
        try catalog.edit { try $0.insert(Scenario(name: try name("b"))) }
        try catalog.edit { try $0.removeScenario(try name("b")) }
        #expect(try Data(contentsOf: catalog.url) == before)
        #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
      }
    }
  }

  @Test func aLogThatIsNoneIsRemovedAndTheCatalogStays() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k")])) }
      let before = try Data(contentsOf: catalog.url)
      for garbage in [Data("x".utf8), Data(repeating: 0x37, count: 5_000)] {
        let log = URL(fileURLWithPath: catalog.url.path + "-wal")
        try garbage.write(to: log)
        #expect(try catalog.load("a").stubCount == 1)
        #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
        try garbage.write(to: log)
        try catalog.edit { try $0.insert(Scenario(name: try name("b"))) }
        try catalog.edit { try $0.removeScenario(try name("b")) }
        #expect(try Data(contentsOf: catalog.url) == before)
        #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
      }
    }
  }

  @Test func aJournalThatWasNeverBegunGoesWithTheNextEdit() throws {
    try withCatalog { catalog in
      for journal in [Data(), Data(count: 512), Data(count: 4) + Data("rest".utf8)] {
        try journal.write(to: URL(fileURLWithPath: catalog.url.path + "-journal"))
        #expect(try catalog.scenarios().isEmpty)
        #expect(catalog.file.identity != nil)
        try catalog.edit { _ in }
        #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
      }
    }
  }

  @Test(.enabled(if: SurroundingsTests.isRoot, "needs root to become another user"))
  func whoMayNotWriteIsToldWhatToDo() throws {
    try withInterrupted { catalog, _, whole in
      let folder = catalog.url.deletingLastPathComponent()
      chmod(folder.path, 0o555)
      defer { chmod(folder.path, 0o755) }
      for verb in ["read-as-nobody", "edit-as-nobody"] {
        let reader = try Worker(verb, catalog.url.path, "x").finish()
        #expect(reader.status == 1)
        #expect(reader.errorCode == "unfinishedWrite")
        #expect(
          reader.lines == [
            "another program was stopped while it wrote the catalog \(catalog.url.path), and its "
              + "write has to be rolled back; that is not possible without writing into its folder; "
              + "do not delete \(catalog.url.path)-journal; run with write permission: "
              + "sqlite3 \(catalog.url.path) 'select count(*) from sqlite_master'"
          ])
      }
      // The effect of the command in the message.
      let connection = try Connection(path: catalog.url.path, mode: .readWrite)
      _ = try connection.integer("SELECT count(*) FROM sqlite_master")
      #expect(try Data(contentsOf: catalog.url) == whole)
    }
  }

  @Test func aJournalThatNamesAnotherFileHasNothingRemoved() throws {
    try withInterrupted { catalog, _, _ in
      let folder = catalog.url.deletingLastPathComponent()
      let victim = folder.appendingPathComponent("victim")
      try Data("precious".utf8).write(to: victim)
      // The end of a journal that belongs to several files, whose list SQLite removes.
      let path = Array(victim.path.utf8)
      func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      }
      let sum = path.reduce(0) { $0 + Int($1) }
      let end =
        bigEndian(1 << 18) + path + bigEndian(path.count) + bigEndian(sum)
        + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
      let journal = URL(fileURLWithPath: catalog.url.path + "-journal")
      try (try Data(contentsOf: journal) + Data(end)).write(to: journal)
      let reading = #expect(throws: CatalogError.self) { try catalog.scenarios() }
      #expect(reading?.code == .unfinishedWrite)
      let writing = #expect(throws: CatalogError.self) {
        try catalog.edit { try $0.insert(Scenario(name: try name("b"))) }
      }
      #expect(writing?.code == .unfinishedWrite)
      #expect(try files(in: folder) == ["shop.stubdb", "shop.stubdb-journal", "victim"])
    }
  }

  @Test func readingAFileInWALModeLeavesNothingBesideIt() throws {
    try withCatalog { catalog in
      let large = ResponseBody.text(String(repeating: "large ", count: 20_000))
      let stub = Stub(key: "k", responses: [StubResponse(body: large)])
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [stub])) }
      try Connection(path: catalog.url.path, mode: .readWrite)
        .execute("PRAGMA journal_mode = WAL")
      let before = try Data(contentsOf: catalog.url)
      let folder = catalog.url.deletingLastPathComponent()
      #expect(try catalog.scenarios().count == 1)
      #expect(try catalog.check() == [])
      #expect(try catalog.search("large").count == 1)
      #expect(try catalog.load("a").stubCount == 1)
      #expect(try CatalogSnapshot(contentsOf: catalog.url).scenarios.count == 1)
      #expect(try files(in: folder) == ["shop.stubdb"])
      #expect(try Data(contentsOf: catalog.url) == before)
      chmod(catalog.url.path, 0o444)
      #expect(try catalog.scenarios().count == 1)
      #expect(try files(in: folder) == ["shop.stubdb"])
    }
  }

  @Test func whatTheLogOfALiveWriterHoldsIsRead() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      let other = try Connection(path: catalog.url.path, mode: .readWrite)
      try other.execute("PRAGMA journal_mode = WAL; UPDATE scenario SET summary = 'why'")
      // The digests show that it was read.
      #expect(throws: CatalogError.self) { try catalog.scenarios() }
      try other.execute("UPDATE scenario SET summary = NULL")
      #expect(try catalog.scenarios().count == 1)
    }
  }

  /// Runs the closure with a catalog whose writer was killed while writing, its scenario, and its previous bytes.
  private func withInterrupted(_ body: (Catalog, Scenario, Data) throws -> Void) throws {
    try withCatalog { original in
      let stubs = (0..<300).map { index in
        Stub(
          key: "k\(index)", summary: String(repeating: "s", count: 500),
          request: RequestPattern(path: .template("/\(index)")))
      }
      let scenario = Scenario(name: try name("a"), stubs: stubs)
      try original.edit { try $0.insert(scenario) }
      let whole = try Data(contentsOf: original.url)
      let connection = try Connection(path: original.url.path, mode: .readWrite)
      // More pages than the cache can hold are written to the file before the end.
      try connection.execute(
        "PRAGMA cache_size = 2; BEGIN; UPDATE stub SET summary = upper(summary), priority = 9")
      try withTemporaryFolder { folder in
        let copy = folder.appendingPathComponent("shop.stubdb")
        for end in ["", "-journal"] {
          try FileManager.default.copyItem(atPath: original.url.path + end, toPath: copy.path + end)
        }
        try body(
          Catalog(unchecked: copy, format: .current, loaded: LoadedScenarios()), scenario, whole)
      }
    }
  }
}
