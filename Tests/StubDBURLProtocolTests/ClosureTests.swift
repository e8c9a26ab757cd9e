import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBSupport
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ClosureTests {
  private let scenario: LoadedScenario

  init() throws {
    scenario = try load(
      """
      { "scenario": "test/closures", "stubs": [
        { "key": "things", "request": { "url": "\(apiURL)" }, "responses": [ { "text": "scenario" } ] } ] }
      """)
  }

  @Test(arguments: Exchange.allCases)
  func theNewestThatAnswersWinsAndTheScenarioComesLast(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(scenario)
    interceptor.stub { request in request.method == "GET" ? nil : .text("oldest") }
    interceptor.stub { request in request.method == "PUT" ? .text("newest") : nil }
    let texts = try await ["PUT", "POST", "GET"].asyncMap { method in
      try await exchange.send(try request(method), through: interceptor).text
    }
    #expect(texts == ["newest", "oldest", "scenario"])
    #expect(interceptor.journal.count == 3)
    #expect(interceptor.journal.last?.stubKey == "things")
    #expect(
      interceptor.journal.first?.stubKey?.hasPrefix("closure at ") == true
        && interceptor.journal.first?.stubKey?.contains("ClosureTests.swift:") == true)
  }

  @Test func removedClosuresLeaveTheScenario() async throws {
    let interceptor = StubInterceptor(scenario)
    interceptor.stub { _ in .text("closure") }
    let registration = interceptor.stub { _ in .text("newest") }
    registration.remove()
    #expect(
      try await Exchange.async.send(try request(), through: interceptor).text == "closure")
    interceptor.removeClosures()
    #expect(
      try await Exchange.async.send(try request(), through: interceptor).text == "scenario")
  }

  @Test func aPatternSaysWhichRequestsAClosureSees() async throws {
    let interceptor = StubInterceptor(scenario)
    try interceptor.stub(.post, "https://api.shop.test/v1/{kind}?page=2") { request in
      .json(["url": .string(request.url)], status: 201)
    }
    let answer = try await Exchange.async.send(
      try request("POST", "https://api.shop.test/v1/orders?page=2&size=3"), through: interceptor)
    #expect(answer.status == 201)
    #expect(answer.text == #"{"url":"https://api.shop.test/v1/orders?page=2&size=3"}"#)
    #expect(
      try await Exchange.async.send(try request(), through: interceptor).text == "scenario")
    #expect(throws: DocumentError.self) {
      try interceptor.stub(.get, "not a url") { _ in nil }
    }
  }

  @Test func aResourceKeepsItemsInFrontOfTheScenario() async throws {
    let interceptor = StubInterceptor(scenario)
    let registration = try interceptor.stub(
      resourceAt: apiURL, id: .integer, seed: [["id": 1, "name": "Ada"]])
    let (posted, url) = (try request("POST", body: #"{"name":"Bob"}"#), "\(apiURL)/1")
    let created = try await Exchange.async.send(posted, through: interceptor)
    #expect(created.status == 201 && created.text == #"{"id":2,"name":"Bob"}"#)
    #expect(created.header("Location") == "\(apiURL)/2")
    let removed = try await Exchange.async.send(try request("DELETE", url), through: interceptor)
    #expect(removed.status == 204)
    #expect(
      try await Exchange.async.send(try request(), through: interceptor).text
        == #"[{"id":2,"name":"Bob"}]"#)
    #expect(interceptor.journal.map(\.status) == [201, 204, 200])
    #expect(interceptor.journal.first?.stubKey?.contains("ClosureTests.swift:") == true)
    // Another interceptor, as of another test, begins with its own.
    let other = StubInterceptor(scenario)
    try other.stub(resourceAt: apiURL, id: .integer, seed: [["id": 1, "name": "Ada"]])
    #expect(try await Exchange.async.send(try request(), through: other).text.contains("Ada"))
    registration.remove()
    #expect(
      try await Exchange.async.send(try request(), through: interceptor).text == "scenario")
    #expect(throws: DocumentError.self) { try interceptor.stub(resourceAt: "/v1/{kind}") }
  }

  private struct Refusal: Error, Equatable { let number: Int }

  @Test(arguments: Exchange.allCases)
  func whatAClosureThrowsIsWhatTheClientGets(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(scenario)
    interceptor.stub { _ in throw URLError(.notConnectedToInternet) }
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request(), through: interceptor)
    }
    #expect(error?.code == .notConnectedToInternet)
    #if canImport(FoundationNetworking)
      interceptor.stub { _ in throw Refusal(number: 3) }
      await #expect(throws: Refusal(number: 3)) {
        try await exchange.send(try request(), through: interceptor)
      }
    #endif
  }

  @Test func uploadBodiesReachClosures() async throws {
    let interceptor = StubInterceptor(scenario)
    interceptor.stub { request in
      let sent: [String: Int] = try request.decoded()
      return try .json(encoding: sent.mapValues { $0 + 1 })
    }
    let answer = try await Exchange.delegate.send(
      try request("POST"), upload: .stream(Data(#"{"count":1}"#.utf8)), through: interceptor)
    #expect(answer.text == #"{"count":2}"#)
    let received = try #require(try interceptor.requests(to: apiURL, method: .post).first)
    #expect(try received.json() == ["count": 1])
    #expect(try interceptor.requests(to: apiURL, method: .get).isEmpty)
  }

  @Test func closuresMayWaitAndRunSideBySide() async throws {
    let interceptor = StubInterceptor(scenario)
    let arrived = Locked([CheckedContinuation<Void, Never>]())
    interceptor.stub { _ in
      await withCheckedContinuation { continuation in
        let all = arrived.withLock { arrived in
          arrived.append(continuation)
          return arrived.count == 8 ? arrived : []
        }
        for one in all { one.resume() }
      }
      return .text("together")
    }
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try await Exchange.async.send(try request(), through: interceptor).text }
      }
      for try await text in group { #expect(text == "together") }
    }
  }

  @Test func aClosureThatTakesTooLongTimesOut() async throws {
    let interceptor = StubInterceptor(scenario)
    let (wasCancelled, cancellation) = AsyncStream.makeStream(of: Void.self)
    interceptor.stub { _ in
      do { try await Task.sleep(for: .seconds(3600)) } catch { cancellation.finish() }
      return .text("late")
    }
    var request = try request()
    request.timeoutInterval = 0.05
    let error = await #expect(throws: URLError.self) {
      try await Exchange.completionHandler.send(request, through: interceptor)
    }
    #expect(error?.code == .timedOut)
    for await _ in wasCancelled {}
  }

  @TaskLocal private static var mark = "none"

  @Test func closuresSeeTheTaskLocalValuesOfWhereTheyWereRegistered() async throws {
    let interceptor = StubInterceptor(scenario)
    Self.$mark.withValue("test") {
      _ = interceptor.stub { _ in .text(Self.mark) }
    }
    #expect(try await Exchange.async.send(try request(), through: interceptor).text == "test")
  }

  @Test func expectationsInsideBelongToTheTest() async throws {
    let interceptor = StubInterceptor(scenario)
    await withKnownIssue {
      interceptor.stub { request in
        #expect(request.method == "DELETE")
        return .status(204)
      }
      _ = try await Exchange.async.send(try request(), through: interceptor)
    }
  }

  @Test func noClosureAnswersAfterTheEnd() async throws {
    let interceptor = StubInterceptor(scenario)
    interceptor.stub { _ in .text("closure") }
    interceptor.end()
    await #expect(throws: URLError.self) {
      try await Exchange.async.send(try request(), through: interceptor)
    }
  }

  @Test func foundationResponsesCanBeHandedOver() async throws {
    let interceptor = StubInterceptor(scenario)
    interceptor.stub { request in
      let url = try #require(URL(string: request.url))
      let response = try #require(
        HTTPURLResponse(
          url: url, statusCode: 418, httpVersion: nil, headerFields: ["X-Pot": "tea"]))
      return StubResponse(response, content: Data("short and stout".utf8))
    }
    let answer = try await Exchange.async.send(try request(), through: interceptor)
    #expect(answer.status == 418)
    #expect(answer.header("X-Pot") == "tea")
    #expect(answer.text == "short and stout")
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(
    _ transform: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
