public import Foundation
public import HTTPTypes
public import StubDBCatalog
public import StubDBEngine
public import StubDBModel

/// A session over swift-http-types that a scenario answers, without `URLSession` and `URLProtocol`.
///
/// For clients that are handed a session typed by a protocol of their own: it has the two methods that `URLSession` has
/// with HTTPTypesFoundation, so that an empty extension makes it conform. Redirects are followed as `URLSession`
/// does; cookies are not kept. Safe to use from any thread, each its own run.
public final class ScenarioSession: Sendable {
  private static let maximumRedirectCount = 16

  private let run: ScenarioRun
  private let timeout: Duration
  /// Whether the time-out also ends what would come after it, and not only what never comes.
  private let endsDelays: Bool

  /// Begins a run of a loaded scenario.
  ///
  /// `pace` decides how long delays and the time-out take, `seed` everything that is random. Without a time-out 60 seconds
  /// end what never comes and, at real pace, what comes later.
  public init(
    _ scenario: LoadedScenario, pace: Pace = .real, seed: UInt64 = 0,
    timeout: Duration? = nil
  ) {
    run = scenario.run(pace: pace, seed: seed)
    self.timeout = timeout ?? .seconds(60)
    endsDelays = timeout != nil || pace == .real
  }

  /// Loads a scenario by its name, with overlays on top, and begins a run of it.
  ///
  /// - Throws: `CatalogError` when the catalog does not hold it or cannot be read, and `EngineError` when
  ///   it holds what this version cannot play.
  public convenience init(
    _ scenario: String, in catalog: Catalog, overlays: [String] = [], pace: Pace = .real,
    seed: UInt64 = 0, timeout: Duration? = nil
  ) throws {
    self.init(
      try catalog.load(scenario, overlays: overlays), pace: pace, seed: seed, timeout: timeout)
  }

  /// Sends a request without content.
  ///
  /// - Throws: ``UnmatchedRequestError`` where no stub answers, the error that a stub asks for (a `URLError` where it is of
  ///   that domain), and `CancellationError`.
  public func data(for request: HTTPRequest) async throws -> (Data, HTTPResponse) {
    try await upload(for: request, from: Data())
  }

  /// Sends a request with content.
  ///
  /// - Throws: as ``data(for:)``.
  public func upload(
    for request: HTTPRequest, from bodyData: Data
  ) async throws -> (Data, HTTPResponse) {
    var current = StubRequest(request, content: bodyData)
    for _ in 0...Self.maximumRedirectCount {
      let (content, response) = try await answer(to: current)
      guard
        let next = current.followUp(
          status: response.status.code, location: response.headerFields[.location])
      else { return (content, response) }
      current = next
    }
    throw URLError(.httpTooManyRedirects)
  }

  /// The requests so far and what answered them, in order of arrival.
  public var journal: [ServeEvent] { run.journal }

  /// Checks that everything went as the scenario says.
  ///
  /// - Throws: `VerificationError` for requests that no stub answered, required stubs that answered nothing, and stubs that
  ///   gave some of their responses and not all, where they are required or say `"then": "fail"`.
  public func verify() throws(VerificationError) {
    let problems = run.problems()
    if !problems.isEmpty { throw VerificationError(problems: problems) }
  }

  /// Expects that so many requests match a pattern, answered or not.
  ///
  /// - Throws: `VerificationError` that lists the requests.
  public func expect(count: Int, matching pattern: RequestPattern) throws(VerificationError) {
    try run.expect(count: count, matching: pattern)
  }

  /// Expects that requests match the patterns in this order; others may come before, between and after them.
  ///
  /// - Throws: `VerificationError` that names the first pattern that found none and lists the requests.
  public func expect(inOrder patterns: [RequestPattern]) throws(VerificationError) {
    try run.expect(inOrder: patterns)
  }

  // MARK: Answering

  private func answer(to request: StubRequest) async throws -> (Data, HTTPResponse) {
    switch run.respond(to: request) {
    case .unmatched(let nearMisses):
      throw unmatched(request, nearMisses)
    case .respond(let plan, let event):
      try await wait(plan.delay)
      switch plan.action {
      case .error(let error): throw error.foundationError
      case .never: try await neverAnswered()
      case .passthrough: throw PassthroughError(event: event)
      case .response(let status, let headers, let body):
        return try await response(status, headers, body, plan: plan, to: request)
      }
    }
  }

  private func response(
    _ status: Int, _ headers: HTTPFields, _ body: ResponseBody?, plan: ResponsePlan,
    to request: StubRequest
  ) async throws -> (Data, HTTPResponse) {
    var content = Data()
    if let body, Self.mayHaveContent(status: status, method: request.method) {
      content = try run.scenario.body(of: body)
      if let range = plan.contentRange {
        let bounds = range.clamped(to: 0..<content.count)
        content = Data(content.dropFirst(bounds.lowerBound).prefix(bounds.count))
      } else {
        content = try ContentDecoding.content(content, headers: headers)
      }
    }
    // Each for itself: what comes keeps the time-out away.
    for piece in plan.pieces { try await wait(piece.after) }
    switch plan.ending {
    case .complete: break
    case .error(let error): throw error.foundationError
    case .never: try await neverAnswered()
    }
    return (content, HTTPResponse(status: .init(code: status), headerFields: headers))
  }

  /// A longer wait than the time-out is no answer.
  private func wait(_ time: Duration) async throws {
    guard time > .zero else { return }
    let limit = endsDelays ? timeout : time + .seconds(1)
    try await Task.sleep(for: run.pace.scaled(min(time, limit)))
    if time >= limit { throw URLError(.timedOut) }
  }

  private func neverAnswered() async throws -> Never {
    try await Task.sleep(for: run.pace.scaled(timeout))
    throw URLError(.timedOut)
  }

  private func unmatched(
    _ request: StubRequest, _ nearMisses: [NearMiss]
  ) -> UnmatchedRequestError {
    let event = run.journal.last { !$0.isMatched && $0.request == request }
    let report =
      event.map(run.report)
      ?? UnmatchedReport(
        request: request, scenario: run.scenario.name, nearMisses: nearMisses,
        catalog: run.scenario.catalogDescription)
    return UnmatchedRequestError(report: report)
  }

  private static func mayHaveContent(status: Int, method: String) -> Bool {
    method != "HEAD" && !(100..<200).contains(status) && ![204, 205, 304].contains(status)
  }
}
