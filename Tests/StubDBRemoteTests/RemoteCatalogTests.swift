import Foundation
import StubDBJobs
import StubDBSupport
import Testing

@testable import StubDBRemote

struct RemoteCatalogTests {
  private let folder = TemporaryFolder()

  private func catalog(_ server: BucketServer, cache: String = "cache") throws -> RemoteCatalog {
    let url = try RemoteURL(parsing: "s3://stubs/team/shop")
    let stores = RemoteStores(environment: BucketServer.environment, client: server.client)
    return RemoteCatalog(
      url: url, store: try stores.store(of: url),
      cache: ObjectCache(folder.url.appendingPathComponent(cache)))
  }

  /// The same for the same text and parent.
  private func commit(
    _ text: String, after parent: ObjectDigest?
  ) throws -> (commit: RemoteCommit, file: URL) {
    let file = folder.url.appendingPathComponent("\(UUID().uuidString).bin")
    try Data(text.utf8).write(to: file)
    let commit = RemoteCommit(
      catalog: try ObjectDigest(ofFile: file), bytes: text.utf8.count, parent: parent,
      at: "2026-11-22T17:00:00Z", by: "Ada", message: text)
    return (commit, file)
  }

  private func push(
    _ text: String, to catalog: RemoteCatalog, after head: RemoteCatalog.Head?
  ) throws -> (digest: ObjectDigest, outcome: WriteOutcome) {
    let (commit, file) = try commit(text, after: head?.digest)
    let digest = try #require(try catalog.store(commit, file: file))
    return (digest, try catalog.point(to: digest, insteadOf: head))
  }

