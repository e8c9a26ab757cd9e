import Dispatch
import Foundation
import HTTPTypes
import StubDBConformance
import StubDBDocuments
import StubDBEngine
import StubDBHTTPTypes
import StubDBJSON
import StubDBModel
import StubDBPlayback
import Testing

/// The protocol by which a client types its session.
private protocol HTTPSession: Sendable {
  func data(for request: HTTPRequest) async throws -> (Data, HTTPResponse)
  func upload(for request: HTTPRequest, from bodyData: Data) async throws -> (Data, HTTPResponse)
}

extension ScenarioSession: HTTPSession {}

@Suite struct ScenarioSessionTests {
  private func session(
    _ document: String, pace: Pace = .real, timeout: Duration? = nil
  ) throws -> ScenarioSession {
    ScenarioSession(
      try LoadedScenario(ScenarioDocument.decode(Data(document.utf8))),
      options: PlaybackOptions(pace: pace), timeout: timeout)
  }

  private func get(_ url: String, _ session: some HTTPSession) async throws -> (String, Int) {
    let parts = try #require(URLComponents(string: url))
    let request = HTTPRequest(
      method: .get, scheme: parts.scheme, authority: parts.host, path: parts.path)
    let (data, response) = try await session.data(for: request)
    return (String(decoding: data, as: UTF8.self), response.status.code)
  }

