import Foundation
import StubDBEngine
import StubDBModel
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Delays, cancellation, suspension, and the end.
@Suite struct RequestLifetimeTests {
  /// Long enough that it never comes during a test.
  private static let never = ResponseDelay.fixed(.seconds(3600))

  private func delayed(_ delay: ResponseDelay) throws -> LoadedScenario {
    try answering(StubResponse(body: .text("late"), delay: delay))
  }

  @Test(arguments: Exchange.allCases)
  func delayedAnswersArriveWhileManyAreUnderWay(_ exchange: Exchange) async throws {
    let interceptor = Interceptor(try delayed(.fixed(.milliseconds(3))))
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<40 {
        group.addTask { try await exchange.send(try request(), through: interceptor).text }
      }
      for try await text in group { #expect(text == "late") }
    }
    #expect(interceptor.journal.count == 40)
  }

  @Test(arguments: Exchange.allCases)
  func instantPaceWaitsForNothing(_ exchange: Exchange) async throws {
    let interceptor = Interceptor(try delayed(.fixed(.seconds(50))), pace: .instant)
    #expect(try await exchange.send(try request(), through: interceptor).text == "late")
  }

  @Test(arguments: Exchange.allCases)
  func delayedErrorsArrive(_ exchange: Exchange) async throws {
    let interceptor = Interceptor(
      try answering(
        StubResponse(
          delay: .fixed(.milliseconds(3)),
          error: ResponseError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut))))
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(try request(), through: interceptor)
    }
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: Exchange.allCases)
  func aRequestTimesOutBeforeAnAnswerThatComesLater(_ exchange: Exchange) async throws {
    let interceptor = Interceptor(try delayed(Self.never))
    var request = try request()
    request.timeoutInterval = 0.05
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(request, through: interceptor)
    }
    #expect(error?.code == .timedOut)
    #expect(error?.failingURL == request.url)
  }

  @Test func cancelledRequestsFailAsCancelledAndOthersGoOn() async throws {
    let interceptor = Interceptor(
      try load(
        """
        { "scenario": "test/cancel", "stubs": [
          { "key": "never", "request": { "path": "/never" }, "responses": [ { "delay": "3600s" } ] },
          { "key": "soon", "request": { "path": "/soon" }, "responses": [ { "text": "soon", "delay": "2ms" } ] } ] }
        """))
    let session = interceptor.urlSession()
    async let others = answers(
      to: (0..<50).map { _ in "https://h.test/soon" }, in: session, cancelling: false)
    let cancelled = try await answers(
      to: (0..<50).map { _ in "https://h.test/never" }, in: session, cancelling: true)
    #expect(cancelled == Array(repeating: "cancelled", count: 50))
    #expect(try await others == Array(repeating: "soon", count: 50))
  }

  /// Answers as text, asked for with completion handlers: cancelling the async form around its answer stops the
  /// process in Foundation 6.3.1 (swift-corelibs-foundation#5412).
  private func answers(
    to urls: [String], in session: URLSession, cancelling: Bool
  ) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for url in urls {
        let request = try request("GET", url)
        group.addTask {
          await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { data, _, error in
              let code = (error as? URLError)?.code
              continuation.resume(
                returning: code == .cancelled
                  ? "cancelled" : String(decoding: data ?? Data(), as: UTF8.self))
            }
            task.resume()
            if cancelling { task.cancel() }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func endCancelsWhatWaitsAndFailsWhatComesLater() async throws {
    let interceptor = Interceptor(try delayed(Self.never))
    let session = interceptor.urlSession()
    let waiting = try request()
    async let pending = answers(to: [apiURL], in: session, cancelling: false)
    while interceptor.journal.isEmpty { await Task.yield() }
    interceptor.end()
    interceptor.end()
    #expect(try await pending == ["cancelled"])
    let error = await #expect(throws: URLError.self) { try await session.data(for: waiting) }
    #expect(error?.code == .cancelled)
    #expect(error?.localizedDescription.contains("has ended") == true)
    let made = interceptor.urlSession()
    await #expect(throws: URLError.self) { try await made.data(for: waiting) }
    #expect(interceptor.journal.count == 1)
  }

  @Test func anInterceptorThatNobodyKeepsEnds() async throws {
    let session = Interceptor(try answering(StubResponse())).urlSession()
    let error = await #expect(throws: URLError.self) {
      try await session.data(for: try request())
    }
    #expect(error?.localizedDescription.contains("has ended") == true)
  }

  @Test func suspendedRequestsAreAnsweredAfterTheyAreResumed() async throws {
    let interceptor = Interceptor(try delayed(.fixed(.milliseconds(1))))
    let session = interceptor.urlSession()
    let text = await withCheckedContinuation { continuation in
      let task = session.dataTask(with: URLRequest(url: URL(fileURLWithPath: "/x"))) {
        data, _, error in
        continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
      }
      task.resume()
      task.suspend()
      task.resume()
    }
    #expect(text == "late")
    #expect(interceptor.journal.count == 1)
  }

  @Test func resumingTwiceAsksOnce() async throws {
    let interceptor = Interceptor(try delayed(.fixed(.milliseconds(1))))
    let session = interceptor.urlSession()
    let waiting = try request()
    let text = await withCheckedContinuation { continuation in
      let task = session.dataTask(with: waiting) { data, _, _ in
        continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
      }
      task.resume()
      task.resume()
    }
    #expect(text == "late")
    #expect(interceptor.journal.count == 1)
  }
}
