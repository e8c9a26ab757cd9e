import Foundation
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing
@testable import StubDBEngine

/// Loading again gives the same value as long as the file is the same, and never anything older than the file.
struct LoadedScenariosTests {
  @Test func aFileThatIsStillTheSameIsReadOnce() throws {
    try withShop { catalog in
      let first = try catalog.load("shop/open")
      #expect(try catalog.load("shop/open").stubs === first.stubs)
      #expect(try catalog.load("shop/closed").stubs !== first.stubs)
      let overlaid = try catalog.load("shop/open", overlays: ["shop/closed"])
      #expect(overlaid.stubs !== first.stubs)
      #expect(overlaid.stubCount == 2)
      #expect(catalog.isKnown)
    }
  }

  @Test func aLimitOfNothingKeepsNothing() throws {
    try withShop { catalog in
      let scenario = try catalog.load("shop/open")
      let identity = try #require(catalog.file.identity)
      let kept = LoadedScenarios(now: { .distantFuture })
      let keys = ["a", "b"].map { LoadedScenarios.Key(path: "p", version: 1, names: [$0]) }
      for key in keys { kept.keep(scenario, as: key, of: identity, byteCount: 100) }
      #expect(keys.map { kept.scenario($0, of: identity) != nil } == [true, true])
      kept.setLimit(150)
      #expect(keys.map { kept.scenario($0, of: identity) != nil } == [false, true])
      kept.setLimit(0)
      kept.keep(scenario, as: keys[0], of: identity, byteCount: 0)
      #expect(keys.map { kept.scenario($0, of: identity) != nil } == [false, false])
    }
  }

  /// Changes to a file that keep its length, and often the time of its last change.
  enum Change: CaseIterable {
    case edit, replacement, bytes, journal
  }

  @Test(arguments: Change.allCases)
  func everyChangeOfTheFileIsSeen(_ change: Change) throws {
    try withShop { catalog in
      _ = try catalog.load("shop/open")
      let changed = try changed(catalog)
      switch change {
      case .edit:
        try catalog.edit { try replaceScenario(in: &$0) }
      case .replacement:
        try keepingTimes(of: catalog.url) {
          let beside = catalog.url.appendingPathExtension("new")
          try changed.write(to: beside)
          _ = rename(beside.path, catalog.url.path)
        }
      case .bytes:
        // Until the clock of the file system has advanced.
        let before = catalog.file.identity
        for _ in 0..<100_000 where catalog.file.identity == before {
          try keepingTimes(of: catalog.url) { try overwrite(catalog.url, with: changed) }
        }
      case .journal:
        try Data("something".utf8).write(to: URL(fileURLWithPath: catalog.url.path + "-journal"))
      }
      #expect(!catalog.isKnown)
      guard change != .journal else {
        // SQLite tries to roll it back first; since it is not a journal, it is only removed.
        #expect(try catalog.load("shop/open").stubs.sources.map(\.stub.summary) != ["changed"])
        #expect(!FileManager.default.fileExists(atPath: catalog.url.path + "-journal"))
        return
      }
      #expect(try catalog.load("shop/open").stubs.sources.map(\.stub.summary) == ["changed"])
    }
  }

  @Test func aFileThatWasJustChangedIsReadEveryTime() throws {
    try withCatalog { catalog in
      try insertScenarios(into: catalog)
      let changed = try changed(catalog)
      let first = try catalog.load("shop/open")
      #expect(try catalog.load("shop/open").stubs !== first.stubs)
      try overwrite(catalog.url, with: changed)
      #expect(try catalog.load("shop/open").stubs.sources.map(\.stub.summary) == ["changed"])
    }
  }

  @Test func whatWasUsedLastIsKept() throws {
    try withShop { catalog in
      let identity = try #require(catalog.file.identity)
      let pool = LoadedScenarios(now: { .distantFuture })
      let key = { LoadedScenarios.Key(path: "shop.stubdb", version: 1, names: [$0]) }
      let scenario = LoadedScenario(emptyNamed: try name("shop/open"))
      for number in 0..<3 {
        pool.keep(scenario, as: key("\(number)"), of: identity, byteCount: 20 << 20)
      }
      #expect(pool.scenario(key("0"), of: identity) != nil)
      pool.keep(scenario, as: key("3"), of: identity, byteCount: 20 << 20)
      pool.keep(scenario, as: key("too large"), of: identity, byteCount: 65 << 20)
      let kept = ["0", "1", "2", "3", "too large"].map {
        pool.scenario(key($0), of: identity) != nil
      }
      #expect(kept == [true, false, true, true, false])
    }
  }

  // MARK: Files

  /// A catalog that assumes its file is old.
  private func withShop(_ body: (Catalog) throws -> Void) throws {
    try withCatalog { catalog in
      try insertScenarios(into: catalog)
      let pool = LoadedScenarios(now: { .distantFuture })
      try body(Catalog(contentsOf: catalog.url, format: .current, loaded: pool))
    }
  }

  private func insertScenarios(into catalog: Catalog) throws {
    try catalog.edit { editor in
      try editor.insert(scenario(named: "shop/open", summary: "written"))
      try editor.insert(scenario(named: "shop/closed", summary: "written"))
    }
  }

  private func scenario(named text: String, summary: String) throws -> Scenario {
    Scenario(name: try name(text), stubs: [Stub(key: "door", summary: summary)])
  }

  private func replaceScenario(in editor: inout CatalogEditor) throws {
    try editor.replace(scenario(named: "shop/open", summary: "changed"))
  }

  /// The bytes of the same catalog with the scenario changed, with the same length.
  private func changed(_ catalog: Catalog) throws -> Data {
    let copy = catalog.url.deletingLastPathComponent().appendingPathComponent("copy.stubdb")
    try FileManager.default.copyItem(at: catalog.url, to: copy)
    try Catalog(contentsOf: copy).edit { try replaceScenario(in: &$0) }
    let bytes = try Data(contentsOf: copy)
    #expect(bytes.count == (try Data(contentsOf: catalog.url)).count)
    return bytes
  }

  private func overwrite(_ url: URL, with bytes: Data) throws {
    let handle = try FileHandle(forWritingTo: url)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  private func keepingTimes(of url: URL, _ body: () throws -> Void) throws {
    let manager = FileManager.default
    let date = try manager.attributesOfItem(atPath: url.path)[.modificationDate]
    try body()
    try manager.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: url.path)
  }
}
