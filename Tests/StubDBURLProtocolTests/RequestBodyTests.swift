import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport
import StubDBTestSupport
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct RequestBodyTests {
  /// On Linux, the delegate of a single task is told only about the response; the answer is the same as without it.
  @Test func uploadsWithADelegateOfTheirOwnShowTheirContent() async throws {
    final class Quiet: NSObject, URLSessionTaskDelegate {}
    let interceptor = StubInterceptor(try answering(StubResponse(body: .text("received"))))
    let session = interceptor.urlSession()
    let (data, _) = try await session.upload(
      for: try request("PUT"), from: Data("sent".utf8), delegate: Quiet())
    #expect(String(decoding: data, as: UTF8.self) == "received")
    let (again, _) = try await session.data(
      for: try request("POST", body: "sent too"), delegate: Quiet())
    #expect(String(decoding: again, as: UTF8.self) == "received")
    #expect(interceptor.requests.map(\.text) == ["sent", "sent too"])
  }

  private static let content = Data("amount=1200".utf8)

  private func interceptor() throws -> StubInterceptor {
    StubInterceptor(
      try load(
        """
        { "scenario": "test/body", "stubs": [
          { "key": "paid", "request": { "method": "POST", "url": "\(apiURL)", "body": { "equalTo": "amount=1200" } },
            "responses": [ { "status": 201, "text": "paid" } ] } ] }
        """))
  }

  private func check(_ exchange: Exchange, _ request: URLRequest, _ upload: Exchange.Upload?)
    async throws
  {
    let interceptor = try interceptor()
    let answer = try await exchange.send(request, upload: upload, through: interceptor)
    #expect(answer.text == "paid")
    #expect(interceptor.journal.map(\.request.body) == [.bytes(Self.content)])
    try interceptor.verify()
  }

  @Test(arguments: Exchange.allCases)
  func contentOfADataTaskIsSeen(_ exchange: Exchange) async throws {
    try await check(exchange, try request("POST", body: "amount=1200"), nil)
  }

  @Test(arguments: Exchange.allCases)
  func streamOfADataTaskIsReadOnce(_ exchange: Exchange) async throws {
    var streamed = try request("POST")
    streamed.httpBodyStream = InputStream(data: Self.content)
    try await check(exchange, streamed, nil)
  }

  @Test(arguments: Exchange.allCases)
  func uploadedDataIsSeen(_ exchange: Exchange) async throws {
    try await check(exchange, try request("POST"), .data(Self.content))
  }

  @Test(arguments: Exchange.allCases)
  func uploadedDataCountsBeforeTheContentOfTheRequest(_ exchange: Exchange) async throws {
    try await check(exchange, try request("POST", body: "other"), .data(Self.content))
  }

  @Test(arguments: Exchange.allCases)
  func uploadedFileIsSeen(_ exchange: Exchange) async throws {
    try await withTemporaryFile(Self.content) { file in
      try await check(exchange, try request("POST"), .file(file))
    }
  }

  @Test func uploadedStreamIsSeen() async throws {
    try await check(.delegate, try request("POST"), .stream(Self.content))
  }

  @Test func requestWithoutContentIsKnownToBeEmpty() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse()))
    _ = try await Exchange.async.send(try request(), through: interceptor)
    #expect(interceptor.journal.map(\.request.body) == [.bytes(Data())])
  }

  @Test(arguments: Exchange.allCases)
  func contentThatCannotBeReadIsUnknownAndMatchesNoPattern(_ exchange: Exchange) async throws {
    let interceptor = try interceptor()
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent(
      UUID().uuidString)
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request("POST"), upload: .file(missing), through: interceptor)
    }
    #expect(error?.code == UnmatchedPolicy.errorCode)
    guard case .unknown(let reason) = interceptor.journal.first?.request.body.kind else {
      Issue.record("content of a missing file is taken for known: \(interceptor.journal)")
      return
    }
    #expect(reason.contains(missing.path))
  }

  /// Delivers nothing and blocks its reader until the gate opens; then it is at its end.
  private final class BlockingStream: InputStream {
    private let gate: DispatchSemaphore
    private let beginning: AsyncStream<Void>.Continuation

    init(_ gate: DispatchSemaphore, _ beginning: AsyncStream<Void>.Continuation) {
      self.gate = gate
      self.beginning = beginning
      super.init(data: Data())
    }

    override func open() {}
    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
      beginning.yield()
      gate.wait()
      return 0
    }
  }

  /// More streams than Dispatch has threads: the timers of the scenario are Dispatch's.
  @Test func streamsThatBlockKeepNoOtherRequestAndNoTimerWaiting() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/streams", "stubs": [
          { "key": "sent", "request": { "path": "/sent" }, "responses": [ { "text": "sent" } ] },
          { "key": "late", "request": { "path": "/late" }, "responses": [ { "text": "late", "delay": "1ms" } ] },
          { "key": "never", "request": { "path": "/never" }, "responses": [ { "fault": "never" } ] } ] }
        """))
    try interceptor.stub("/closure") { request in .text(request.text ?? "") }
    let session = interceptor.urlSession()
    let gate = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    func answer(_ path: String, timeout: Double = 3600, to stream: InputStream?) throws
      -> Task<String, Never>
    {
      var sent = try request("POST", "https://h.test\(path)")
      sent.httpBodyStream = stream
      sent.timeoutInterval = timeout
      return Task { [sent] in
        do {
          return String(decoding: try await session.data(for: sent).0, as: UTF8.self)
        } catch {
          return (error as? URLError).map { "\($0.code.rawValue)" } ?? "\(error)"
        }
      }
    }
    let count = 100
    let blocked = try (0..<count).map { _ in
      try answer("/sent", to: BlockingStream(gate, beginning))
    }
    for await _ in begun.prefix(count) {}
    let timedOut = "\(URLError.Code.timedOut.rawValue)"
    #expect(try await answer("/late", to: nil).value == "late")
    #expect(
      try await answer("/closure", to: InputStream(data: Self.content)).value == "amount=1200")
    #expect(try await answer("/never", timeout: 0.05, to: nil).value == timedOut)
    let impatient = try answer("/sent", timeout: 0.05, to: BlockingStream(gate, beginning))
    #expect(await impatient.value == timedOut)
    #expect(try interceptor.requests(to: "/sent").isEmpty)
    for _ in 0...count { gate.signal() }
    for answer in blocked { #expect(await answer.value == "sent") }
    #expect(try interceptor.requests(to: "/sent").count == count)
  }

  private func withTemporaryFile(
    _ content: Data, _ body: (URL) async throws -> Void
  ) async throws {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("content")
    try content.write(to: file)
    try await body(file)
  }
}
