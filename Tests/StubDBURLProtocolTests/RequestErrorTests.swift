import Foundation
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct RequestErrorTests {
  private func error(
    _ stubbed: ResponseError, _ exchange: Exchange
  ) async throws -> (any Error)? {
    let interceptor = StubInterceptor(try answering(StubResponse(error: stubbed)))
    do {
      _ = try await exchange.send(try request(), through: interceptor)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: Exchange.allCases)
  func loadingErrorsAreURLErrorsThatNameTheURL(_ exchange: Exchange) async throws {
    let stubbed = ResponseError(
      domain: NSURLErrorDomain, code: -1009, userInfo: ["NSLocalizedDescription": "offline"])
    let error = try #require(try await error(stubbed, exchange) as? URLError)
    #expect(error.code == .notConnectedToInternet)
    #expect(error.failingURL?.absoluteString == apiURL)
    #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == apiURL)
    #expect(error.localizedDescription == "offline")
  }

  @Test(arguments: Exchange.allCases)
  func errorsOfOtherDomainsKeepDomainCodeAndUserInfo(_ exchange: Exchange) async throws {
    let stubbed = ResponseError(
      domain: "shop", code: 42, userInfo: ["tries": 3, "reasons": ["a", "b"]])
    let error = try #require(try await error(stubbed, exchange)) as NSError
    #expect(error.domain == "shop")
    #expect(error.code == 42)
    #expect(error.userInfo["tries"] as? Int == 3)
    #expect(error.userInfo["reasons"] as? [String] == ["a", "b"])
  }

  @Test(arguments: Exchange.allCases)
  func unmatchedRequestFailsWithTheReport(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/near", "stubs": [
          { "key": "read", "request": { "method": "GET", "url": "\(apiURL)" } } ] }
        """))
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request("DELETE"), through: interceptor)
    }
    #expect(error?.code == .resourceUnavailable)
    #expect(error?.failingURL?.absoluteString == apiURL)
    let event = try #require(interceptor.journal.first)
    #expect(!event.isMatched)
    #expect(event.nearMisses.map(\.key) == ["read"])
    let failure = try #require(
      #expect(throws: VerificationError.self) { try interceptor.verify() })
    #expect(failure.problems.map(\.kind) == [.unmatchedRequest])
    #expect(error?.localizedDescription == failure.description)
  }

  @Test(arguments: Exchange.allCases)
  func unmatchedRequestGetsTheStatusThatThePolicySays(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try LoadedScenario(Scenario(name: ScenarioName(unchecked: "test/empty"))),
      options: .init(unmatched: .respond(404)))
    let answer = try await exchange.send(try request(), through: interceptor)
    #expect(answer.status == 404)
    #expect(answer.text.contains("test/empty"))
    #expect(interceptor.journal.map(\.isMatched) == [false])
    try interceptor.verify()
  }

  @Test func requestWithoutURLFails() async throws {
    let interceptor = StubInterceptor(try answering(StubResponse()))
    let broken: URLRequest = try {
      var request = try request()
      request.url = nil
      return request
    }()
    let error = await #expect(throws: URLError.self) {
      try await Exchange.async.send(broken, through: interceptor)
    }
    #expect(error?.code == .badURL)
  }

  #if canImport(FoundationNetworking)
    @Test func downloadTasksAreRefusedWithAReasonOnLinux() async throws {
      let interceptor = StubInterceptor(try answering(StubResponse(body: .text("file"))))
      let session = interceptor.urlSession()
      let url = try #require(URL(string: apiURL))
      let error = await #expect(throws: URLError.self) {
        _ = try await session.download(from: url)
      }
      #expect(error?.code == .unsupportedURL)
      #expect(error?.localizedDescription.contains("Download tasks cannot be stubbed") == true)
    }
  #else
    @Test func downloadTasksGetTheirFileOnAppleSystems() async throws {
      let interceptor = StubInterceptor(try answering(StubResponse(body: .text("file"))))
      let url = try #require(URL(string: apiURL))
      let (file, _) = try await interceptor.urlSession().download(from: url)
      #expect(try Data(contentsOf: file) == Data("file".utf8))
    }
  #endif
}
