import Foundation
import HTTPTypes
import StubDBEngine
import StubDBModel
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct IsolationTests {
  @Test func headerFieldsOfAForeignConfigurationAreMatched() async throws {
    let interceptor = Interceptor(
      try load(
        """
        { "scenario": "test/fields", "stubs": [
          { "key": "a", "request": { "headers": { "X-App": "1", "Accept": "text/plain" } }, "responses": [ { "text": "seen" } ] } ] }
        """))
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses = [interceptor.protocolClass]
    configuration.urlCache = nil
    configuration.httpAdditionalHeaders = ["X-App": "1", "Accept": "of the configuration"]
    let session = URLSession(configuration: configuration)
    let (data, _) = try await session.data(
      for: try request(headers: ["Accept": "text/plain"]))
    #expect(String(decoding: data, as: UTF8.self) == "seen")
  }

  @Test func nothingIsAddedToTheRequest() async throws {
    let interceptor = Interceptor(try answering(StubResponse()))
    let session = interceptor.urlSession()
    let sent = try request("GET", apiURL, headers: ["X-Own": "1"])
    let seen = await withCheckedContinuation { continuation in
      let holder = Locked<URLSessionTask?>(nil)
      let task = session.dataTask(with: sent) { _, _, _ in
        let task = holder.withLock { $0 }
        continuation.resume(
          returning: [task?.originalRequest, task?.currentRequest].map {
            $0?.allHTTPHeaderFields ?? [:]
          })
      }
      holder.withLock { $0 = task }
      task.resume()
    }
    #expect(seen == [["X-Own": "1"], ["X-Own": "1"]])
    #expect(interceptor.journal.first?.request.headers.map(\.name.canonicalName) == ["x-own"])
  }

  @Test func aClassIsLeasedAgainOnlyWhenNoSessionCanReachIt() throws {
    let pool = ClassPool()
    let responder = RunResponder(
      run: try answering(StubResponse()).run(), policy: .fail, allowsPassthrough: false)
    let handedOut = pool.lease(for: responder)
    let watched = pool.lease(for: responder)
    #expect(watched != handedOut)
    let session = Locked<URLSession?>(URLSession(configuration: .ephemeral))
    let weak = try #require(session.withLock { $0.map(WeakSession.init) })
    pool.retire(handedOut, sessions: nil)
    pool.retire(watched, sessions: [weak])
    #expect(pool.responder(of: watched) == nil)

    let whileAlive = (0..<20).map { _ in pool.lease(for: responder) }
    #expect(!whileAlive.contains { $0 == watched || $0 == handedOut })
    session.withLock { $0 = nil }
    let afterwards = (0..<20).map { _ in pool.lease(for: responder) }
    #expect(afterwards.filter { $0 == watched }.count == 1)
    #expect(!afterwards.contains { $0 == handedOut })
    #expect(pool.madeCount == 2 + 20 + 19)
  }

  @Test func aSessionOfACopiedConfigurationIsAnsweredByNobodyElse() async throws {
    let derived: URLSession
    do {
      let interceptor = Interceptor(try answering(StubResponse(body: .text("mine"))))
      derived = URLSession(configuration: interceptor.urlSession().configuration)
      interceptor.end()
    }
    let others = try (0..<30).map { _ in
      Interceptor(try answering(StubResponse(body: .text("another test's"))))
    }
    let sent = try request()
    let error = await #expect(throws: URLError.self) { try await derived.data(for: sent) }
    #expect(error?.code == .cancelled)
    #expect(others.allSatisfy { $0.journal.isEmpty })
  }

  @Test func configurationsAndClassesCanBeHandedToOthers() async throws {
    let interceptor = Interceptor(try answering(StubResponse(body: .text("mine"))))
    let own = URLSessionConfiguration.default
    own.protocolClasses = [interceptor.protocolClass]
    for configuration in [interceptor.configuration(), own] {
      let session = URLSession(configuration: configuration)
      let (data, _) = try await session.data(for: try request())
      #expect(String(decoding: data, as: UTF8.self) == "mine")
    }
    #expect(interceptor.configuration().httpCookieStorage != nil)
    #expect(interceptor.configuration().urlCache == nil)
  }
}
