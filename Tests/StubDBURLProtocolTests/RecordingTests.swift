import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBSupport
import StubDBTestSupport
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Real requests to a real server on this machine, recorded into drafts.
@Suite struct RecordingTests {
  private func makeCatalog(in folder: URL, _ document: String? = nil) throws -> Catalog {
    let catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    if let document {
      try catalog.edit { try $0.insert(ScenarioDocument.decode(Data(document.utf8))) }
    }
    return catalog
  }

  /// A run as a trait makes it, whose draft has a writer of its own.
  private func interceptor(
    _ mode: RecordMode, _ catalog: Catalog, environment: [String: String] = [:]
  ) throws -> StubInterceptor {
    StubInterceptor(
      playing: try RecordedPlay(
        "shop/orders", in: catalog, PlaybackOptions(record: mode), environment: environment))
  }

  private func lines(of catalog: Catalog) throws -> [DraftLine?] {
    let folder = URL(fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path))
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }
      .flatMap { name in
        try Data(contentsOf: folder.appendingPathComponent(name))
          .split(separator: UInt8(ascii: "\n")).map { DraftLine($0) }
      }
  }

  private func exchanges(of catalog: Catalog) throws -> [DraftExchange] {
    try lines(of: catalog).compactMap { line in
      guard case .exchange(let exchange)? = line else { return nil }
      return exchange
    }
  }

  private func echo() throws -> LoopbackServer {
    try LoopbackServer { request in
      let path = request.line.split(separator: " ")[1]
      return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(path.utf8.count)\r\n"
        + "X-Own: 1\r\n\r\n\(path)"
    }
  }

  private static let known = """
    { "scenario": "shop/orders", "stubs": [ { "key": "one", "request": { "path": "/1" },
      "responses": [ { "text": "stubbed" } ] } ] }
    """

  /// Each mode, whether the catalog has the scenario, the answers to `/1` and `/2` (nil for an error), and what is
  /// recorded.
  @Test(
    arguments: [
      (RecordMode.none, true, ["stubbed", nil], []),
      (.newEpisodes, true, ["stubbed", "/2"], ["/2"]),
      (.newEpisodes, false, ["/1", "/2"], ["/1", "/2"]), (.all, true, ["/1", "/2"], ["/1", "/2"]),
      (.once, true, ["stubbed", nil], []), (.once, false, ["/1", "/2"], ["/1", "/2"]),
    ] as [(RecordMode, Bool, [String?], [String])])
  func modesSayWhatIsRecorded(
    mode: RecordMode, isKnown: Bool, answers: [String?], recorded: [String]
  ) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try echo()
    let catalog = try makeCatalog(in: folder, isKnown ? Self.known : nil)
    let before = try Data(contentsOf: catalog.url)
    let interceptor = try interceptor(mode, catalog)
    var got: [String?] = []
    for path in ["/1", "/2"] {
      let url = try #require(URL(string: server.url(path)))
      let answer = try? await interceptor.urlSession().data(from: url)
      got.append(answer.map { String(decoding: $0.0, as: UTF8.self) })
    }
    interceptor.end()
    #expect(got == answers)
    let stubs = try exchanges(of: catalog).map(\.stub)
    let urls = stubs.map { stub -> String? in
      guard case .string(let url)? = stub.value(at: JSONPointer(["request", "url"])) else {
        return nil
      }
      return url
    }
    #expect(urls == recorded.map(server.url))
    #expect(try Data(contentsOf: catalog.url) == before)
  }

  @Test func theEnvironmentWinsAndIntegrationRecordsNothing() throws {
    func mode(_ mode: RecordMode, _ environment: [String: String]) -> RecordMode? {
      mode.effective(in: environment)
    }
    #expect(mode(.none, ["STUBDB_RECORD": "new-episodes"]) == .newEpisodes)
    #expect(mode(.all, ["STUBDB_RECORD": "none"]) == RecordMode.none)
    #expect(mode(.all, ["STUBDB_RECORD": "", "CI": "false"]) == .all)
    #expect(mode(.all, ["CI": "true"]) == RecordMode.none)
    #expect(mode(.all, ["CI": "true", "STUBDB_RECORD_ALLOW_CI": "1"]) == .all)
    #expect(mode(.all, ["STUBDB_RECORD": "always"]) == nil)
  }

  @Test func whatIsNotAModeRefusesEveryRequest() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try makeCatalog(in: folder, Self.known)
    let interceptor = try interceptor(.none, catalog, environment: ["STUBDB_RECORD": "always"])
    let url = try #require(URL(string: "https://api.shop.test/1"))
    let error = await #expect(throws: URLError.self) {
      try await interceptor.urlSession().data(from: url)
    }
    #expect(error?.localizedDescription.contains("STUBDB_RECORD is \"always\"") == true)
    #expect(throws: CatalogError.self) {
      try RecordedPlay(
        "shop/orders", in: catalog, PlaybackOptions(overlays: ["no/such"], record: .newEpisodes),
        environment: [:])
    }
  }

  @Test(arguments: [RecordMode.once, .newEpisodes, .all])
  func aProgramWithoutTheProductSaysWhatToAdd(mode: RecordMode) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalog = try makeCatalog(in: folder)
    let interceptor = StubInterceptor(
      playing: try RecordedPlay(
        "shop/orders", in: catalog, PlaybackOptions(record: mode), environment: [:], maker: nil))
    let url = try #require(URL(string: "https://api.shop.test/1"))
    let error = await #expect(throws: URLError.self) {
      try await interceptor.urlSession().data(from: url)
    }
    #expect(error?.localizedDescription.contains("StubDBTestingRecording") == true)
    #expect(try lines(of: catalog).isEmpty)
  }

  @Test func anExchangeIsKeptAsAStubInTheOrderOfRequests() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try LoopbackServer { _ in
      "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nETag: \"a\"\r\nContent-Length: 8\r\n"
        + "Set-Cookie: theme=light; Expires=Wed, 21 Oct 2026 07:28:00 GMT, lang=en\r\n\r\n{\"id\":1}"
    }
    let catalog = try makeCatalog(in: folder)
    let interceptor = try interceptor(.newEpisodes, catalog)
    var request = URLRequest(url: try #require(URL(string: server.url("/orders?page=2"))))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"item": 7}"#.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (content, response) = try await interceptor.urlSession().data(for: request)
    #expect(String(decoding: content, as: UTF8.self) == #"{"id":1}"#)
    #expect(
      (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie")?.contains("light")
        == true)
    interceptor.end()
    let exchange = try #require(try exchanges(of: catalog).first)
    #expect(exchange.run == 1 && exchange.order == 1)
    #expect(exchange.scenario == "shop/orders" && exchange.mode == "newEpisodes")
    #expect(exchange.stub.value(at: JSONPointer(["request", "method"])) == "POST")
    let responses = try #require(exchange.stub.value(at: JSONPointer(["responses", "0"])))
    #expect(responses.value(at: JSONPointer(["status"])) == 201)
    #expect(responses.value(at: JSONPointer(["json", "id"])) == 1)
    #expect(exchange.stub.value(at: JSONPointer(["request", "body", "equalToJson", "item"])) == 7)
    // Cookies are separated, and their values are taken out.
    let cookies = responses.value(at: JSONPointer(["headers", "Set-Cookie"]))
    guard case .array(let list)? = cookies else {
      Issue.record("\(String(describing: cookies))")
      return
    }
    #expect(list.count == 2)
    #expect(try lines(of: catalog).last == .ended(process: exchange.process, run: 1, failed: false))
    let file = DraftWriter.folder(ofCatalog: catalog.url.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: file).sorted()
    #expect(names.first == ".gitignore" && names.count == 2)
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(file)/\(names[1])")
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  /// Foundation on Linux never ends such a task by itself, and tells early hints like an answer.
  @Test func whatAsksForAPasswordAndWhatHintsEarlyIsRecordedOnce() async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try LoopbackServer { request in
      request.line.contains("/secret")
        ? "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"shop\"\r\nContent-Length: 8\r\n\r\npassword"
        : "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"
    }
    let catalog = try makeCatalog(in: folder)
    let interceptor = try interceptor(.newEpisodes, catalog)
    for (path, status, text) in [("/secret", 401, "password"), ("/page", 200, "page")] {
      let url = try #require(URL(string: server.url(path)))
      let (content, response) = try await interceptor.urlSession().data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == status)
      #expect(String(decoding: content, as: UTF8.self) == text)
    }
    interceptor.end()
    let answers = try exchanges(of: catalog).compactMap {
      $0.stub.value(at: JSONPointer(["responses", "0"]))
    }
    #expect(answers.map { $0.value(at: JSONPointer(["text"])) } == ["password", "page"])
    #expect(answers.first?.value(at: JSONPointer(["status"])) == 401)
    #expect(interceptor.recorder?.outcome.problems == [])
  }

  // MARK: Several processes

  private func start(_ arguments: String...) throws -> (Process, FileHandle) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = Program.built("RecordingWorker")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter {
      !["CI", "STUBDB_RECORD", "STUBDB_LEDGER"].contains($0.key)
    }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    return (process, output.fileHandleForReading)
  }

  @Test func eightProcessesWithFiftyTestsEachKeepEveryExchangeOnce() throws {
    try withTemporaryFolder { folder in
      let server = try echo()
      let catalog = try makeCatalog(in: folder)
      let workers = try (0..<8).map {
        try start(catalog.url.path, "shop/orders", "p\($0)", "50", server.url(""))
      }
      for (process, output) in workers {
        _ = try output.readToEnd()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      let texts = try exchanges(of: catalog).map {
        $0.stub.value(at: JSONPointer(["responses", "0", "text"]))
      }
      let wanted = (0..<8).flatMap { process in
        (0..<50).map { JSONValue.string("/p\(process)/\($0)") }
      }
      #expect(texts.count == 400)
      #expect(Set(texts) == Set(wanted))
      #expect(try !lines(of: catalog).contains(nil))
    }
  }

  /// How often a process is killed; the environment can ask for more.
  private static let killCount =
    ProcessInfo.processInfo.environment["STUBDB_KILLS"].flatMap { Int($0) } ?? 8

  @Test func aKilledProcessLosesNoExchangeThatItsTestHasSeen() throws {
    try withTemporaryFolder { folder in
      let server = try echo()
      let catalog = try makeCatalog(in: folder)
      var seen: Set<String> = []
      for number in 0..<Self.killCount {
        let (process, output) = try start(
          catalog.url.path, "shop/orders", "k\(number)", "40", server.url(""))
        var text = Data()
        // Killed at another moment each time.
        while text.count(where: { $0 == UInt8(ascii: "\n") }) <= number % 20 {
          let piece = output.availableData
          if piece.isEmpty { break }
          text.append(piece)
        }
        kill(process.processIdentifier, SIGKILL)
        text += try output.readToEnd() ?? Data()
        process.waitUntilExit()
        seen.formUnion(
          String(decoding: text, as: UTF8.self).split(separator: "\n").map { "/\($0)" })
      }
      let lines = try lines(of: catalog)
      #expect(lines.count { $0 == nil } <= Self.killCount)
      let recorded = try exchanges(of: catalog).compactMap { exchange -> String? in
        guard
          case .string(let text)? = exchange.stub.value(
            at: JSONPointer(["responses", "0", "text"]))
        else { return nil }
        return text
      }
      #expect(recorded.count == Set(recorded).count)
      #expect(seen.subtracting(recorded).isEmpty)
      #expect(seen.count >= Self.killCount)
    }
  }
}
