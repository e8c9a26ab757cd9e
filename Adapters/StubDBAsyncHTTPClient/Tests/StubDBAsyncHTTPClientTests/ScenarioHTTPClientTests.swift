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
    for step in row.steps {
      guard step.request.httpRequest != nil, case .bytes(let body) = step.request.body else {
        continue
      }
      var request = HTTPClientRequest(url: step.request.url)
      request.method = HTTPMethod(rawValue: step.request.method)
      request.headers = HTTPHeaders(step.request.headers)
      if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
      let comment: Comment = "\(step.request.method) \(step.request.url)"
      do {
        let response = try await client.execute(request, timeout: .hours(24))
        let content = try await response.body.collect(upTo: 1 << 24)
        check(response, String(buffer: content), client.session.journal.last, step.outcome, comment)
      } catch {
        check(error, client.session.journal.last, step.outcome, comment)
      }
    }
  }

  private func check(
    _ response: HTTPClientResponse, _ text: String, _ event: ServeEvent?,
    _ expected: ConformanceOutcome, _ comment: Comment
  ) {
    switch expected {
    case .response(let stub, let status, let fields, let body, _):
      #expect(event?.stubKey == stub, comment)
      #expect(Int(response.status.code) == status, comment)
      for (name, values) in fields { #expect(response.headers[name] == values, comment) }
      #expect(text == body, comment)
    case .pieces(let stub, let body, _, error: nil):
      #expect(event?.stubKey == stub, comment)
      #expect(text == body, comment)
    default:
      Issue.record("expected \(expected), got \(response.status): \(comment)")
    }
  }

  private func check(
    _ error: any Error, _ event: ServeEvent?, _ expected: ConformanceOutcome, _ comment: Comment
  ) {
    switch expected {
    case .unmatched:
      #expect(error is UnmatchedRequestError, comment)
      #expect(event?.isMatched == false, comment)
    case .error(let stub, NSURLErrorDomain, let code), .pieces(let stub, _, _, error: let code?):
      #expect(event?.stubKey == stub, comment)
      #expect(name(of: error) == name(of: clientError(code)), comment)
    case .error(let stub, let domain, let code):
      #expect(event?.stubKey == stub, comment)
      #expect((error as NSError).domain == domain, comment)
      #expect((error as NSError).code == code, comment)
    case .silence(let stub):
      #expect(event?.stubKey == stub, comment)
      #expect(error as? HTTPClientError == .deadlineExceeded, comment)
    case .passthrough(let stub):
      #expect(event?.stubKey == stub, comment)
      #expect(error is PassthroughError, comment)
    default:
      Issue.record("expected \(expected), got \(error): \(comment)")
    }
  }

  private func clientError(_ code: Int) -> any Error {
    let error: URLError? = URLError.Code(rawValue: code).map { URLError($0) }
    return error.map(ScenarioHTTPClient.clientError) ?? URLError(.unknown)
  }

  /// Without what differs between errors of one kind.
  private func name(of error: any Error) -> String {
    switch error {
    case let error as URLError: "\(error.code.rawValue)"
    case let error as IOError: "\(error.errnoCode)"
    case is SocketAddressError: "unknown"
    default: "\(error)"
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
