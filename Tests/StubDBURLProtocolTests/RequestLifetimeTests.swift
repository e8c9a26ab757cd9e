import Foundation
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBURLProtocol
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Delays, cancellation, suspension, and the end.
@Suite struct RequestLifetimeTests {
  /// A delay that does not end during a test.
  private static let never = ResponseDelay.fixed(.seconds(3600))

  private func delayed(_ delay: ResponseDelay) throws -> LoadedScenario {
    try answering(StubResponse(body: .text("late"), delay: delay))
  }

  @Test(arguments: Exchange.allCases)
  func delayedAnswersArriveWhileManyAreUnderWay(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(try delayed(.fixed(.milliseconds(3))))
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
    let interceptor = StubInterceptor(try delayed(Self.never), options: .init(pace: .instant))
    #expect(try await exchange.send(try request(), through: interceptor).text == "late")
  }

  @Test(arguments: Exchange.allCases)
  func delayedErrorsArrive(_ exchange: Exchange) async throws {
    let interceptor = StubInterceptor(
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
    let interceptor = StubInterceptor(try delayed(Self.never))
    var request = try request()
    request.timeoutInterval = 0.05
    let error = await #expect(throws: URLError.self) {
      try await exchange.send(request, through: interceptor)
    }
    #expect(error?.code == .timedOut)
    #expect(error?.failingURL == request.url)
  }

  @Test func cancelledRequestsFailAsCancelledAndOthersGoOn() async throws {
    let interceptor = StubInterceptor(
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

  /// Collects answers as text with completion handlers, because cancelling the async form around its answer stops the
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

  /// With completion handlers and delegates, at random moments; every request ends exactly once.
  @Test(arguments: [1, 2, 3])
  func cancellationAtAnyMomentEndsEachRequestOnce(_ seed: UInt64) async throws {
    let interceptor = StubInterceptor(
      try load(
        """
        { "scenario": "test/moments", "stubs": [
          { "key": "now", "request": { "path": "/0" } },
          { "key": "soon", "request": { "path": "/1" }, "responses": [ { "delay": "1ms" } ] },
          { "key": "pieces", "request": { "path": "/2" },
            "responses": [ { "text": "0123456789", "chunks": { "count": 10, "over": "2ms" } } ] },
          { "key": "redirect", "request": { "path": "/3" },
            "responses": [ { "status": 302, "headers": { "Location": "/1" } } ] },
          { "key": "never", "request": { "path": "/4" }, "responses": [ { "fault": "never" } ] } ] }
        """))
    try interceptor.stub("/5") { _ in
      await Task.yield()
      return .text("closure")
    }
    var moments = SystemlessGenerator(state: seed)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let path = number % 6
        let wait = UInt64(path == 4 ? 1500 : 0) + moments.next() % 2500
        group.addTask {
          await Self.cancel("https://h.test/\(path)", afterMicroseconds: Int(wait), interceptor)
        }
      }
    }
    #expect(interceptor.journal.count >= 200)
  }