  @Test func ofTwoWhoPushAtOnceOneIsRefused() throws {
    let catalog = try catalog(BucketServer())
    #expect(try catalog.head() == nil)
    #expect(try push("one", to: catalog, after: nil).outcome == .written)
    #expect(try push("other", to: catalog, after: nil).outcome == .refused)
    let head = try catalog.existingHead()
    let second = try push("two", to: catalog, after: head)
    #expect(second.outcome == .written)
    #expect(try push("three", to: catalog, after: head).outcome == .refused)
    let commits = try catalog.history.commits(from: catalog.existingHead().digest)
    #expect(commits.map(\.commit.message) == ["two", "one"])
    #expect(
      try Data(contentsOf: catalog.file(commits[1].commit.catalog, bytes: 3)) == Data("one".utf8))
  }

  @Test func aPushWhoseAnswerWasLostIsNotRefused() throws {
    let catalog = try catalog(BucketServer(faults: [.losesAnswers]))
    #expect(try push("one", to: catalog, after: nil).outcome == .written)
  }

  /// Somebody else pushes between the write of a pointer and the look at it.
  @Test(arguments: [(true, WriteOutcome.written), (false, .refused)])
  func aPushThatIsOvertakenIsWrittenIfTheNextOneComesAfterIt(
    isAfter: Bool, outcome: WriteOutcome
  ) throws {
    let server = BucketServer()
    let catalog = try catalog(server)
    let ours = try commit("one", after: nil).commit.digest
    let theirs = try commit("two", after: isAfter ? ours : nil)
    let later = try #require(try catalog.store(theirs.commit, file: theirs.file))
    let overtaken = RemoteCatalog(
      url: catalog.url, store: OvertakenStore(base: catalog.store, later: later),
      cache: catalog.cache)
    let pushed = try push("one", to: overtaken, after: nil)
    #expect(pushed.digest == ours && pushed.outcome == outcome)
    #expect(try catalog.existingHead().digest == later)
  }

  @Test func whatIsInTheCacheNeedsNoRequest() throws {
    let server = BucketServer()
    let writer = try catalog(server)
    let digest = try push("one", to: writer, after: nil).digest
    let reader = try catalog(server, cache: "other")
    _ = try reader.file(reader.commit(digest).catalog, bytes: 3)
    let count = server.requests.count
    #expect(try reader.existingHead().digest == digest)
    let file = try reader.file(reader.commit(digest).catalog, bytes: 3)
    #expect(server.requests.count == count + 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o400)
  }

  @Test func bytesWithAnotherDigestAreNeverUsed() throws {
    let server = BucketServer()
    let commit = try catalog(server).commit(push("one", to: catalog(server), after: nil).digest)
    for path in server.paths where path.contains("/objects/") {
      server.replace(path, with: Data("two".utf8))
    }
    let reader = try catalog(server, cache: "other")
    #expect(throws: RemoteError.self) { try reader.file(commit.catalog, bytes: commit.bytes) }
    let head = try reader.existingHead().digest
    let error = #expect(throws: RemoteError.self) { try reader.commit(head) }
    #expect(error?.code == .damaged)
    #expect(reader.cache.entries().isEmpty)
  }

  @Test func aDamagedFileOfTheCacheIsFetchedAnew() throws {
    let server = BucketServer()
    let catalog = try catalog(server)
    let commit = try catalog.commit(push("one", to: catalog, after: nil).digest)
    let file = try catalog.file(commit.catalog, bytes: commit.bytes)
    chmod(file.path, 0o644)
    try Data("broken".utf8).write(to: file)
    #expect(
      try Data(contentsOf: catalog.file(commit.catalog, bytes: commit.bytes)) == Data("one".utf8))
  }

  @Test func manyReadersShareOneDownload() throws {
    let server = BucketServer(faults: [.tearsDownloads])
    let digest = try push(String(repeating: "x", count: 50_000), to: catalog(server), after: nil)
      .digest
    let reader = try catalog(server, cache: "other")
    let commit = try reader.commit(digest)
    let ignored: (Int) -> Void = { _ in }
    let results = ParallelWork.values(16, perThread: 1, progress: ignored) { _ in
      Result { try Data(contentsOf: reader.file(commit.catalog, bytes: commit.bytes)).count }
    }
    #expect(try results.compactMap { try $0?.get() } == Array(repeating: 50_000, count: 16))
    let downloads = server.requests.filter { $0.hasPrefix("GET") && $0.hasSuffix(".stubdb") }
    // One that was torn, and the rest of it.
    #expect(downloads.count == 2)
    let files = try FileManager.default.subpathsOfDirectory(atPath: reader.cache.folder.path)
    #expect(!files.contains { $0.hasSuffix(".part") })
  }

  @Test func theCacheIsPruned() throws {
    let cache = ObjectCache(folder.url.appendingPathComponent("pruned"))
    let digests = try ["a", "b"].map { try cache.insert(Data($0.utf8)) }
    #expect(cache.entries().map(\.digest) == digests.sorted())
    #expect(cache.prune(unusedSince: .distantPast).files == 0)
    let removed = cache.prune(unusedSince: .distantFuture, keeping: [digests[0]])
    #expect(removed.files == 1 && removed.bytes == 1)
    #expect(cache.has(digests[0]) && !cache.has(digests[1]))
  }
}

/// A store whose pointers lead to a commit of somebody else as soon as they were written.
private struct OvertakenStore: RemoteStore {
  let base: any RemoteStore
  let later: ObjectDigest

  func write(
    _ source: StoredSource, to key: String, if condition: WriteCondition
  ) throws(RemoteError) -> WriteOutcome {
    let outcome = try base.write(source, to: key, if: condition)
    guard key == "shop.json" else { return outcome }
    let pointer = CatalogPointer(commit: later)
    _ = try base.write(.data(pointer.encoded), to: key, if: .none)
    return outcome
  }

  func impossibleVersion() throws(RemoteError) -> StoreVersion { try base.impossibleVersion() }

  func read(_ key: String, limit: Int) throws(RemoteError) -> StoredContent? {
    try base.read(key, limit: limit)
  }

  func download(
    _ key: String, to file: URL, limit: Int, progress: @escaping (Int) -> Void
  ) throws(RemoteError) -> Bool {
    try base.download(key, to: file, limit: limit, progress: progress)
  }

  func size(of key: String) throws(RemoteError) -> StoredSize { try base.size(of: key) }

  func keys(prefix: String) throws(RemoteError) -> [String] { try base.keys(prefix: prefix) }
}
