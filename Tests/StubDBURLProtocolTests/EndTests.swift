import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The end of a run while requests are in progress.
@Suite struct EndTests {
  /// The run ends while requests of all kinds are before, in or after a closure.
  @Test(arguments: [0, 1, 7, 40])
  func aRequestUnderWayAtTheEndIsCancelledAndNoProblem(_ yields: Int) async throws {
    for round in 0..<150 {
      try await SessionLimit.shared.run { try await endWhileRequestsAreUnderWay(yields, round) }
    }
  }

  private func endWhileRequestsAreUnderWay(_ yields: Int, _ round: Int) async throws {
    let interceptor = StubInterceptor()
    try interceptor.stub("https://h.test/x") { request in
      if round % 3 == 0 { try await Task.sleep(for: .seconds(3600)) }
      if round % 3 == 1 { await Task.yield() }
      return .text("closure")
    }
    let session = interceptor.urlSession()
    let outcomes = await withTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { await Self.outcome(in: session) } }
      for _ in 0..<yields { await Task.yield() }
      interceptor.end()
      #expect(throws: Never.self) { try interceptor.verify() }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outcomes.subtracting(["closure", "cancelled"]) == [])
    #expect(throws: Never.self) { try interceptor.verify() }
    #expect(!interceptor.journal.contains { !$0.isMatched })
  }

  private static func outcome(in session: URLSession) async -> String {
    await withCheckedContinuation { continuation in
      guard let url = URL(string: "https://h.test/x") else {
        return continuation.resume(returning: "no URL")
      }
      // On a busy machine, the end may come only after the default time-out of one minute.
      session.dataTask(with: URLRequest(url: url, timeoutInterval: 3600)) { data, _, error in
        let code = (error as? URLError)?.code
        continuation.resume(
          returning: code == .cancelled
            ? "cancelled" : error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self)
        )
      }.resume()
    }
  }

  @Test func aClosureThatPassesARequestOnAfterTheEndDoesNotLeaveItToTheScenario() async throws {
    let interceptor = StubInterceptor()
    let (mayGoOn, goOn) = AsyncStream.makeStream(of: Void.self)
    let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
    interceptor.stub { _ in
      begin.finish()
      for await _ in mayGoOn {}
      return nil
    }
    let session = interceptor.urlSession()
    async let outcome = Self.outcome(in: session)
    for await _ in hasBegun {}
    interceptor.end()
    goOn.finish()
    #expect(await outcome == "cancelled")
    #expect(interceptor.journal.isEmpty)
    try interceptor.verify()
  }

  /// More blocked closures than Dispatch has threads, and requests that do not need them.
  @Test func closuresThatBlockDoNotDelayOtherRequests() async throws {
    let interceptor = StubInterceptor()
    let gate = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let count = 300
    try interceptor.stub("/block") { _ in
      beginning.yield()
      Self.wait(for: gate)
      return .text("closure")
    }
    try interceptor.stub("/quick") { _ in .text("quick") }
    try interceptor.stub("/never") { _ in
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
    let session = interceptor.urlSession()
    let blocked = (0..<count).map { _ in Self.start("https://h.test/block", in: session) }
    for await _ in begun.prefix(count) {}
    let quick = Self.start("https://h.test/quick", in: session)
    #expect(await quick.value == "quick")
    let late = Self.start("https://h.test/never", in: session, timeout: 0.05)
    #expect(await late.value == "timedOut")
    for _ in 0..<count { gate.signal() }
    for answer in blocked { #expect(await answer.value == "closure") }
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }

  private static func start(
    _ url: String, in session: URLSession, timeout: Double = 3600
  ) -> Task<String, Never> {
    Task {
      guard let url = URL(string: url) else { return "no URL" }
      var request = URLRequest(url: url)
      request.timeoutInterval = timeout
      do {
        return String(decoding: try await session.data(for: request).0, as: UTF8.self)
      } catch {
        return (error as? URLError)?.code == .timedOut ? "timedOut" : "\(error)"
      }
    }
  }
}
