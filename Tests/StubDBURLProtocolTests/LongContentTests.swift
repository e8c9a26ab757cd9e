import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBTestSupport
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Contents that are too long for the memory, which go to files of the draft as they come.
@Suite struct LongContentTests {
  private static let secret = "tulip window harbor"

  /// A recording whose limits are a thousandth of the usual ones.
  private final class Bench {
    let folder: URL
    let catalog: Catalog
    let server: LoopbackServer
    let writer: DraftWriter

    init(rules: String? = nil, _ answer: @escaping @Sendable (String) -> String) throws {
      folder = try makeTemporaryFolder()
      if let rules {
        try Data(rules.utf8).write(to: folder.appendingPathComponent(".stubdb-redact.json"))
      }
      catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
      server = try LoopbackServer { request in
        let body = answer(String(request.line.split(separator: " ")[1]))
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      var limits = RecordingLimits()
      (limits.inMemory, limits.largest, limits.window) = (16 << 10, 1 << 20, 8 << 10)
      writer = try DraftWriter(catalog: catalog.url.path, environment: [:], limits: limits)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Asks for paths in one run; returns why something was not recorded.
    func ask(_ paths: String..., key: String? = nil) async throws -> [String] {
      var play = try RecordedPlay(
        "shop/long", in: catalog, PlaybackOptions(record: .all), environment: [:])
      play.record(
        with: RunRecorder(play.scenario.name, mode: .all, catalog: catalog.url.path, writer: writer)
      )
      let interceptor = StubInterceptor(playing: play)
      for path in paths {
        var request = URLRequest(url: try #require(URL(string: server.url(path))))
        request.setValue(key, forHTTPHeaderField: "X-Api-Key")
        _ = try await interceptor.urlSession().data(for: request)
      }
      interceptor.end()
      return try #require(interceptor.recorder).outcome.problems
    }

    /// The exchanges of the draft, whole, and the contents of its files.
    func draft() throws -> (exchanges: [DraftExchange], files: [Data]) {
      let draft = URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path))
      var (exchanges, files) = ([DraftExchange](), [Data]())
      for name in try FileManager.default.contentsOfDirectory(atPath: draft.path).sorted() {
        let data = try Data(contentsOf: draft.appendingPathComponent(name))
        if name.hasSuffix(".body") { files.append(data) }
        guard name.hasSuffix(".jsonl") else { continue }
        for line in data.split(separator: UInt8(ascii: "\n")) {
          if case .exchange(let exchange)? = DraftLine(line),
            let whole = DraftContents.restored(exchange, from: draft)
          {
            exchanges.append(whole)
          }
        }
      }
      return (exchanges, files)
    }
  }

  private static let text = String(repeating: "a line of a long answer\n", count: 4_000)

  @Test func aLongAnswerIsKeptInAFileAndReadWithItsLine() async throws {
    let body = Self.text + "says \(Self.secret)\n" + Self.text
    let bench = try Bench { _ in body }
    #expect(try await bench.ask("/a", key: Self.secret) == [])
    let (exchanges, files) = try bench.draft()
    let clean = body.replacing(Self.secret, with: "REDACTED-1")
    #expect(files == [Data(clean.utf8)])
    #expect(
      exchanges.first?.stub.value(at: JSONPointer(["responses", "0", "text"])) == .string(clean))
  }

  @Test func whatTurnsOutToBeASecretLaterIsTakenOutOfTheFile() async throws {
    let bench = try Bench { $0 == "/a" ? Self.text + Self.secret : "small" }
    #expect(try await bench.ask("/a", "/b") == [])
    #expect(try bench.draft().files.first?.range(of: Data(Self.secret.utf8)) != nil)
    #expect(try await bench.ask("/b", key: Self.secret) == [])
    let (exchanges, files) = try bench.draft()
    #expect(files == [Data((Self.text + "REDACTED-1").utf8)])
    #expect(exchanges.count == 3)
  }

  /// A value near the end of an answer that is also at its beginning, which is on the disk by then.
  @Test func whatAnAnswerItselfShowsToBeASecretIsTakenOutOfItsBeginning() async throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
    let part = token.suffix(40)
    let body = "\(part)\n" + Self.text + "{\"password\": \"\(part)\"}\n" + Self.text
    let bench = try Bench { _ in body }
    #expect(try await bench.ask("/a") == [])
    let file = try #require(try bench.draft().files.first)
    #expect(file.range(of: Data(part.utf8)) == nil)
    #expect(try bench.draft().files.count == 1)
  }

  @Test func moreThanTheLimitIsNotRecordedAndLeavesNoFile() throws {
    let bench = try Bench { _ in "" }
    let recorder = RunRecorder(
      ScenarioName(unchecked: "shop/long"), mode: .all, catalog: bench.catalog.url.path,
      writer: bench.writer)
    let exchange = recorder.begin(StubRequest(url: "https://api.shop.test/a"), number: 1)
    exchange.head(status: 200, headers: [])
    for number in 0..<12 {
      exchange.content(Data(Self.text.utf8))
      #expect(try bench.draft().files.count == (number < 10 ? 1 : 0))
    }
    exchange.finish()
    recorder.end(failed: false)
    #expect(
      recorder.outcome.problems == [
        "GET https://api.shop.test/a was not recorded: its answer has more than 1 MiB."
      ])
    #expect(try bench.draft().exchanges.isEmpty)
  }

  @Test func aNetworkThatFailsWithinALongAnswerLeavesNoFile() throws {
    let bench = try Bench { _ in "" }
    let recorder = RunRecorder(
      ScenarioName(unchecked: "shop/long"), mode: .all, catalog: bench.catalog.url.path,
      writer: bench.writer)
    for fail in [{ $0.fail() }, { $0.finish(failingWith: "networkConnectionLost") }]
      as [(ExchangeRecorder) -> Void]
    {
      let exchange = recorder.begin(StubRequest(url: "https://api.shop.test/a"), number: 1)
      exchange.head(status: 200, headers: [])
      exchange.content(Data(Self.text.utf8))
      #expect(try bench.draft().files.count == 1)
      fail(exchange)
      #expect(try bench.draft().files.isEmpty)
    }
    #expect(recorder.outcome.problems.count == 2)
  }

  @Test func rulesForPlacesInJSONNeedTheWholeContent() async throws {
    let bench = try Bench(rules: #"{"jsonPointers": ["/user/email"]}"#) { path in
      path == "/json" ? "{\"user\": {\"email\": \"ada@shop.test\"}}" + Self.text : Self.text
    }
    let problems = try await bench.ask("/json", "/text")
    #expect(problems.count == 1 && problems.first?.contains("rules of redaction") == true)
    let (exchanges, files) = try bench.draft()
    #expect(exchanges.count == 1 && files == [Data(Self.text.utf8)])
  }
}
