import Foundation
import HTTPTypes
import StubDBEngine
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct CookieTests {
  private func scenario() throws -> LoadedScenario {
    try load(
      """
      { "scenario": "test/cookies", "stubs": [
        { "key": "login", "request": { "path": "/login" },
          "responses": [ { "headers": { "Set-Cookie": ["session=abc; Path=/", "theme=dark; Path=/"] } } ] },
        { "key": "redirect", "request": { "path": "/redirect" },
          "responses": [ { "status": 302, "headers": { "Location": "/home", "Set-Cookie": "session=abc; Path=/" } } ] },
        { "key": "home", "request": { "path": "/home", "cookies": { "session": "abc" } }, "responses": [ { "text": "hello" } ] } ] }
      """)
  }

  @Test func cookiesAreStoredInTheSessionAndSent() async throws {
    let interceptor = StubInterceptor(try scenario())
    let session = interceptor.urlSession()
    _ = try await session.data(for: try request("GET", "https://h.test/login"))
    let (data, _) = try await session.data(for: try request("GET", "https://h.test/home"))
    #expect(String(decoding: data, as: UTF8.self) == "hello")
    #expect(interceptor.requests.last?.headers[.cookie]?.contains("theme=dark") == true)
  }

  @Test func cookiesOfARedirectGoWithTheRequestThatFollows() async throws {
    let interceptor = StubInterceptor(try scenario())
    let answer = try await Exchange.async.send(
      try request("GET", "https://h.test/redirect"), through: interceptor)
    #expect(answer.text == "hello")
  }

  @Test func aCookieThatARedirectTakesAwayIsNotSentAgain() async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/logout", "stubs": [
          { "key": "in", "request": { "path": "/in" },
            "responses": [ { "headers": { "Set-Cookie": "sid=1; Path=/" } } ] },
          { "key": "out", "request": { "path": "/out" },
            "responses": [ { "status": 302, "headers": { "Location": "/bye",
              "Set-Cookie": "sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT" } } ] },
          { "key": "bye", "request": { "path": "/bye" } } ] }
        """))
    let session = interceptor.urlSession()
    _ = try await session.data(for: try request("GET", "https://h.test/in"))
    _ = try await session.data(for: try request("GET", "https://h.test/out"))
    var own = try request("GET", "https://h.test/out")
    own.setValue("own=1", forHTTPHeaderField: "Cookie")
    _ = try await session.data(for: own)
    #expect(
      interceptor.requests.map { $0.headers[.cookie] } == [nil, "sid=1", nil, "own=1", "own=1"])
  }

  @Test func cookiesDoNotReachAnotherInterceptorOrTheProcess() async throws {
    let interceptor = StubInterceptor(try scenario())
    _ = try await interceptor.urlSession().data(for: try request("GET", "https://h.test/login"))
    let other = StubInterceptor(try scenario())
    await #expect(throws: URLError.self) {
      try await other.urlSession().data(for: try request("GET", "https://h.test/home"))
    }
    let url = try #require(URL(string: "https://h.test/home"))
    #expect(HTTPCookieStorage.shared.cookies(for: url)?.isEmpty != false)
  }

  @Test func requestsThatHandleNoCookiesStoreNone() async throws {
    let interceptor = StubInterceptor(try scenario())
    let configuration = interceptor.configuration()
    let session = URLSession(configuration: configuration)
    var login = try request("GET", "https://h.test/login")
    login.httpShouldHandleCookies = false
    _ = try await session.data(for: login)
    #expect(configuration.httpCookieStorage?.cookies?.isEmpty != false)
  }
}
