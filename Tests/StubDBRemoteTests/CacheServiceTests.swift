import Foundation
import StubDBSupport
import Testing

@testable import StubDBRemote

/// The cache of a store for many clients.
struct CacheServiceTests {
  /// A store, a cache of it, and what its people were told.
  private final class Bench: Sendable {
    let server: BucketServer
    let service: CacheService
    let isDown = Locked(false)
    let moment = Locked(Date(timeIntervalSince1970: 1_700_000_000))
    let notes = Locked<[String]>([])
    private let folder = TemporaryFolder()

    init(faults: Set<BucketServer.Fault> = [], url text: String = "s3://stubs/team/") throws {
      let server = BucketServer(faults: faults)
      self.server = server
      let url = try RemoteURL(parsing: text)
      let (isDown, moment, notes) = (isDown, moment, notes)
      let client = RetryingClient(
        transport: Switch(server: server, isDown: isDown), tries: 2, wait: { _ in })
      service = CacheService(
        of: url, cache: ObjectCache(folder.url),
        opening: { () throws(RemoteError) in
          try RemoteStores(environment: BucketServer.environment, client: client).store(of: url)
        },
        now: { moment.withLock { $0 } }, note: { note in notes.withLock { $0.append(note) } })
    }

    func ask(
      _ path: String, method: String = "GET", fields: [String: String] = [:]
    ) throws -> CacheAnswer {
      let answer = Locked<CacheAnswer?>(nil)
      service.answer(CacheRequest(method: method, path: path, fields: fields)) { given in
        answer.withLock { $0 = given }
      }
      return try #require(answer.withLock { $0 })
    }

    /// Puts an object into the store, and returns its path.
    func put(_ data: Data, ending: String = "stubdb") -> String {
      let digits = ObjectDigest(of: data).hexadecimal
      let path = "/objects/sha256/\(digits.prefix(2))/\(digits.dropFirst(2)).\(ending)"
      server.replace("/stubs/team\(path)", with: data)
      return path
    }

    func point(_ name: String, to text: String) -> Data {
      let pointer = CatalogPointer(commit: ObjectDigest(of: Data(text.utf8))).encoded
      server.replace("/stubs/team/\(name).json", with: pointer)
      return pointer
    }
  }

  /// A network that can be cut.
  private struct Switch: HTTPTransport {
    let server: BucketServer
    let isDown: Locked<Bool>

    func answer(
      to request: TransferRequest, progress: (Int) -> Void
    ) throws(RemoteError) -> TransferAnswer {
      if isDown.withLock({ $0 }) {
        return TransferAnswer(failure: "no connection could be made", isPassing: true)
      }
      return try server.answer(to: request, progress: progress)
    }
  }

