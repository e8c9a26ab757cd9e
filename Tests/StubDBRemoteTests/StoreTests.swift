import Foundation
import StubDBJobs
import StubDBSupport
import Testing

@testable import StubDBRemote

/// What all stores do, by a folder and by a bucket of ``BucketServer``.
struct StoreTests {
  private static let folder = TemporaryFolder()

  private static func store(_ kind: String, _ server: BucketServer) throws -> any RemoteStore {
    if kind == "file" {
      return FolderStore(
        Self.folder.url.appendingPathComponent(UUID().uuidString, isDirectory: true))
    }
    let stores = RemoteStores(environment: BucketServer.environment, client: server.client)
    return try stores.store(of: RemoteURL(parsing: "s3://stubs/team/shop"))
  }

  @Test(arguments: ["file", "s3"])
  func conditionsOfWritesAreHonoured(kind: String) throws {
    let store = try Self.store(kind, BucketServer())
    #expect(try store.read("shop.json", limit: 10) == nil)
    #expect(try store.size(of: "shop.json") == .missing)
    #expect(try store.write(.data(Data("one".utf8)), to: "shop.json", if: .isAbsent) == .written)
    #expect(try store.write(.data(Data("two".utf8)), to: "shop.json", if: .isAbsent) == .refused)
    #expect(try store.size(of: "shop.json") == .bytes(3))
    let one = try #require(try store.read("shop.json", limit: 10))
    #expect(one.data == Data("one".utf8))
    let version = try #require(one.version)
    #expect(
      try store.write(.data(Data("two".utf8)), to: "shop.json", if: .isVersion(version)) == .written
    )
    #expect(
      try store.write(.data(Data("three".utf8)), to: "shop.json", if: .isVersion(version))
        == .refused)
    #expect(
      try store.write(.data(Data("four".utf8)), to: "none.json", if: .isVersion(version))
        == .refused)
    #expect(try store.read("shop.json", limit: 10)?.data == Data("two".utf8))
    #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 2) }
    let impossible = try store.impossibleVersion()
    for condition in [WriteCondition.isAbsent, .isVersion(impossible)] {
      #expect(try keepsProbing(store, condition))
    }
    #expect(try store.catalogNames() == ["shop"])
  }

  private func keepsProbing(_ store: any RemoteStore, _ condition: WriteCondition) throws -> Bool {
    try store.keepProbing(Data("a commit".utf8), at: "objects/a.json", probing: condition)
  }

  @Test func aStoreWithoutConditionsIsNoticed() throws {
    for (broken, condition) in [
      (BucketServer.Fault.ignoresIfMatch, WriteCondition.isVersion(StoreVersion("\"none\""))),
      (.ignoresIfNoneMatch, .isAbsent),
    ] {
      let store = try Self.store("s3", BucketServer(faults: [broken]))
      #expect(try !keepsProbing(store, condition))
    }
  }

  @Test(arguments: ["file", "s3"])
  func aDownloadIsTheWholeContent(kind: String) throws {
    let store = try Self.store(kind, BucketServer(faults: [.tearsDownloads]))
    let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    _ = try store.write(.data(content), to: "objects/a", if: .isAbsent)
    let file = Self.folder.url.appendingPathComponent(UUID().uuidString)
    try Data(content.prefix(10)).write(to: file)
    #expect(try store.download("objects/a", to: file, limit: 100_000) { _ in })
    #expect(try Data(contentsOf: file) == content)
    #expect(try !store.download("objects/none", to: file, limit: 100_000) { _ in })
  }

  @Test(arguments: ["file", "s3"])
  func aDownloadThatIsTooLongLeavesNothing(kind: String) throws {
    let store = try Self.store(kind, BucketServer())
    _ = try store.write(.data(Data("a catalog".utf8)), to: "objects/a", if: .isAbsent)
    let file = Self.folder.url.appendingPathComponent(UUID().uuidString)
    for beginning in ["", "a cat", "a catalog and more"] {
      try Data(beginning.utf8).write(to: file)
      let error = #expect(throws: RemoteError.self) {
        try store.download("objects/a", to: file, limit: 8) { _ in }
      }
      #expect(error?.code == .damaged)
      #expect(
        error?.message.hasSuffix("has more than the 8 bytes that are expected; it was not used")
          == true)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    try Data("a catalog and more".utf8).write(to: file)
    #expect(try store.download("objects/a", to: file, limit: 9) { _ in })
    #expect(try Data(contentsOf: file) == Data("a catalog".utf8))
    #expect(try store.download("objects/a", to: file, limit: .max) { _ in })
  }

  @Test func aFolderGivesRegularFilesOnly() throws {
    let store = FolderStore(Self.folder.url.appendingPathComponent(UUID().uuidString))
    _ = try store.write(.data(Data("one".utf8)), to: "real", if: .isAbsent)
    let manager = FileManager.default
    for (name, target) in [
      ("endless.json", "/dev/zero"), ("folder.json", "."), ("link.json", "real"),
      ("none.json", "nowhere"),
    ] {
      try manager.createSymbolicLink(
        atPath: store.folder.appendingPathComponent(name).path, withDestinationPath: target)
    }
    #expect(mkfifo(store.folder.appendingPathComponent("pipe.json").path, 0o600) == 0)
    let file = Self.folder.url.appendingPathComponent(UUID().uuidString)
    for name in ["endless.json", "folder.json", "pipe.json"] {
      for read in [
        { _ = try store.read(name, limit: 10) },
        { _ = try store.download(name, to: file, limit: 10) { _ in } },
        { _ = try store.write(.data(Data()), to: name, if: .isVersion(StoreVersion("1"))) },
      ] {
        let error = #expect(throws: RemoteError.self) { try read() }
        #expect(error?.message.hasSuffix("is no regular file; it was not read") == true)
      }
    }
    #expect(try store.read("link.json", limit: 3)?.data == Data("one".utf8))
    #expect(try store.read("none.json", limit: 3) == nil)
    #expect(try store.read("real/none.json", limit: 3) == nil)
  }

  @Test func manyWritersOfAFolderTakeTurns() throws {
    let store = FolderStore(Self.folder.url.appendingPathComponent(UUID().uuidString))
    _ = try store.write(.data(Data("0".utf8)), to: "n.json", if: .isAbsent)
    // Each adds one, and tries again when it is refused.
    let ignored: (Int) -> Void = { _ in }
    let results = ParallelWork.values(20, perThread: 1, progress: ignored) { _ in
      Result {
        while true {
          guard let stored = try store.read("n.json", limit: 10), let version = stored.version,
            let number = Int(String(decoding: stored.data, as: UTF8.self))
          else { return }
          let next = StoredSource.data(Data("\(number + 1)".utf8))
          if try store.write(next, to: "n.json", if: .isVersion(version)) == .written { return }
        }
      }
    }
    for result in results { try #require(result).get() }
    #expect(try store.read("n.json", limit: 10)?.data == Data("20".utf8))
  }

  @Test func failuresThatPassAreTriedAgainWithGrowingWaits() throws {
    let server = BucketServer(faults: [.isBusy(times: 4)])
    let waits = Locked<[Double]>([])
    let client = RetryingClient(
      transport: server, wait: { wait in waits.withLock { $0.append(wait) } }, random: { $0 })
    let answer = try client.answer(at: "the store") { () throws(RemoteError) in
      TransferRequest(method: "GET", url: "http://bucket.test/stubs/a", limit: 1000)
    }
    #expect(answer.status == 404)
    #expect(waits.withLock { $0 } == [0.25, 0.5, 1, 2])
    let busy = RetryingClient(
      transport: BucketServer(faults: [.isBusy(times: 100)]), wait: { _ in }, random: { $0 })
    let error = #expect(throws: RemoteError.self) {
      try busy.answer(at: "the store") { () throws(RemoteError) in
        TransferRequest(method: "GET", url: "http://bucket.test/stubs/a", limit: 1000)
      }
    }
    #expect(
      error?.message == "cannot reach the store: it answered with the status 503 (6 tries)")
  }
}
