import Foundation
import StubDBFiles
import StubDBModel
import StubDBSupport
import StubDBTestSupport
import Testing

@testable import StubDBCatalog
@testable import StubDBCatalogEditing

/// The temporary file beside a catalog, and the attributes of the catalog.
@Suite(.serialized)
struct TemporaryFileTests {
  @Test func whatAKilledWriterLeavesIsPrivateAndGoesWithTheNextEdit() throws {
    try withCatalog { catalog in
      try withTemporaryFolder { elsewhere in
        let folder = catalog.url.deletingLastPathComponent()
        let link = elsewhere.appendingPathComponent("link.stubdb")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: catalog.url)
        let secret = ResponseBody.text(String(repeating: "secret ", count: 10_000))
        let stub = Stub(key: "k", responses: [StubResponse(body: secret)])
        try catalog.edit { try $0.insert(Scenario(name: try name("a"), stubs: [stub])) }
        chmod(catalog.url.path, 0o600)
        for path in [catalog.url.path, link.path] {
          // Stopped by the system while writing the file.
          let worker = try Worker("edit-killed", path, "x", "65536").finish()
          #expect(worker.status == SIGXFSZ)
          let left = try files(in: folder).filter { $0 != "shop.stubdb" }
          #expect(left.contains { $0.hasPrefix(".shop.stubdb.tmp-") })
          for name in left {
            #expect(try permissions(folder.appendingPathComponent(name)) == 0o600, "\(name)")
          }
          // Another process has its id now.
          for name in left where !name.hasSuffix("-journal") {
            try FileManager.default.moveItem(
              at: folder.appendingPathComponent(name),
              to: folder.appendingPathComponent(".shop.stubdb.tmp-1-ABCDEF01"))
          }
          // Even an edit that changes nothing does so.
          try Catalog(contentsOf: link).edit { _ in }
          #expect(try files(in: folder) == ["shop.stubdb"])
        }
        #expect(try files(in: elsewhere) == ["link.stubdb"])
      }
    }
  }

  @Test func whatALiveWriterWritesStays() throws {
    try withCatalog { catalog in
      let temporary = try TemporaryFile(beside: catalog.url.path)
      try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      #expect(FileManager.default.fileExists(atPath: temporary.path))
      temporary.remove()
      #expect(try files(in: catalog.url.deletingLastPathComponent()) == ["shop.stubdb"])
    }
  }

  @Test func aCatalogThatIsMadeHasThePermissionsOfAnyFile() throws {
    try withCatalog { catalog in
      let other = catalog.url.deletingLastPathComponent().appendingPathComponent("other")
      #expect(close(open(other.path, O_CREAT | O_WRONLY, 0o644)) == 0)
      let expected = try permissions(other)
      #expect(try permissions(catalog.url) == expected)
    }
  }

  @Test func aCatalogWithTwoNamesIsRefusedUntilItIsAFileOfItsOwn() throws {
    try withCatalog { catalog in
      let folder = catalog.url.deletingLastPathComponent()
      let second = folder.appendingPathComponent("it's.stubdb")
      try FileManager.default.linkItem(at: catalog.url, to: second)
      let before = try Data(contentsOf: catalog.url)
      for url in [catalog.url, second] {
        let error = #expect(throws: CatalogError.self) {
          try Catalog(contentsOf: url).edit { try $0.insert(Scenario(name: try name("a"))) }
        }
        #expect(error?.code == .hardLinked)
        #expect(error?.message.contains("it has 2 names (hard links)") == true)
      }
      #expect(try Data(contentsOf: second) == before)
      let error = #expect(throws: CatalogError.self) {
        try Catalog(contentsOf: second).edit { _ in }
      }
      let command = try #require(error?.message.components(separatedBy: "of its own: ").last)
      #expect(try Program.run("/bin/sh", ["-c", command]) == 0)
      try Catalog(contentsOf: second).edit { try $0.insert(Scenario(name: try name("a"))) }
      #expect(try catalog.scenarios().isEmpty)
      #expect(try files(in: folder) == ["it's.stubdb", "shop.stubdb"])
    }
  }

  @Test func aSecondNameThatAKilledCreationLeftIsRemoved() throws {
    try withCatalog { catalog in
      let folder = catalog.url.deletingLastPathComponent()
      try FileManager.default.linkItem(
        at: catalog.url, to: folder.appendingPathComponent(".shop.stubdb.tmp-1-ABCDEF01"))
      try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
      #expect(try files(in: folder) == ["shop.stubdb"])
    }
  }

  @Test func aFailureAfterTheWriteDoesNotDenyIt() throws {
    try withTemporaryFolder { folder in
      let path = folder.appendingPathComponent("gone/shop.stubdb").path
      let failure = #expect(throws: FileWriteError.self) {
        try TemporaryFile.synchronizeFolder(of: path)
      }
      let error = CatalogError(try #require(failure))
      #expect(error.code == .inputOutput)
      #expect(error.message.contains("\(path) was written, but its folder"))
      #expect(!error.message.contains("not changed"))
    }
  }

  #if os(Linux)
    // Swift's module of the C library does not declare these.
    private typealias Set =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
      ) -> Int32
    private typealias Get =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
      ) -> Int

    @Test func extendedAttributesStay() throws {
      let set = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: Set.self)
      let get = unsafeBitCast(try #require(dlsym(nil, "getxattr")), to: Get.self)
      try withCatalog { catalog in
        let path = catalog.url.path
        let values = [
          "user.note": "why", "user.empty": "", "user.long": String(repeating: "x", count: 900),
        ]
        for (name, value) in values {
          // Some file systems of containers do not support it.
          guard set(path, name, value, value.utf8.count, 0) == 0 else { return }
        }
        try catalog.edit { try $0.insert(Scenario(name: try name("a"))) }
        for (name, value) in values {
          var bytes = [UInt8](repeating: 0, count: 1_000)
          let count = get(path, name, &bytes, bytes.count)
          #expect(count == value.utf8.count, "\(name)")
          #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == value)
        }
      }
    }
  #endif

  private func permissions(_ url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}
