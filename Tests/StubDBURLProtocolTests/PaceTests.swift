import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Scenario time that passes faster than real time.
@Suite struct PaceTests {
  private func scenario() throws -> LoadedScenario {
    try load(
      """
      { "scenario": "test/pace", "stubs": [
        { "key": "seconds", "request": { "path": "/2" }, "responses": [ { "text": "2", "delay": "2s" } ] },
        { "key": "more", "request": { "path": "/5" }, "responses": [ { "text": "5", "delay": "5s" } ] },
        { "key": "minute", "request": { "path": "/40" }, "responses": [ { "text": "40", "delay": "40s" } ] } ] }
      """)
  }

  @Test(arguments: [Pace.instant, .scaled(0.001)])
  func allAnswersComeSoon(_ pace: Pace) async throws {
    let interceptor = StubInterceptor(try scenario(), options: .init(pace: pace))
    let session = interceptor.urlSession()
    let texts = try await withThrowingTaskGroup(of: Data.self) { group in
      for path in ["/40", "/5", "/2"] {
        group.addTask { try await session.data(for: request("GET", "https://h.test\(path)")).0 }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(interceptor.journal.count == 3)
    #expect(texts == [Data("40".utf8), Data("5".utf8), Data("2".utf8)])
  }

  @Test func aTimeoutOfTheScenariosTimeComesAtOnce() async throws {
    let interceptor = StubInterceptor(try scenario(), options: .init(pace: .instant))
    var request = try request("GET", "https://h.test/40")
    request.timeoutInterval = 30
    let waiting = request
    let error = await #expect(throws: URLError.self) {
      try await interceptor.urlSession().data(for: waiting)
    }
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: Exchange.allCases)
  func piecesKeepATimeoutAway(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/pieces", "stubs": [
          { "key": "steady", "request": { "path": "/steady" },
            "responses": [ { "text": "0123456789", "chunks": { "count": 10, "over": "30s" } } ] },
          { "key": "stuck", "request": { "path": "/stuck" },
            "responses": [ { "chunks": [ { "text": "a", "after": "2s" }, { "text": "b", "after": "11s" } ] } ] } ] }
        """), options: .init(pace: .instant))
    var steady = try request("GET", "https://h.test/steady")
    steady.timeoutInterval = 10
    #expect(try await exchange.send(steady, through: interceptor).text == "0123456789")
    var stuck = try request("GET", "https://h.test/stuck")
    stuck.timeoutInterval = 10
    let waiting = stuck
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(waiting, through: interceptor)
    }
    #expect(error?.code == .timedOut)
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: [true, false])
    func timeoutsOfTheConfigurationCount(ofTheWhole: Bool) async throws {
      let interceptor = StubInterceptor(try scenario(), options: .init(pace: .instant))
      let configuration = interceptor.configuration()
      if ofTheWhole {
        configuration.timeoutIntervalForResource = 3
      } else {
        configuration.timeoutIntervalForRequest = 3
      }
      let session = URLSession(configuration: configuration)
      #expect(try await session.data(for: request("GET", "https://h.test/2")).0.count == 1)
      let error = await #expect(throws: URLError.self) {
        try await session.data(for: request("GET", "https://h.test/5"))
      }
      #expect(error?.code == .timedOut)
    }
  #endif
}