  @Test func callbacksAreEventsToWaitFor() async throws {
    let session = try session(
      #"""
      {"scenario": "s", "stubs": [{"key": "pay", "responses": [{"callbacks": [
        {"request": {"url": "https://shop.test/hooks", "json": {"paid": true}}, "after": "60min"}]}]}]}
      """#, pace: .instant)
    #expect(await session.allCallbacks().isEmpty)
    _ = try await get("https://a.test/", session)
    let callbacks = await session.allCallbacks()
    #expect(
      callbacks.map(\.description) == ["POST https://shop.test/hooks after the answer to request 1"]
    )
    #expect(try callbacks[0].request.json() == ["paid": true] && session.callbacks == callbacks)
  }

  /// The conformance table, which the engine runs too.
  @Test(arguments: ConformanceCase.all)
  func clientGetsTheOutcome(_ row: ConformanceCase) async throws {
    let session = ScenarioSession(try row.load(), options: .init(pace: .instant))
    let differences = await row.differences(
      journal: session.journal, isExpected: Self.isExpected
    ) { request, _, content in
      let (data, response) = try await session.upload(for: request, from: content)
      return ConformanceAnswer(response, content: data)
    }
    #expect(differences == [])
  }

  private static func isExpected(_ error: any Error, _ failure: ConformanceFailure) -> Bool {
    switch failure {
    case .unmatched: error is UnmatchedRequestError
    case .passthrough: error is PassthroughError
    case .silence: (error as? URLError)?.code == .timedOut
    case .error(let domain, let code):
      (error as NSError).domain == domain && (error as NSError).code == code
    }
  }

  @Test func nearlyAllRequestsOfTheTableAreSent() {
    let requests = ConformanceCase.all.flatMap(\.steps).map(\.request)
    let unsent = requests.filter { $0.httpRequest == nil }
    #expect(10 * unsent.count < requests.count)
  }

  @Test func redirectsAreFollowedAndLoopsEnd() async throws {
    let session = try session(
      """
      { "scenario": "test/redirects", "stubs": [
        { "key": "old", "request": { "path": "/old" },
          "responses": [ { "status": 302, "headers": { "Location": "https://other.test/new" } } ] },
        { "key": "new", "request": { "url": "https://other.test/new" }, "responses": [ { "text": "here" } ] },
        { "key": "loop", "request": { "path": "/loop" },
          "responses": [ { "status": 307, "headers": { "Location": "/loop" } } ] } ] }
      """)
    #expect(try await get("https://h.test/old", session) == ("here", 200))
    let error = await #expect(throws: URLError.self) {
      try await get("https://h.test/loop", session)
    }
    #expect(error?.code == .httpTooManyRedirects)
  }

  @Test func anUnmatchedRequestThrowsTheReportAndFailsTheVerification() async throws {
    let session = try session(
      """
      { "scenario": "test/near", "stubs": [ { "key": "post", "request": { "method": "POST", "path": "/x" } } ] }
      """)
    let error = await #expect(throws: UnmatchedRequestError.self) {
      try await get("https://h.test/x", session)
    }
    #expect(error?.description.contains("test/near") == true)
    let failure = #expect(throws: VerificationError.self) { try session.verify() }
    #expect(failure?.problems.map(\.kind) == [.unmatchedRequest])
  }

  @Test func itHasClosuresPoliciesAndExpectationsAsTheInterceptorHas() async throws {
    let session = ScenarioSession(options: PlaybackOptions(unmatched: .respond(404)))
    try session.stub("/v1/{id}") { request in .text(request.method) }
    #expect(try await get("https://h.test/v1/7", session) == ("GET", 200))
    #expect(try await get("https://h.test/v2", session).1 == 404)
    #expect(try session.requests(to: "/v1/{id}").map(\.url) == ["https://h.test/v1/7"])
    #expect(session.requests.count == 2)
    try session.expect(count: 1...2, matching: RequestPattern(url: "/v1/{id}"))
    try session.verify()
  }

  @Test func overlaysThatNothingCanLoadAreNotIgnored() async throws {
    let scenario = try LoadedScenario(
      ScenarioDocument.decode(Data(#"{"scenario": "a", "stubs": [{"key": "all"}]}"#.utf8)))
    let session = ScenarioSession(scenario, options: PlaybackOptions(overlays: ["network/offline"]))
    let error = await #expect(throws: URLError.self) { try await get("https://h.test/", session) }
    #expect(error?.localizedDescription.contains("\"network/offline\"") == true)
  }

  @Test func aStatusThatHTTPDoesNotHaveBecomesTheNearestOne() async throws {
    let session = ScenarioSession(options: PlaybackOptions(unmatched: .respond(5000)))
    try session.stub("/high") { _ in .status(1000) }
    try session.stub("/low") { _ in .status(-1) }
    #expect(try await get("https://h.test/high", session).1 == 999)
    #expect(try await get("https://h.test/low", session).1 == 100)
    #expect(try await get("https://h.test/unmatched", session).1 == 999)
  }

  @Test(arguments: [100, 204, 205, 304])
  func aPolicyWithAStatusWithoutContentSendsNoReport(status: Int) async throws {
    let session = ScenarioSession(options: PlaybackOptions(unmatched: .respond(status)))
    #expect(try await get("https://h.test/x", session) == ("", status))
  }

  @Test func aRequestForTheNetworkSaysWhoAsksForIt() async throws {
    let session = ScenarioSession(options: PlaybackOptions(unmatched: .passthrough))
    try session.stub("/closure", fileID: "F.swift", line: 1) { _ in
      StubResponse(delegation: .passthrough)
    }
    func message(_ url: String) async -> String? {
      await #expect(throws: PassthroughError.self) { try await get(url, session) }?.description
    }
    let messages = [await message("https://h.test/x"), await message("https://h.test/closure")]
    #expect(
      messages == [
        "No closure answers GET https://h.test/x, and the policy .passthrough leaves it to the network, which this "
          + "session does not have; answer the request, or use a StubInterceptor.",
        "closure at F.swift:1 passes GET https://h.test/closure on to the network, which this session does not have; "
          + "have the closure return a response, or use a StubInterceptor.",
      ])
    let failure = #expect(throws: VerificationError.self) { try session.verify() }
    #expect(failure?.problems.map(\.message) == messages)
    #expect(failure?.problems.map(\.stubKey) == [nil, "closure at F.swift:1"])
  }

  @Test func theReportWithoutAScenarioIsOnClosures() async throws {
    let session = ScenarioSession()
    let error = await #expect(throws: UnmatchedRequestError.self) {
      try await get("https://h.test/x", session)
    }
    #expect(error?.report.text == error?.description)
    #expect(error?.description.hasPrefix("No closure of this interceptor answers") == true)
    let failure = #expect(throws: VerificationError.self) { try session.verify() }
    #expect(failure?.description == error?.description)
  }

  @Test func atTheEndWhatWaitsIsCancelledAndLaterRequestsFail() async throws {
    let session = ScenarioSession(timeout: .seconds(3600))
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    session.stub { _ in
      begin.finish()
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
    async let outcome = code("https://h.test/x", session)
    for await _ in begun {}
    session.end()
    #expect(await outcome == .cancelled)
    #expect(await code("https://h.test/x", session) == .cancelled)
    try session.verify()
  }

  /// What other tests of this process report meanwhile takes all late requests with it, so it is tried again.
  @Test func requestsAfterTheEndOfTheirTestAreNamed() async throws {
    let session = ScenarioSession()
    session.player.end(withTest: "aGeneratedClient()")
    var late: [String] = []
    for _ in 0..<50 where late.count != 2 {
      #expect(await code("https://h.test/late/whole", session) == .cancelled)
      let request = HTTPRequest(method: .put, scheme: "https", authority: "h.test", path: "/late/x")
      await #expect(throws: URLError.self) { try await session.stream(for: request) }
      late = LateRequests.take().filter { $0.hasSuffix(" after aGeneratedClient() had ended") }
    }
    #expect(late.first?.hasPrefix("GET /late/whole came ") == true)
    #expect(late.last?.hasPrefix("PUT /late/x came ") == true)
  }

  private func code(_ url: String, _ session: ScenarioSession) async -> URLError.Code? {
    do {
      _ = try await get(url, session)
      return nil
    } catch {
      return (error as? URLError)?.code
    }
  }

  @Test func aCancelledTaskThrowsACancellationError() async throws {
    let session = try session(
      """
      { "scenario": "test/never", "stubs": [ { "key": "never", "responses": [ { "fault": "never" } ] } ] }
      """)
    let task = Task { try await get("https://h.test/x", session) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// More closures than Dispatch has threads, and requests beside them that have nothing to do with them.
  @Test func closuresThatBlockKeepNoOtherRequestAndNoTimerWaiting() async throws {
    let session = try session(
      """
      { "scenario": "test/late", "stubs": [
        { "key": "late", "request": { "path": "/late" }, "responses": [ { "text": "late", "delay": "1ms" } ] } ] }
      """, timeout: .seconds(3600))
    let impatient = ScenarioSession(timeout: .milliseconds(5))
    let gate = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    for session in [session, impatient] {
      try session.stub("/block") { _ in
        beginning.yield()
        Self.wait(for: gate)
        return .text("closure")
      }
    }
    try session.stub("/quick") { _ in .text("quick") }
    let count = 100
    let blocked = (0..<count).map { _ in
      Task { try await get("https://h.test/block", session).0 }
    }
    for await _ in begun.prefix(count) {}
    #expect(try await get("https://h.test/late", session).0 == "late")
    #expect(try await get("https://h.test/quick", session).0 == "quick")
    #expect(await code("https://h.test/block", impatient) == .timedOut)
    for _ in 0...count { gate.signal() }
    for answer in blocked { #expect(try await answer.value == "closure") }
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }

  @Test func piecesKeepTheTimeoutAway() async throws {
    let session = try session(
      """
      { "scenario": "test/pieces", "stubs": [ { "key": "slow",
        "responses": [ { "text": "0123456789", "chunks": { "count": 10, "over": "90s" } } ] } ] }
      """, pace: .instant, timeout: .seconds(60))
    #expect(try await get("https://h.test/x", session).0 == "0123456789")
  }

  @Test func whatTakesLongerThanTheTimeoutTimesOut() async throws {
    let session = try session(
      """
      { "scenario": "test/late", "stubs": [ { "key": "late", "responses": [ { "delay": "61s" } ] } ] }
      """, pace: .instant, timeout: .seconds(60))
    let error = await #expect(throws: URLError.self) {
      try await get("https://h.test/x", session)
    }
    #expect(error?.code == .timedOut)
  }
}
