import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport
import Testing

@testable import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Many concurrent scenarios with the same requests and different answers.
@Suite struct SoakTests {
  /// Runs a fixed number of scenarios; with `STUBDB_SOAK_SECONDS`, two hundred run for that long, and the memory is checked.
  @Test func scenariosInParallelNeverMixTheirAnswers() async throws {
    let soak = ProcessInfo.processInfo.environment["STUBDB_SOAK_SECONDS"].flatMap(Double.init)
    let clock = ContinuousClock()
    let start = clock.now
    let tally = Locked((rounds: 0, right: 0, wrong: [String](), memory: [Int]()))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<(soak == nil ? 50 : 200) {
        group.addTask {
          var round = 0
          while soak.map({ clock.now - start < .seconds($0) }) ?? (round < 12) {
            let (right, wrong) = await SoakRound(identity: "s\(number)-\(round)").run()
            tally.withLock { tally in
              tally.rounds += 1
              tally.right += right
              tally.wrong += wrong
              if number == 0 { tally.memory.append(Self.residentMegabytesWithoutClasses) }
            }
            round += 1
          }
        }
      }
    }
    let (rounds, right, wrong, memory) = tally.withLock { $0 }
    #expect(wrong.prefix(20) == [])
    #expect(right == rounds * SoakRound.checkCount)
    guard soak != nil else { return }
    let early = memory[memory.count / 3]
    let late = memory[memory.count - 1]
    print(
      "soak: \(rounds) rounds, \(right) right answers, \(wrong.count) wrong, "
        + "\(ClassTable.shared.madeCount) classes, \(early) MB after a third, \(late) MB at the end"
    )
    print(stride(from: 0, to: memory.count, by: max(1, memory.count / 12)).map { memory[$0] })
    #expect(late < early + max(20, early / 4), "memory is not flat: \(memory)")
  }

  /// The memory of the process without that of the interceptors' classes, which is never freed; 0 if the system does not
  /// report it in a file.
  private static var residentMegabytesWithoutClasses: Int {
    let classSize = 800
    return max(0, (ResidentMemory.byteCount ?? 0) - ClassTable.shared.madeCount * classSize)
      / 1_000_000
  }
}

/// A scenario with its own answers, and a session that requests all of them at once.
private struct SoakRound: Sendable {
  static let checkCount = 15

  let identity: String

  private typealias Check = (what: String, wanted: String, get: @Sendable () async throws -> String)

  func run() async -> (right: Int, wrong: [String]) {
    do {
      let interceptor = StubInterceptor(try load(document))
      let session = interceptor.urlSession()
      try interceptor.stub("/closure") { [identity] request in
        await Task.yield()
        return .text("\(identity) \(request.method)")
      }
      let outcome = await withTaskGroup(of: String?.self) { group in
        for check in checks(interceptor, session) {
          group.addTask {
            let text: String
            do { text = try await check.get() } catch { text = "error \(error)" }
            return text == check.wanted ? nil : "\(identity) \(check.what): \(text)"
          }
        }
        return await group.reduce(into: [String?]()) { $0.append($1) }
      }
      session.dataTask(with: try request("GET", "https://h.test/never")) { _, _, _ in }.resume()
      interceptor.end()
      return (outcome.count { $0 == nil }, outcome.compactMap { $0 })
    } catch {
      return (0, ["\(identity): \(error)"])
    }
  }