  private static func cancel(
    _ url: String, afterMicroseconds wait: Int, _ interceptor: StubInterceptor
  ) async {
    guard let request = try? request("GET", url) else { return }
    // Resuming the continuation twice would stop the process, so there was exactly one end.
    await withCheckedContinuation { continuation in
      let session = interceptor.urlSession()
      let task = session.dataTask(with: request) { _, _, _ in continuation.resume() }
      task.resume()
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(wait)) { task.cancel() }
    }
  }

  private struct SystemlessGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }

  /// Reports when content comes, and how the task ends.
  private final class Witness: NSObject, URLSessionDataDelegate, Sendable {
    let content = AsyncStream.makeStream(of: Void.self)
    let end = AsyncStream.makeStream(of: URLError.Code?.self)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      content.continuation.finish()
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      end.continuation.yield((error as? URLError)?.code)
      end.continuation.finish()
    }
  }

  @Test func endCancelsWhatWaitsAndFailsWhatComesLater() async throws {
    let interceptor = StubInterceptor(
      try answering(
        StubResponse(
          chunks: .pieces([
            ResponseChunks.Piece(.text("first")),
            ResponseChunks.Piece(.text("never"), after: .seconds(3600)),
          ]))))
    let witness = Witness()
    var waiting = try request()
    waiting.timeoutInterval = 3600
    let sent = waiting
    let session = interceptor.urlSession(delegate: witness)
    session.dataTask(with: sent).resume()
    for await _ in witness.content.stream {}
    interceptor.end()
    interceptor.end()
    for await code in witness.end.stream { #expect(code == .cancelled) }
    let error = await #expect(throws: URLError.self) { try await session.data(for: sent) }
    #expect(error?.code == .cancelled)
    #expect(error?.localizedDescription.contains("has ended") == true)
    let made = interceptor.urlSession()
    await #expect(throws: URLError.self) { try await made.data(for: sent) }
    #expect(interceptor.journal.count == 1)
  }

  /// A way to a session whose interceptor is gone when the session is used.
  enum Derivation: CaseIterable {
    case session
    case sessionWithDelegate
    case secondSession
    case configuration
    case changedConfiguration
    case configurationOfSession

    fileprivate func session(of interceptor: StubInterceptor) -> URLSession {
      switch self {
      case .session: return interceptor.urlSession()
      case .sessionWithDelegate: return interceptor.urlSession(delegate: Witness())
      case .secondSession:
        _ = interceptor.urlSession()
        return interceptor.urlSession()
      case .configuration: return URLSession(configuration: interceptor.configuration())
      case .changedConfiguration:
        let configuration = interceptor.configuration()
        configuration.httpAdditionalHeaders = ["A": "b"]
        return URLSession(configuration: configuration)
      case .configurationOfSession:
        return URLSession(configuration: interceptor.urlSession().configuration)
      }
    }
  }

  /// In one expression, too: `StubInterceptor(…).urlSession()`.
  @Test(arguments: Derivation.allCases)
  func aRunLivesAsLongAsASessionOfIt(_ derivation: Derivation) async throws {
    let session = derivation.session(
      of: StubInterceptor(try answering(StubResponse(body: .text("kept")))))
    for _ in 0..<2 {
      lookForUnreachableRuns()
      #expect(try await session.data(for: try request()).0 == Data("kept".utf8))
    }
  }

  @Test func aRunLivesAsLongAsAConfigurationOfIt() async throws {
    let configuration = StubInterceptor(try answering(StubResponse(body: .text("kept"))))
      .configuration()
    for _ in 0..<2 {
      lookForUnreachableRuns()
      let session = URLSession(configuration: configuration)
      #expect(try await session.data(for: try request()).0 == Data("kept".utf8))
    }
  }

  /// Each new class has a few abandoned runs looked at.
  private func lookForUnreachableRuns() {
    for _ in 0..<200 {
      let made = StubInterceptor()
      _ = made.protocolClass
      made.end()
    }
  }

  @Test func aRunThatNothingCanAskAnyMoreIsForgotten() throws {
    final class Witness: Sendable {
      let isGone = DispatchSemaphore(value: 0)

      deinit { isGone.signal() }
    }
    func isForgotten(_ use: (StubInterceptor) -> Void) -> Bool {
      let isGone: DispatchSemaphore
      do {
        let (interceptor, kept) = (StubInterceptor(), Witness())
        isGone = kept.isGone
        interceptor.stub { _ in
          withExtendedLifetime(kept) {}
          return nil
        }
        use(interceptor)
      }
      // Foundation frees a session some time later; runs of other tests are checked too, a few at a time.
      for _ in 0..<2_000 {
        for _ in 0..<10 {
          let made = StubInterceptor()
          _ = made.protocolClass
          made.end()
        }
        if isGone.wait(timeout: .now() + .milliseconds(5)) == .success { return true }
      }
      return false
    }
    #expect(isForgotten { _ in })
    #expect(isForgotten { _ = $0.protocolClass })
    #expect(isForgotten { _ = $0.urlSession() })
    #expect(isForgotten { _ = $0.configuration() })
    #expect(isForgotten { $0.urlSession().finishTasksAndInvalidate() })
  }

  @Test func suspendedRequestsAreAnsweredAfterTheyAreResumed() async throws {
    let interceptor = StubInterceptor(try delayed(.fixed(.milliseconds(1))))
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
    let interceptor = StubInterceptor(try delayed(.fixed(.milliseconds(1))))
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