  @Test func anObjectIsDownloadedOnceAndVerified() throws {
    let bench = try Bench()
    let data = Data("a catalog".utf8)
    let path = bench.put(data)
    let first = try bench.ask(path)
    #expect(first.status == 200 && first.content == data)
    #expect(first.fields["etag"] == "\"\(ObjectDigest(of: data))\"")
    #expect(first.fields["cache-control"] == "public, max-age=31536000, immutable")
    bench.isDown.withLock { $0 = true }
    #expect(try bench.ask(path) == first)
    #expect(bench.server.requests.count == 1)
    // What has another digest is never given on.
    bench.isDown.withLock { $0 = false }
    let other = bench.put(Data("another".utf8))
    bench.server.replace("/stubs/team\(other)", with: Data("evil".utf8))
    #expect(try bench.ask(other).status == 502)
    #expect(
      try bench.ask(bench.put(Data("x".utf8)).replacingOccurrences(of: ".stubdb", with: ".json"))
        .status == 404)
  }

  @Test func aHundredClientsShareOneDownload() throws {
    let bench = try Bench(faults: [.tearsDownloads])
    let data = Data(repeating: 7, count: 300_000)
    let path = bench.put(data)
    let ignored: (Int) -> Void = { _ in }
    let answers = Locked<[CacheAnswer]>([])
    _ = ParallelWork.values(100, perThread: 1, progress: ignored) { _ in
      bench.service.answer(CacheRequest(method: "GET", path: path)) { answer in
        answers.withLock { $0.append(answer) }
      }
    }
    #expect(answers.withLock { $0.count } == 100)
    #expect(answers.withLock { $0.allSatisfy { $0.content == data } })
    // One that was torn, and the rest of it.
    #expect(bench.server.requests.count == 2)
  }

  @Test func theRestOfAnObjectIsGiven() throws {
    let bench = try Bench()
    let path = bench.put(Data("0123456789".utf8))
    let rest = try bench.ask(path, fields: ["range": "bytes=4-"])
    #expect(rest.status == 206 && rest.content == Data("456789".utf8))
    #expect(rest.fields["content-range"] == "bytes 4-9/10")
    let none = try bench.ask(path, fields: ["range": "bytes=10-"])
    #expect(none.status == 416 && none.fields["content-range"] == "bytes */10")
    for range in ["bytes=-3", "bytes=1-2", "bytes=x-", "lines=1-"] {
      #expect(try bench.ask(path, fields: ["range": range]).status == 200)
    }
    let tag = try #require(rest.fields["etag"])
    #expect(try bench.ask(path, fields: ["if-none-match": "\"a\", \(tag)"]).status == 304)
    #expect(
      try bench.ask(path, fields: ["range": "bytes=4-", "if-range": "\"a\""]).status == 200)
  }

  @Test func aPointerIsAskedForEachTimeUnlessTheStoreIsDown() throws {
    let bench = try Bench()
    let one = bench.point("shop", to: "one")
    #expect(try bench.ask("/shop.json").content == one)
    let two = bench.point("shop", to: "two")
    #expect(try bench.ask("/shop.json").content == two)
    bench.isDown.withLock { $0 = true }
    bench.moment.withLock { $0 += 3600 }
    let stale = try bench.ask("/shop.json")
    #expect(stale.status == 200 && stale.content == two)
    #expect(stale.fields[CacheAnswer.staleField] == "2023-11-14T22:13:20Z")
    #expect(try bench.ask("/other.json").status == 504)
    #expect(try bench.ask(bench.put(Data("new".utf8))).status == 504)
    // It is left alone for a while, and then asked again.
    bench.isDown.withLock { $0 = false }
    #expect(try bench.ask("/shop.json").fields[CacheAnswer.staleField] != nil)
    bench.moment.withLock { $0 += CacheService.pause }
    let fresh = try bench.ask("/shop.json")
    #expect(fresh.content == two && fresh.fields[CacheAnswer.staleField] == nil)
    let notes = bench.notes.withLock { $0 }
    #expect(notes.count == 2 && notes.last?.hasSuffix("is reached again") == true, "\(notes)")
  }

  @Test func signaturesAreGivenAsTheStoreHasThem() throws {
    let bench = try Bench()
    let folder = TemporaryFolder()
    let file = folder.url.appendingPathComponent("key")
    _ = try Keygen().run(
      ["-q", "-t", "ed25519", "-N", "", "-f", file.path], input: nil, mayAsk: false)
    let commit = ObjectDigest(of: Data("a commit".utf8))
    let signature = try Signing(program: Keygen()).signature(
      of: Data("a commit".utf8), in: "stubdb/shop", with: .file(file))
    let place = RemoteCatalog.key(commit, signature.key.digest.hexadecimal + ".sig")
    let other = RemoteCatalog.key(commit, commit.hexadecimal + ".sig")
    #expect(try bench.ask("/" + place).status == 404)
    for path in [place, other] {
      bench.server.replace("/stubs/team/\(path)", with: signature.armored)
    }
    let given = try bench.ask("/" + place)
    #expect(given.status == 200 && given.content == signature.armored)
    #expect(given.fields["cache-control"] == "no-cache")
    // Under the digest of another key it is none.
    #expect(try bench.ask("/" + other).status == 404)
    bench.isDown.withLock { $0 = true }
    #expect(try bench.ask("/" + place).content == signature.armored)
    bench.isDown.withLock { $0 = false }
    bench.moment.withLock { $0 += CacheService.pause + 1 }
    bench.server.replace("/stubs/team/\(place)", with: Data("something else".utf8))
    #expect(try bench.ask("/" + place).content == signature.armored)
  }

  @Test func onlyPointersAndObjectsAreGiven() throws {
    let bench = try Bench()
    _ = bench.point("shop", to: "one")
    bench.server.replace("/stubs/team/page.json", with: Data("<html>".utf8))
    #expect(try bench.ask("/page.json").status == 502)
    #expect(try bench.ask("/none.json").status == 404)
    #expect(try bench.ask("/").status == 200)
    let count = bench.server.requests.count
    for path in [
      "/../secret.json", "/a/b.json", "/.json", "/shop", "shop.json", "/objects/sha256/aa/b.json",
      "/objects/sha256/../../shop.json", "//", "/shop.json/",
    ] {
      #expect(try bench.ask(path).status == 404, "\(path)")
    }
    #expect(try bench.ask("/shop.json", method: "PUT").status == 405)
    #expect(bench.server.requests.count == count)
    let one = try Bench(url: "s3://stubs/team/shop")
    _ = one.point("other", to: "x")
    #expect(try one.ask("/other.json").status == 404)
  }

  @Test func aCacheOfAStaleCacheIsAsOldAsThatOne() throws {
    let pointer = CatalogPointer(commit: ObjectDigest(of: Data())).encoded
    let server = ServiceServer(.http) { _ in
      TransferAnswer(
        status: 200, fields: [CacheAnswer.staleField: "2026-11-22T17:00:00Z"], content: pointer)
    }
    let store = try server.store()
    let service = CacheService(
      of: try RemoteURL(parsing: "https://stubs.test/"), cache: ObjectCache(TemporaryFolder().url),
      opening: { () throws(RemoteError) in store })
    let answer = Locked<CacheAnswer?>(nil)
    service.answer(CacheRequest(method: "GET", path: "/shop.json")) { given in
      answer.withLock { $0 = given }
    }
    #expect(
      answer.withLock { $0?.fields[CacheAnswer.staleField] } == "2026-11-22T17:00:00Z")
  }

  @Test func aClientIsToldOfAStalePointer() throws {
    let pointer = CatalogPointer(commit: ObjectDigest(of: Data())).encoded
    let server = ServiceServer(.http) { _ in
      TransferAnswer(
        status: 200, fields: [CacheAnswer.staleField: "2026-11-22T17:00:00Z"], content: pointer)
    }
    let url = try RemoteURL(parsing: "https://stubs.test/shop")
    let catalog = RemoteCatalog(
      url: url, store: try server.store(), cache: ObjectCache(TemporaryFolder().url))
    #expect(try catalog.head()?.staleSince == "2026-11-22T17:00:00Z")
  }
}
