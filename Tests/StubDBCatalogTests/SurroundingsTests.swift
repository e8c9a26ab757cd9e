import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBModel
import StubDBTestSupport
import Testing

/// The effects of the file system and of git on a catalog.
@Suite(.serialized)
struct SurroundingsTests {
  static let isRoot = geteuid() == 0

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func aReadOnlyFolderIsReadByAnUnprivilegedUser() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k")])) }
      let folder = catalog.url.deletingLastPathComponent()
      chmod(catalog.url.path, 0o444)
      chmod(folder.path, 0o555)
      defer { chmod(folder.path, 0o755) }
      let reader = try Worker("read-as-nobody", catalog.url.path).finish()
      #expect(reader.status == 0, "\(reader.errorCode)")
      #expect(reader.lines == ["a"])
      for permissions in [0o444, 0o666] as [mode_t] {
        chmod(catalog.url.path, permissions)
        let writer = try Worker("edit-as-nobody", catalog.url.path, "x").finish()
        #expect(writer.status == 1)
        #expect(writer.errorCode == "readOnly")
      }
      #expect(try files(in: folder) == ["shop.stubdb"])
    }
  }

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func aFolderThatCannotBeListedHoldsACatalogThatIsEdited() throws {
    try withCatalog { catalog in
      let folder = catalog.url.deletingLastPathComponent()
      chmod(catalog.url.path, 0o666)
      chmod(folder.path, 0o733)
      defer { chmod(folder.path, 0o755) }
      let writer = try Worker("edit-as-nobody", catalog.url.path, "x").finish()
      #expect(writer.status == 0, "\(writer.errorCode)")
      #expect(try catalog.scenarios().count == 1)
    }
  }

  @Test func aFullDiskIsAClearErrorAndChangesNothing() throws {
    try withCatalog { catalog in
      try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [Stub(key: "k")])) }
      let before = try Data(contentsOf: catalog.url)
      // The limit on the size of the process's files.
      let result = try Worker("edit-limited", catalog.url.path, "x", "65536").finish()
      #expect(result.status == 1)
      #expect(["diskFull", "inputOutput"].contains(result.errorCode))
      #expect(try Data(contentsOf: catalog.url) == before)
      #expect(try catalog.check().isEmpty)
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test(.enabled(if: isRoot && FileManager.default.fileExists(atPath: "/bin/mount"), "needs mount"))
  func aFullFileSystemIsAClearErrorAndChangesNothing() throws {
    try withTemporaryFolder { folder in
      guard try run("/bin/mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", folder.path) == 0
      else { return }  // A container may forbid it; the test above covers the write itself.
      defer { _ = try? run("/bin/umount", folder.path) }
      let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      let before = try Data(contentsOf: catalog.url)
      let error = #expect(throws: CatalogError.self) {
        try catalog.edit { editor in
          let body = ResponseBody.text(String(repeating: "x", count: 400_000))
          let stub = Stub(key: "k", responses: [StubResponse(body: body)])
          try editor.insert(Scenario(name: try name("a"), stubs: [stub]))
        }
      }
      #expect(error?.code == .diskFull)
      #expect(try Data(contentsOf: catalog.url) == before)
      #expect(try files(in: folder) == ["shop.stubdb"])
    }
  }

  @Test func aCheckoutUnderAnOpenCatalogHurtsNeitherReaderNorWriter() throws {
    try withTemporaryFolder { folder in
      func git(_ arguments: String...) throws {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        let all = ["-C", folder.path] + identity + arguments
        #expect(try Program.run("/usr/bin/git", all) == 0, "git \(arguments)")
      }
      let large = ResponseBody.text(String(repeating: "large ", count: 20_000))
      let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      try catalog.edit { editor in
        let stub = Stub(key: "k", responses: [StubResponse(body: large)])
        try editor.insert(Scenario(name: try name("one"), stubs: [stub]))
      }
      try git("init", "-q", "-b", "one")
      try git("add", "shop.stubdb")
      try git("commit", "-qm", "one")
      try git("checkout", "-qb", "two")
      try catalog.edit { editor in
        try editor.removeScenario(try name("one"))
        try editor.insert(Scenario(name: try name("two")))
      }
      try git("commit", "-qam", "two")
      try git("checkout", "-q", "one")

      // The reader keeps what it loaded.
      let loaded = try catalog.load("one")
      try git("checkout", "-q", "two")
      guard
        case .respond(let selection) = loaded.run().respond(to: StubRequest(url: "https://h/")),
        let body = selection.response.body
      else {
        Issue.record("the stub does not answer")
        return
      }
      #expect(try loaded.body(of: body).count == large.byteCount)
      #expect(try catalog.scenarios().map(\.name.rawValue) == ["two"])

      // A writer that was overtaken reports it, and keeps the file of the checkout.
      let error = #expect(throws: CatalogError.self) {
        try catalog.edit { editor in
          try editor.insert(Scenario(name: try name("three")))
          try git("checkout", "-q", "one")
        }
      }
      #expect(error?.code == .replaced)
      #expect(try catalog.scenarios().map(\.name.rawValue) == ["one"])
      try git("diff", "--exit-code")
      try catalog.edit { try $0.insert(Scenario(name: try name("three"))) }
      #expect(try catalog.scenarios().map(\.name.rawValue) == ["one", "three"])
      #expect(try files(in: folder) == [".git", "shop.stubdb"])
    }
  }

  @Test func aSymbolicLinkStaysAndItsTargetIsEdited() throws {
    try withCatalog { catalog in
      let link = catalog.url.deletingLastPathComponent().appendingPathComponent("link.stubdb")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: catalog.url)
      chmod(catalog.url.path, 0o640)
      try Catalog(contentsOf: link).edit { try $0.insert(Scenario(name: try name("a"))) }
      #expect(try catalog.scenarios().count == 1)
      let attributes = try FileManager.default.attributesOfItem(atPath: link.path)
      #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
      let target = try FileManager.default.attributesOfItem(atPath: catalog.url.path)
      #expect((target[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    }
  }

  @Test func pathsMayHoldAnything() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("a ?#%25 ü'\".stubdb")
      let catalog = try Catalog.create(at: url)
      try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      #expect(try Catalog(contentsOf: url).scenarios().count == 1)
      #expect(throws: CatalogError.self) { try Catalog.create(at: url) }
    }
  }

  private func run(_ path: String, _ arguments: String...) throws -> Int32 {
    try Program.run(path, arguments)
  }
}
