import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBMirror
import StubDBModel
import StubDBTransfer
import Testing

struct MirrorJobTests {
  private static func document(summary: String = "é", field: String = "X") -> String {
    #"""
    {"scenario": "b", "stubs": [{"key": "k", "summary": "\#(summary)", "request": {"url": "/a"},
      "responses": [{"headers": {"\#(field)": "1"}}]}]}
    """#
  }

  private static func owner(beside catalog: Catalog) throws -> MirrorOwner {
    let folder = catalog.url.deletingLastPathComponent().appendingPathComponent("texts")
    return try MirrorOwner(of: folder, named: "texts")
  }

  /// A job in a folder that git does not know.
  private static func job(_ catalog: Catalog) throws -> MirrorJob {
    MirrorJob(
      try owner(beside: catalog), of: catalog.url, try CatalogSnapshot(contentsOf: catalog.url),
      history: MirrorJob.History(isEarlier: { _ in false }, leftovers: { [] }))
  }

  private static func take(_ catalog: Catalog) throws -> [String] {
    let job = try MirrorImport(of: owner(beside: catalog)) { _, _ in nil }
    return try job.run(into: catalog.url).map { "\($0.kind.rawValue) \($0.scenario)" }
  }

  private static func write(_ text: String, to catalog: Catalog) throws {
    try catalog.edit { try $0.replace(ScenarioDocument.decode(Data(text.utf8))) }
  }

  @Test func anotherCompositionOfALetterIsADifference() throws {
    try withCatalog(Self.document()) { catalog in
      let changes = try Self.job(catalog).update(overwriting: false).changes
      #expect(changes.added.contains("b.json"))
      let changed = Self.document(summary: "e\u{301}", field: "x")
      try Self.write(changed, to: catalog)
      let differences = try Self.job(catalog).check().differences
      #expect(
        differences.flatMap(\.details) == [
          "stub k: /responses/0/headers/X, /responses/0/headers/x, /summary"
        ])
      #expect(try Self.take(catalog) == ["updated b"])
      #expect(try Self.job(catalog).check().differences.isEmpty)
    }
  }

  @Test func anEditThatWouldBeLostIsRefused() throws {
    try withCatalog(Self.document()) { catalog in
      _ = try Self.job(catalog).update(overwriting: false)
      let file = catalog.url.deletingLastPathComponent().appendingPathComponent("texts/b.json")
      let edited = Self.document(summary: "edited")
      try Data(edited.utf8).write(to: file)
      let job = try Self.job(catalog)
      #expect(try job.hasEdits(job.check()))
      let problem = #expect(throws: MirrorProblem.self) { _ = try job.update(overwriting: false) }
      guard case .edits(_, isReadable: true)? = problem else {
        Issue.record("\(String(describing: problem))")
        return
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == edited)
      #expect(try job.update(overwriting: true).changes.updated == ["b.json"])
    }
  }

  /// Killed before the new catalog had its name.
  @Test func whatAKilledImportLeftGoesWithTheNextOne() throws {
    try withCatalog(Self.document()) { catalog in
      _ = try Self.job(catalog).update(overwriting: false)
      let folder = catalog.url.deletingLastPathComponent()
      try FileManager.default.removeItem(at: catalog.url)
      let left = folder.appendingPathComponent(".shop.stubdb.tmp-1-0A1B2C3D")
      try Data("half a catalog".utf8).write(to: left)
      #expect(try Self.take(catalog) == ["added b"])
      #expect(!FileManager.default.fileExists(atPath: left.path))
      #expect(try catalog.check().isEmpty)
    }
  }

  @Test func documentsThatCannotBePlayedLeaveTheCatalogAsItIs() throws {
    try withCatalog(Self.document()) { catalog in
      _ = try Self.job(catalog).update(overwriting: false)
      try catalog.edit { try $0.removeScenario(ScenarioName(unchecked: "b")) }
      let bytes = try Data(contentsOf: catalog.url)
      let job = try MirrorImport(of: Self.owner(beside: catalog)) { _, _ in "/stubs/0: no" }
      let problem = #expect(throws: MirrorProblem.self) { _ = try job.run(into: catalog.url) }
      guard case .unplayable(path: "b.json", problem: "/stubs/0: no")? = problem else {
        Issue.record("\(String(describing: problem))")
        return
      }
      #expect(try Data(contentsOf: catalog.url) == bytes)
    }
  }
}
