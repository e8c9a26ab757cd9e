import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import StubDBAsyncHTTPClient
import StubDBConformance
import StubDBTesting
import Testing

/// The protocol by which code under test names its client.
private protocol HTTPExecuting: Sendable {
  func execute(
    _ request: HTTPClientRequest, timeout: TimeAmount, logger: Logger?
  ) async throws -> HTTPClientResponse
}

extension HTTPClient: HTTPExecuting {}
extension ScenarioHTTPClient: HTTPExecuting {}

private struct ShopClient {
  let http: any HTTPExecuting

  func charge(_ amount: Int) async throws -> UInt {
    var request = HTTPClientRequest(url: "https://api.shop.test/v1/charges")
    request.method = .POST
    request.body = .bytes(ByteBuffer(string: #"{"amount": \#(amount)}"#))
    return try await http.execute(request, timeout: .seconds(5), logger: nil).status.code
  }
}

struct ScenarioHTTPClientTests {
  /// The conformance table, which all front ends run.
  @Test(arguments: ConformanceCase.all)
  func clientGetsTheOutcome(_ row: ConformanceCase) async throws {
    let client = ScenarioHTTPClient(
      ScenarioSession(try row.load(), options: .init(pace: .instant)))
    let differences = await row.differences(
      journal: client.session.journal, isExpected: Self.isExpected
    ) { _, row, content in
      var request = HTTPClientRequest(url: row.url)
      request.method = HTTPMethod(rawValue: row.method)
      request.headers = HTTPHeaders(row.headers)
      if !content.isEmpty { request.body = .bytes(ByteBuffer(bytes: content)) }
      let response = try await client.execute(request, timeout: .hours(24))
      let body = try await response.body.collect(upTo: 1 << 24)
      return ConformanceAnswer(
        status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) },
        content: Data(body.readableBytesView))
    }
    #expect(differences == [])
  }

  private static func isExpected(_ error: any Error, _ failure: ConformanceFailure) -> Bool {
    switch failure {
    case .unmatched: error is UnmatchedRequestError
    case .passthrough: error is PassthroughError
    case .silence: isSame(error, HTTPClientError.deadlineExceeded)
    case .error(NSURLErrorDomain, let code):
      isSame(error, clientError(code))
    case .error(let domain, let code):
      (error as NSError).domain == domain && (error as NSError).code == code
    }
  }

  /// The errors of HTTPClient in place of those of Foundation; the others stay.
  private static let errors: [(URLError.Code, any Error)] = [
    (.timedOut, HTTPClientError.deadlineExceeded), (.cancelled, HTTPClientError.cancelled),
    (.networkConnectionLost, HTTPClientError.remoteConnectionClosed),
    (.httpTooManyRedirects, HTTPClientError.redirectLimitReached),
    (.badURL, HTTPClientError.invalidURL),
    (.cannotConnectToHost, IOError(errnoCode: ECONNREFUSED, reason: "connect")),
    (.notConnectedToInternet, IOError(errnoCode: ENETUNREACH, reason: "connect")),
    (.cannotFindHost, SocketAddressError.unknown(host: "", port: 443)),
    (.dnsLookupFailed, SocketAddressError.unknown(host: "", port: 443)),
    (.cannotParseResponse, URLError(.cannotParseResponse)),
  ]

  private static func clientError(_ code: Int) -> any Error {
    errors.first { $0.0.rawValue == code }?.1
      ?? NSError(domain: NSURLErrorDomain, code: code)
  }

  /// Whether two errors differ only in what errors of one kind differ in.
  private static func isSame(_ one: any Error, _ other: any Error) -> Bool {
    switch (one, other) {
    case (let one as HTTPClientError, let other as HTTPClientError): one == other
    case (let one as IOError, let other as IOError): one.errnoCode == other.errnoCode
    case (is SocketAddressError, is SocketAddressError): true
    default:
      (one as NSError).domain == NSURLErrorDomain
        && (one as NSError).code == (other as NSError).code
    }
  }

  @Test func errorsOfStubsAreThoseOfHTTPClient() {
    for (code, expected) in Self.errors {
      let error = ScenarioHTTPClient.clientError(for: URLError(code))
      #expect(Self.isSame(error, expected), "\(code): \(error)")
    }
  }

  @Test(.interceptor) func theClientJoinsTheRunOfItsTest() async throws {
    let interceptor = StubInterceptor.current
    try interceptor.stub(.post, "https://api.shop.test/v1/charges") { request in
      request.text == #"{"amount": 1200}"# ? .json(["id": "ch_1"]) : StubResponse(status: 402)
    }
    let shop = ShopClient(http: ScenarioHTTPClient(sharing: interceptor))
    #expect(try await shop.charge(1200) == 200)
    #expect(try await shop.charge(1) == 402)
    interceptor.expectRequests(2, to: "https://api.shop.test/v1/charges", method: .post)
  }

  @Test func theTimeoutIsForTheWholeAnswer() async throws {
    let session = ScenarioSession(options: .init(pace: .instant))
    session.stub { _ in StubResponse(delay: .fixed(.seconds(30))) }
    let client = ScenarioHTTPClient(session)
    let request = HTTPClientRequest(url: "https://api.shop.test/v1/me")
    #expect(try await client.execute(request, timeout: .seconds(90)).status == .ok)
    await #expect(throws: HTTPClientError.deadlineExceeded) {
      try await client.execute(request, timeout: .seconds(10))
    }
  }

  @Test func whatIsNotSentIsRefusedAsByHTTPClient() async throws {
    let client = ScenarioHTTPClient(ScenarioSession())
    for (url, error) in [("no URL", HTTPClientError.invalidURL), ("http:///x", .emptyHost)] {
      await #expect(throws: error) {
        try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(1))
      }
    }
    await #expect(throws: HTTPClientError.deadlineExceeded) {
      try await client.execute(HTTPClientRequest(url: "http://a.test/"), timeout: .zero)
    }
  }
}
