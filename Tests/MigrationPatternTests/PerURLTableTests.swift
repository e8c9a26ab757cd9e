import Foundation
import StubDB
import StubDBJSON
import StubDBModel
import StubDBSupport
import StubDBTestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A table of `(data, response, error)` by URL: register, unregister, only stubbed URLs intercepted.
@Suite struct PerURLTableTests {
  /// A team's test support, built on an interceptor.
  private final class StubTable: Sendable {
    let interceptor = StubInterceptor(options: .init(unmatched: .passthrough))
    private let registrations = Locked([String: ClosureRegistration]())

    var session: URLSession { interceptor.urlSession() }

    func register(
      _ url: URL, data: Data? = nil, response: HTTPURLResponse? = nil, error: (any Error)? = nil
    ) throws {
      let registration = try interceptor.stub(url.absoluteString) { _ in
        if let error { throw error }
        guard let response else { return .data(data ?? Data()) }
        return StubResponse(response, content: data ?? Data())
      }
      registrations.withLock { $0.updateValue(registration, forKey: url.absoluteString) }?.remove()
    }

    func unregister(_ url: URL) {
      registrations.withLock { $0.removeValue(forKey: url.absoluteString) }?.remove()
    }
  }

  private let table = StubTable()

  private func url(_ path: String, port: Int = 443) throws -> URL {
    try #require(
      URL(string: port == 443 ? "https://h.test\(path)" : "http://127.0.0.1:\(port)\(path)"))
  }

  @Test func dataAndResponseOfTheURLComeBack() async throws {
    let user = try url("/user")
    let response = try #require(
      HTTPURLResponse(url: user, statusCode: 201, httpVersion: nil, headerFields: ["X-A": "1"]))
    try table.register(user, data: Data("ada".utf8), response: response)
    try table.register(try url("/other"), data: Data("other".utf8))
    let (data, received) = try await table.session.data(from: user)
    #expect(data == Data("ada".utf8))
    #expect((received as? HTTPURLResponse)?.statusCode == 201)
    #expect((received as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-A") == "1")
    let (other, _) = try await table.session.data(from: try url("/other"))
    #expect(other == Data("other".utf8))
  }

  @Test func theSameErrorComesBack() async throws {
    let registered = NSError(domain: "shop", code: 42, userInfo: ["reason": "sold out"])
    try table.register(try url("/broken"), error: registered)
    do {
      _ = try await table.session.data(from: try url("/broken"))
      Issue.record("no error came")
    } catch {
      let received = error as NSError
      #expect(received.domain == "shop")
      #expect(received.code == 42)
      #expect(received.userInfo["reason"] as? String == "sold out")
    }
  }

  @Test func onlyRegisteredURLsAreIntercepted() async throws {
    let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nreal" }
    let here = try url("/here", port: server.port)
    try table.register(here, data: Data("stub".utf8))
    #expect(try await table.session.data(from: here).0 == Data("stub".utf8))
    let elsewhere = try url("/elsewhere", port: server.port)
    #expect(try await table.session.data(from: elsewhere).0 == Data("real".utf8))
    table.unregister(here)
    #expect(try await table.session.data(from: here).0 == Data("real".utf8))
    #expect(server.requests.count == 2)
  }
}
