import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct RedirectTests {
  private static func scenario(_ status: Int, location: String = "/new") throws -> LoadedScenario {
    try load(
      """
      { "scenario": "test/redirect", "stubs": [
        { "key": "old", "request": { "path": "/old" },
          "responses": [ { "status": \(status), "headers": { "Location": "\(location)" }, "text": "moved" } ] },
        { "key": "new", "request": { "path": "/new" }, "responses": [ { "text": "here" } ] } ] }
      """)
  }

  @Test(arguments: Exchange.allCases, [301, 302, 303, 307, 308])
  func redirectsAreFollowed(_ exchange: Exchange, _ status: Int) async throws {
    let interceptor = StubInterceptor(try Self.scenario(status))
    let answer = try await exchange.send(
      try request("GET", "https://h.test/old#part"), through: interceptor)
    #expect(answer.status == 200)
    #expect(answer.text == "here")
    #expect(answer.response.url?.absoluteString == "https://h.test/new#part")
    #expect(interceptor.journal.map(\.stubKey) == ["old", "new"])
  }

  @Test(arguments: [
    (301, "POST", "GET", ""), (302, "POST", "GET", ""), (303, "PUT", "GET", ""),
    (303, "HEAD", "HEAD", ""), (301, "PUT", "PUT", "content"), (302, "DELETE", "DELETE", "content"),
    (307, "POST", "POST", "content"), (308, "PATCH", "PATCH", "content"),
  ])
  func methodAndContentFollowTheStatus(
    status: Int, method: String, newMethod: String, content: String
  ) async throws {
    let interceptor = StubInterceptor(try Self.scenario(status))
    _ = try await Exchange.completionHandler.send(
      try request(
        method, "https://h.test/old", headers: ["Content-Type": "text/plain", "X-Own": "1"],
        body: method == "HEAD" ? nil : "content"), through: interceptor)
    let followed = try #require(interceptor.requests.last)
    #expect(followed.method == newMethod)
    #expect(followed.text == content)
    #expect((followed.headers[.contentType] != nil) == (newMethod == method))
    #expect(followed.headers.contains { $0.name.canonicalName == "x-own" })
  }

  @Test func uploadsAreSentAgain() async throws {
    let interceptor = StubInterceptor(try Self.scenario(307))
    for exchange in Exchange.allCases {
      _ = try await exchange.send(
        try request("POST", "https://h.test/old"), upload: .data(Data("upload".utf8)),
        through: interceptor)
    }
    #expect(interceptor.requests.map(\.text) == Array(repeating: "upload", count: 6))
  }

  @Test(arguments: [
    ("https://h.test/new", true), ("https://other.test/new", false), ("http://h.test/new", false),
    ("https://h.test:8443/new", false), ("https://H.TEST:443/new", true),
  ])
  func credentialsStayAtTheirOrigin(location: String, areSent: Bool) async throws {
    let interceptor = StubInterceptor(try Self.scenario(302, location: location))
    _ = try await Exchange.async.send(
      try request("GET", "https://h.test/old", headers: ["Authorization": "Bearer x"]),
      through: interceptor)
    #expect((interceptor.requests.last?.headers[.authorization] != nil) == areSent)
  }

  @Test(arguments: Exchange.allCases)
  func aLoopOfRedirectsEnds(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(try Self.scenario(302, location: "/old"))
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request("GET", "https://h.test/old"), through: interceptor)
    }
    #expect(error?.code == .httpTooManyRedirects)
    #expect(interceptor.journal.count == 17)
  }

  @Test(arguments: Exchange.allCases)
  func aRedirectWithoutPlaceToGoIsDelivered(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/redirect", "stubs": [ { "key": "old", "responses": [ { "status": 302, "text": "moved" } ] } ] }
        """))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.status == 302)
    #expect(answer.text == "moved")
  }

  @Test(arguments: Exchange.allCases)
  func whereTheRedirectGoesToMustBeStubbedToo(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(try Self.scenario(302, location: "https://nowhere.test/x"))
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request("GET", "https://h.test/old"), through: interceptor)
    }
    #expect(error?.code == .resourceUnavailable)
    #expect(error?.failingURL?.absoluteString == "https://nowhere.test/x")
  }

  @Test func theDelegateMayRefuse() async throws {
    let interceptor = StubInterceptor(try Self.scenario(302))
    let delegate = DecidingDelegate { _ in nil }
    let answer = try await delegate.get("https://h.test/old", interceptor)
    #expect(answer.status == 302)
    #expect(answer.text == "moved")
    #expect(interceptor.journal.map(\.stubKey) == ["old"])
    #expect(delegate.asked == ["302 https://h.test/new"])
  }

  @Test func theDelegateOfATaskMayRefuse() async throws {
    let interceptor = StubInterceptor(try Self.scenario(302))
    let delegate = DecidingDelegate { _ in nil }
    let (data, response) = try await interceptor.urlSession().data(
      for: try request("GET", "https://h.test/old"), delegate: delegate)
    #expect((response as? HTTPURLResponse)?.statusCode == 302)
    #expect(String(decoding: data, as: UTF8.self) == "moved")
    #expect(delegate.asked == ["302 https://h.test/new"])
  }

  @Test func theDelegateMayChangeTheRequest() async throws {
    let interceptor = StubInterceptor(try Self.scenario(302))
    let delegate = DecidingDelegate { request in
      var request = request
      request.setValue("added", forHTTPHeaderField: "X-Added")
      return request
    }
    #expect(try await delegate.get("https://h.test/old", interceptor).text == "here")
    let sent = try #require(interceptor.requests.last)
    #expect(sent.headers.contains { $0.value == "added" })
  }

  @Test func cancellingWhileTheDelegateDecidesIsSafe() async throws {
    let interceptor = StubInterceptor(try Self.scenario(302))
    for _ in 0..<50 {
      let delegate = DecidingDelegate { request in request }
      let session = interceptor.urlSession(delegate: delegate)
      let request = try request("GET", "https://h.test/old")
      let code = await withCheckedContinuation { continuation in
        let task = session.dataTask(with: request) { _, _, error in
          continuation.resume(returning: (error as? URLError)?.code)
        }
        delegate.onAsk { task.cancel() }
        task.resume()
      }
      #expect(code == .cancelled)
    }
  }
}

/// Decides about redirects, and records the questions.
private final class DecidingDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let decide: @Sendable (URLRequest) -> URLRequest?
  private let state = Locked<(asked: [String], onAsk: (@Sendable () -> Void)?)>(([], nil))

  init(_ decide: @escaping @Sendable (URLRequest) -> URLRequest?) {
    self.decide = decide
  }

  var asked: [String] { state.withLock { $0.asked } }

  func onAsk(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.onAsk = action }
  }

  func get(_ url: String, _ interceptor: StubInterceptor) async throws -> Exchange.Answer {
    let session = interceptor.urlSession(delegate: self)
    let (data, response) = try await session.data(for: try request("GET", url))
    return Exchange.Answer(
      response: try #require(response as? HTTPURLResponse), content: data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let onAsk = state.withLock { state in
      state.asked.append("\(response.statusCode) \(request.url?.absoluteString ?? "")")
      return state.onAsk
    }
    onAsk?()
    completionHandler(decide(request))
  }
}
