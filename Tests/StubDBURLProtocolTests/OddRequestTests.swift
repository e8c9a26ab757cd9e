import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBTestSupport
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Unusual requests, which must not crash the client.
@Suite struct OddRequestTests {
  @Test(arguments: [
    "shop://cart/items?x=1", "ftp://h.test/file", "file:///etc/hosts", "data:text/plain,hello",
    "mailto:a@h.test", "ws://h.test/socket", "about:blank", "http:", "//h.test/path",
    "relative/path",
    "https://h.test", "https://user:pass@h.test:8443/a%20b?q=%F0%9F%98%80#f", "https://[::1]:1/x",
    "https://h.test/" + String(repeating: "a", count: 100_000),
  ])
  func everyURLIsAnsweredByAStubForEverything(_ url: String) async throws {
    let interceptor = StubInterceptor(try answering(StubResponse(body: .text("odd"))))
    for exchange in Exchange.allCases {
      #expect(try await exchange.send(try request("GET", url), through: interceptor).text == "odd")
    }
    #expect(interceptor.journal.count == 3)
  }

  @Test func customSchemesAreMatchedByTheirParts() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/custom", "stubs": [
          { "key": "cart", "request": { "url": "shop://cart/items" }, "responses": [ { "text": "items" } ] } ] }
        """))
    let url = "shop://cart/items"
    let answer = try await Exchange.async.send(try request("GET", url), through: interceptor)
    #expect(answer.text == "items")
  }

  /// More than 65,534 fields would stop the process in `HTTPFields`.
  @Test func aRequestWithMoreHeaderFieldsThanAnyServerAcceptsFails() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse()))
    var sent = try request()
    sent.allHTTPHeaderFields = Dictionary(
      uniqueKeysWithValues: (0..<70_000).map { ("X-\($0)", "\($0)") })
    let many = sent
    let error = await #expect(throws: URLError.self) {
      try await Exchange.async.send(many, through: interceptor)
    }
    #expect(error?.code == .dataLengthExceedsMaximum)
    let url = try #require(sent.url)
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil, headerFields: sent.allHTTPHeaderFields))
    #expect(StubResponse(response).headers.isEmpty)
  }

  @Test func webSocketUpgradesAreDeclinedWithAReason() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse()))
    let upgrade = try request(
      "GET", "https://h.test/socket", headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
    let error = await #expect(throws: URLError.self) {
      try await Exchange.async.send(upgrade, through: interceptor)
    }
    #expect(error?.code == .unsupportedURL)
    #expect(error?.localizedDescription.contains("stubdb serve") == true)
  }

  @Test func webSocketTasksFailInsteadOfReachingTheNetwork() async throws {
    let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
    let interceptor = StubInterceptor(try answering(StubResponse()))
    let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/socket"))
    let task = interceptor.urlSession().webSocketTask(with: url)
    task.resume()
    await #expect(throws: (any Error).self) { _ = try await task.receive() }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: Exchange.allCases)
  func proxyAuthenticationIsDelivered(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try answering(
        StubResponse(
          status: 407, headers: [.proxyAuthenticate: "Basic realm=\"proxy\""],
          body: .text("proxy first"))))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.status == 407)
    #expect(answer.text == "proxy first")
  }

  @Test func aHundredMegabytesAreHandedOverWithoutACopy() async throws {
    let content = Data(count: 100_000_000)
    let interceptor = StubInterceptor(try answering(StubResponse(body: .data(content))))
    let session = interceptor.urlSession()
    let (received, _) = try await session.data(for: try request())
    #expect(received.count == content.count)
    #if canImport(FoundationNetworking)
      let sent = content.withUnsafeBytes { $0.baseAddress }
      #expect(received.withUnsafeBytes { $0.baseAddress } == sent)
    #endif
  }

  @Test func anUploadOfAHundredMegabytesIsSeenWhole() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse()))
    let content = Data(count: 100_000_000)
    _ = try await Exchange.async.send(
      try request("PUT"), upload: .data(content), through: interceptor)
    #expect(interceptor.requests.first?.content?.count == content.count)
  }

  @Test func aFileThatIsNotThereIsUnknownContentAndNoCrash() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse(body: .text("ok"))))
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent("stubdb-not-there")
    _ = try await Exchange.async.send(
      try request("PUT"), upload: .file(missing), through: interceptor)
    #expect(interceptor.requests.first?.content == nil)
  }
}
