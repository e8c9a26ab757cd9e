import Dispatch
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

/// A server in this process plays the real network.
@Suite struct PassthroughTests {
  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      switch request.line.split(separator: " ")[1] {
      case "/moved":
        "HTTP/1.1 302 Found\r\nLocation: /stubbed\r\nContent-Length: 0\r\n\r\n"
      case "/unauthorized":
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 2\r\n\r\nno"
      default:
        "HTTP/1.1 200 OK\r\nSet-Cookie: real=1; Path=/\r\nContent-Length: \(request.body.count + 5)\r\n\r\nreal:"
          + String(decoding: request.body, as: UTF8.self)
      }
    }
  }

  private func scenario() throws -> LoadedScenario {
    try load(
      """
      { "scenario": "test/pass", "stubs": [
        { "key": "stubbed", "request": { "path": "/stubbed" }, "responses": [ { "text": "stubbed" } ] } ] }
      """)
  }

  @Test(arguments: Exchange.allCases)
  func whatNothingAnswersGoesToTheNetworkWhereTheTestSaysSo(_ exchange: Exchange) async throws {
    let server = try server()
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let answer = try await exchange.send(
      try request("POST", server.url("/x"), headers: ["X-Own": "1"], body: "sent"),
      through: interceptor)
    #expect(answer.text == "real:sent")
    #expect(server.requests.map(\.line) == ["POST /x HTTP/1.1"])
    #expect(server.requests.first?.headers["x-own"] == "1")
    let stubbed = try await exchange.send(
      try request("GET", server.url("/stubbed")), through: interceptor)
    #expect(stubbed.text == "stubbed")
    #expect(server.requests.count == 1)
    #expect(interceptor.journal.map(\.isMatched) == [false, true])
    try interceptor.verify()
  }

  @Test(arguments: Exchange.allCases)
  func uploadsReachTheNetworkWhole(_ exchange: Exchange) async throws {
    let server = try server()
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let answer = try await exchange.send(
      try request("PUT", server.url("/x")), upload: .data(Data("upload".utf8)),
      through: interceptor)
    #expect(answer.text == "real:upload")
  }

  @Test func nothingReachesTheNetworkOtherwise() async throws {
    let server = try server()
    for policy in [UnmatchedPolicy.fail, .respond(404)] {
      let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: policy))
      _ = try? await Exchange.async.send(try request("GET", server.url("/x")), through: interceptor)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func aRedirectOfTheNetworkComesBackToTheStubs() async throws {
    let server = try server()
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let answer = try await Exchange.async.send(
      try request("GET", server.url("/moved")), through: interceptor)
    #expect(answer.text == "stubbed")
    #expect(server.requests.count == 1)
  }

  @Test func statusCookiesAndErrorsOfTheNetworkArrive() async throws {
    let server = try server()
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let session = interceptor.urlSession()
    let (_, response) = try await session.data(
      for: try request("GET", server.url("/unauthorized")))
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
    _ = try await session.data(for: try request("GET", server.url("/x")))
    _ = try await session.data(for: try request("GET", server.url("/x")))
    #expect(server.requests.last?.headers["cookie"]?.contains("real=1") == true)
    let error = await #expect(throws: URLError.self) {
      // Port 1 is reserved, so nothing listens there.
      try await session.data(for: try request("GET", "http://127.0.0.1:1/"))
    }
    #expect(error?.code == .cannotConnectToHost)
  }

  @Test(arguments: Exchange.allCases)
  func aResponseThatAsksForAPasswordArrivesWhole(_ exchange: Exchange) async throws {
    let server = try LoopbackServer { _ in
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"shop\"\r\nContent-Length: 8\r\n\r\npassword"
    }
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let answer = try await exchange.send(try request("GET", server.url("/x")), through: interceptor)
    #expect(answer.status == 401 && answer.text == "password")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: Exchange.allCases)
  func anInformationalResponseIsNotTheResponse(_ exchange: Exchange) async throws {
    let server = try LoopbackServer { _ in
      "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nX-Final: yes\r\nContent-Length: 5\r\n\r\nfinal"
    }
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let answer = try await exchange.send(try request("GET", server.url("/x")), through: interceptor)
    #expect(answer.status == 200 && answer.text == "final")
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: [true, false])
    func timeoutsOfTheConfigurationCount(ofTheWhole: Bool) async throws {
      let gate = DispatchSemaphore(value: 0)
      defer { gate.signal() }
      let server = try LoopbackServer { _ in
        gate.wait()
        return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
      }
      let interceptor = StubInterceptor(options: .init(unmatched: .passthrough))
      let configuration = interceptor.configuration()
      if ofTheWhole {
        configuration.timeoutIntervalForResource = 1
      } else {
        configuration.timeoutIntervalForRequest = 1
      }
      let session = URLSession(configuration: configuration)
      let error = await #expect(throws: URLError.self) {
        try await session.data(for: try request("GET", server.url("/slow")))
      }
      #expect(error?.code == .timedOut)
    }
  #endif

  @Test func closuresAnswerInFrontOfTheNetwork() async throws {
    let server = try server()
    let interceptor = StubInterceptor(try scenario(), options: .init(unmatched: .passthrough))
    let registration = interceptor.stub { _ in .text("closure") }
    let url = server.url("/x")
    #expect(
      try await Exchange.async.send(try request("GET", url), through: interceptor).text
        == "closure")
    registration.remove()
    #expect(
      try await Exchange.async.send(try request("GET", url), through: interceptor).text == "real:")
  }
}
