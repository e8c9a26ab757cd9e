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
  /// Runs for a fixed count; `STUBDB_SOAK_SECONDS` makes it run for that long instead.
  @Test func twoHundredScenariosInParallelNeverMixTheirAnswers() async throws {
    let soak = ProcessInfo.processInfo.environment["STUBDB_SOAK_SECONDS"].flatMap(Double.init)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(soak ?? 0)
    let tally = Locked((rounds: 0, right: 0, wrong: [String]()))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          var round = 0
          while soak == nil ? round < 3 : clock.now < end {
            let result = await Self.round("s\(number)-\(round)")
            tally.withLock { tally in
              tally.rounds += 1
              tally.right += result.right
              tally.wrong += result.wrong
            }
            round += 1
          }
        }
      }
    }
    let (rounds, right, wrong) = tally.withLock { $0 }
    #expect(wrong == [])
    #expect(right == rounds * 7)
    if soak != nil {
      print(
        "soak: \(rounds) sessions, \(right) right answers, \(wrong.count) wrong, "
          + "\(ClassPool.shared.madeCount) classes")
    }
  }

  /// One scenario with its own answers to requests that are the same in all of them.
  private static func round(_ identity: String) async -> (right: Int, wrong: [String]) {
    let outcome = Locked((right: 0, wrong: [String]()))
    func check(_ what: String, _ got: @Sendable () async throws -> String, is wanted: String) async
    {
      let text: String
      do { text = try await got() } catch { text = "error \(error)" }
      outcome.withLock { outcome in
        if text == wanted {
          outcome.right += 1
        } else {
          outcome.wrong.append("\(identity) \(what): \(text)")
        }
      }
    }
    do {
      let interceptor = Interceptor(try load(document(identity)))
      let session = interceptor.urlSession()
      let get: @Sendable (String) async throws -> String = { path in
        String(
          decoding: try await session.data(for: try request("GET", "https://h.test/\(path)")).0,
          as: UTF8.self)
      }
      async let now: Void = check("now", { try await get("now") }, is: identity)
      async let late: Void = check("late", { try await get("late") }, is: identity)
      async let later: Void = check("later", { try await get("later") }, is: identity)
      async let unauthorized: Void = check("401", { try await get("auth") }, is: identity)
      async let upload: Void = check(
        "upload",
        {
          let request = try request("POST", "https://h.test/upload")
          return String(
            decoding: try await session.upload(for: request, from: Data(identity.utf8)).0,
            as: UTF8.self)
        }, is: "got \(identity)")
      async let failing: Void = check(
        "error",
        {
          do {
            return try await get("error")
          } catch let error as URLError {
            return "\(error.code.rawValue) \(error.failingURL?.path ?? "")"
          }
        }, is: "-1009 /error")
      _ = await (now, late, later, unauthorized, upload, failing)
      session.dataTask(with: try request("GET", "https://h.test/never")) { _, _, _ in }.resume()
      let journal = interceptor.journal.count
      interceptor.end()
      await check(
        "journal", { "\(journal >= 6) \(interceptor.journal.allSatisfy(\.isMatched))" },
        is: "true true")
    } catch {
      outcome.withLock { $0.wrong.append("\(identity): \(error)") }
    }
    return outcome.withLock { $0 }
  }

  private static func document(_ identity: String) -> String {
    """
    { "scenario": "test/\(identity)", "stubs": [
      { "key": "now", "request": { "path": "/now" }, "responses": [ { "text": "\(identity)" } ] },
      { "key": "late", "request": { "path": "/late" }, "responses": [ { "text": "\(identity)", "delay": "1ms" } ] },
      { "key": "later", "request": { "path": "/later" }, "responses": [ { "text": "\(identity)", "delay": "3ms" } ] },
      { "key": "auth", "request": { "path": "/auth" },
        "responses": [ { "status": 401, "headers": { "WWW-Authenticate": "Basic realm=r" }, "text": "\(identity)" } ] },
      { "key": "upload", "request": { "method": "POST", "path": "/upload", "body": { "equalTo": "\(identity)" } },
        "responses": [ { "text": "got \(identity)" } ] },
      { "key": "error", "request": { "path": "/error" }, "responses": [ { "error": "notConnectedToInternet" } ] },
      { "key": "never", "request": { "path": "/never" }, "responses": [ { "delay": "3600s" } ] } ] }
    """
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

  @Test func theSharedSessionIsAnsweredByOneInterceptorUntilItEnds() async throws {
    let first = Interceptor(try answering(StubResponse(body: .text("shared"))))
    try first.interceptSharedSession()
    let (data, _) = try await URLSession.shared.data(for: try request())
    #expect(String(decoding: data, as: UTF8.self) == "shared")
    let second = Interceptor(try answering(StubResponse(body: .text("second"))))
    let error = #expect(throws: SharedSessionError.self) { try second.interceptSharedSession() }
    #expect(error?.description.contains(".serialized") == true)
    first.end()
    try second.interceptSharedSession()
    let (again, _) = try await URLSession.shared.data(for: try request())
    #expect(String(decoding: again, as: UTF8.self) == "second")
    second.end()
    let remaining = URLSession.shared.configuration.protocolClasses ?? []
    let ours = remaining.filter { $0 is StubURLProtocol.Type }
    #expect(ours.isEmpty)
  }
}
