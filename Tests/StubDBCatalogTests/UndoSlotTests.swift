import Foundation
import StubDBModel
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

/// What a process that is killed between two steps of a write leaves.
struct UndoSlotTests {
  @Test func aRecordWhoseCatalogWasNotReplacedDoesNotCount() throws {
    try withCatalog { catalog in
      let root = catalog.url.deletingLastPathComponent().appendingPathComponent("undo")
      let slot = UndoSlot(of: catalog.file.target, in: root)
      func keep(_ command: String) throws -> UndoSlot.Kept {
        let content = try Data(contentsOf: catalog.url)
        return try slot.keep(
          catalog.file.target, content: content, digest: "-", command: command)
      }
      let first = try keep("first")
      try FileManager.default.removeItem(at: catalog.url)
      try Catalog.create(at: catalog.url) { try $0.insert(Scenario(name: try name("a"))) }
      first.finish()
      #expect(try catalog.undoableWrite(in: root)?.record.command == "first")
      // Killed here: the copy is a second name of the catalog, and the earlier one still counts.
      _ = try keep("second")
      #expect(slot.records.map(\.command) == ["second", "first"])
      #expect(try catalog.undoableWrite(in: root)?.record.command == "first")
      slot.removeLinks(to: catalog.file.target)
      #expect(slot.records.map(\.command) == ["first"])
      try keep("third").finish()
      #expect(slot.records.map(\.command) == ["third"])
      slot.clear()
      #expect(!FileManager.default.fileExists(atPath: slot.folder.path))
      #expect(try catalog.undoableWrite(in: root) == nil)
    }
  }
}