  private func checks(_ interceptor: StubInterceptor, _ session: URLSession) -> [Check] {
    let get: @Sendable (String) async throws -> String = { path in
      let sent = try request("GET", "https://h.test/\(path)")
      return String(decoding: try await session.data(for: sent).0, as: UTF8.self)
    }
    return [
      ("now", identity, { try await get("now") }),
      ("late", identity, { try await get("late") }),
      ("later", identity, { try await get("later") }),
      ("401", identity, { try await get("auth") }),
      ("redirect", identity, { try await get("moved") }),
      ("pieces", identity + "!", { try await get("pieces") }),
      ("closure", "\(identity) GET", { try await get("closure") }),
      ("error", "-1009 /error", { try await urlError { try await get("error") } }),
      ("connection lost", "-1005 /broken", { try await urlError { try await get("broken") } }),
      (
        "time-out", "-1001 /never",
        {
          var sent = try request("GET", "https://h.test/never")
          sent.timeoutInterval = 0.01
          let waiting = sent
          return try await urlError {
            String(decoding: try await session.data(for: waiting).0, as: UTF8.self)
          }
        }
      ),
      ("cancelled", "cancelled", { try await cancelled(in: session) }),
      (
        "upload", "got \(identity)",
        {
          let sent = try request("POST", "https://h.test/upload")
          return String(
            decoding: try await session.upload(for: sent, from: Data(identity.utf8)).0,
            as: UTF8.self)
        }
      ),
      (
        "stream", "got \(identity)",
        {
          try await Exchange.delegate.send(
            try request("POST", "https://h.test/upload"), upload: .stream(Data(identity.utf8)),
            through: interceptor
          ).text
        }
      ),
      (
        "pieces of a delegate", identity + "!",
        {
          try await Exchange.delegate.send(
            try request("GET", "https://h.test/pieces"), through: interceptor
          ).text
        }
      ),
      (
        "cookies", "hello \(identity)",
        {
          let own = interceptor.urlSession()
          _ = try await own.data(for: try request("GET", "https://h.test/login"))
          let home = try request("GET", "https://h.test/home")
          return String(decoding: try await own.data(for: home).0, as: UTF8.self)
        }
      ),
    ]
  }

  private func urlError(_ body: () async throws -> String) async throws -> String {
    do {
      return try await body()
    } catch let error as URLError {
      return "\(error.code.rawValue) \(error.failingURL?.path ?? "")"
    }
  }

  /// Uses a completion handler, because cancelling the async form around its answer stops the process in Foundation 6.3.1
  /// (swift-corelibs-foundation#5412).
  private func cancelled(in session: URLSession) async throws -> String {
    let sent = try request("GET", "https://h.test/late")
    return await withCheckedContinuation { continuation in
      let task = session.dataTask(with: sent) { data, _, error in
        // If the answer comes first, it must be the right one.
        let isRight = data.map { String(decoding: $0, as: UTF8.self) } == identity
        let isCancelled = (error as? URLError)?.code == .cancelled
        continuation.resume(returning: isRight || isCancelled ? "cancelled" : "\(error as Any)")
      }
      task.resume()
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(900)) { task.cancel() }
    }
  }

  private var document: String {
    """
    { "scenario": "test/\(identity)", "stubs": [
      { "key": "now", "request": { "path": "/now" }, "responses": [ { "text": "\(identity)" } ] },
      { "key": "late", "request": { "path": "/late" }, "responses": [ { "text": "\(identity)", "delay": "1ms" } ] },
      { "key": "later", "request": { "path": "/later" }, "responses": [ { "text": "\(identity)", "delay": "3ms" } ] },
      { "key": "auth", "request": { "path": "/auth" },
        "responses": [ { "status": 401, "headers": { "WWW-Authenticate": "Basic realm=r" }, "text": "\(identity)" } ] },
      { "key": "moved", "request": { "path": "/moved" },
        "responses": [ { "status": 302, "headers": { "Location": "/now" }, "delay": "1ms" } ] },
      { "key": "pieces", "request": { "path": "/pieces" }, "responses": [ { "chunks": [
        { "text": "\(identity.prefix(1))" }, { "text": "\(identity.dropFirst())", "after": "1ms" }, { "text": "!", "after": "1ms" } ] } ] },
      { "key": "upload", "request": { "method": "POST", "path": "/upload", "body": { "equalTo": "\(identity)" } },
        "responses": [ { "text": "got \(identity)" } ] },
      { "key": "error", "request": { "path": "/error" }, "responses": [ { "error": "notConnectedToInternet" } ] },
      { "key": "broken", "request": { "path": "/broken" }, "responses": [ { "fault": "connectionReset", "delay": "1ms" } ] },
      { "key": "login", "request": { "path": "/login" },
        "responses": [ { "headers": { "Set-Cookie": "session=\(identity); Path=/" } } ] },
      { "key": "home", "request": { "path": "/home", "cookies": { "session": "\(identity)" } },
        "responses": [ { "text": "hello \(identity)" } ] },
      { "key": "never", "request": { "path": "/never" }, "responses": [ { "fault": "never" } ] } ] }
    """
  }
}
