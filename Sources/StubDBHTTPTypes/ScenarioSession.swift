public import Foundation
public import HTTPTypes
public import StubDBCatalog
public import StubDBEngine
public import StubDBModel
public import StubDBPlayback

/// A session over swift-http-types that a scenario answers, without `URLSession` and `URLProtocol`.
///
/// It suits clients that are handed a session typed by a protocol of their own: it has the two methods that
/// `URLSession` has with HTTPTypesFoundation, so an empty extension makes it conform. Redirects are followed as
/// `URLSession` does; cookies are not kept. Each session has its own run. Safe to use from any thread.
public final class ScenarioSession: ScenarioPlayback {
  /// The player of the scenario.
  public let player: Player
  let patience: Patience

  /// Begins a run of a loaded scenario.
  ///
  /// Without a time-out, 60 seconds end an answer that never comes and, at real pace, one that comes later. There is no
  /// network: the policy `.passthrough` and responses that ask for it are errors.
  public convenience init(
    _ scenario: LoadedScenario, options: PlaybackOptions = PlaybackOptions(),
    timeout: Duration? = nil
  ) {
    self.init(playing: scenario, options: options.withoutCatalog, timeout: timeout)
  }

  /// Joins the run of an interceptor, a server or another session, such as `StubInterceptor.current` in a test.
  ///
  /// The journal, closures and problems are those of that run, which ends with whichever of them ends first.
  public init(sharing playback: any ScenarioPlayback, timeout: Duration? = nil) {
    player = playback.player
    patience = Self.patience(timeout, playback.options)
  }

  /// Begins a run without a scenario, for closures alone.
  public convenience init(
    options: PlaybackOptions = PlaybackOptions(), timeout: Duration? = nil
  ) {
    self.init(playing: nil, options: options.withoutCatalog, timeout: timeout)
  }

  /// Loads a scenario by its name, with the overlays of the options, and begins a run of it.
  ///
  /// - Throws: `CatalogError` if the catalog does not have it or cannot be read, or if this version cannot play it.
  public convenience init(
    _ scenario: some ScenarioNaming, in catalog: Catalog,
    options: PlaybackOptions = PlaybackOptions(),
    timeout: Duration? = nil
  ) throws(CatalogError) {
    self.init(
      playing: try catalog.load(scenario, overlays: options.overlays),
      options: options.completed(besideCatalog: catalog.url.path), timeout: timeout)
  }

  private init(playing scenario: LoadedScenario?, options: PlaybackOptions, timeout: Duration?) {
    player = Player(scenario, options: options)
    player.keepInLedger()
    patience = Self.patience(timeout, options)
  }

  private static func patience(_ timeout: Duration?, _ options: PlaybackOptions) -> Patience {
    Patience(
      isIncremental: false, timeout: timeout ?? .seconds(60),
      endsDelays: timeout != nil || options.pace == .real)
  }

  /// Sends a request without content.
  ///
  /// - Throws: ``UnmatchedRequestError`` if no stub answers, ``PassthroughError`` if the network is asked for, the
  /// error of a stub or a closure (a `URLError` if it has that domain), `URLError.cancelled` after the end of the run,
  /// and `CancellationError`.
  public func data(for request: HTTPRequest) async throws -> (Data, HTTPResponse) {
    try await upload(for: request, from: Data())
  }

  /// Sends a request with content.
  ///
  /// - Throws: The errors of ``data(for:)``.
  public func upload(
    for request: HTTPRequest, from bodyData: Data
  ) async throws -> (Data, HTTPResponse) {
    var current = StubRequest(request, content: bodyData)
    for _ in 0...StubRequest.maximumRedirectCount {
      let (head, content) = try await answer(to: current)
      guard let next = current.followUp(status: head.status, location: head.redirectTarget) else {
        return (content, try response(head, to: current))
      }
      current = next
    }
    throw URLError(.httpTooManyRedirects)
  }

  /// swift-http-types stops the process for a status that it does not accept.
  func response(
    _ head: ResponseHead, to request: StubRequest
  ) throws -> HTTPResponse {
    guard (0...999).contains(head.status) else {
      throw ResponseFailure.urlError(
        .badServerResponse, url: URL(string: request.url),
        message: "HTTP has no status \(head.status); check the status of the response.")
    }
    return HTTPResponse(status: .init(code: head.status), headerFields: head.headers)
  }

  /// Ends the run: requests that wait for their answer are cancelled, later ones fail.
  ///
  /// The error is `URLError.cancelled` in both cases. The journal is kept. Ending twice does nothing.
  public func end() {
    player.end()
  }

  private func answer(to request: StubRequest) async throws -> (ResponseHead, Data) {
    let sink = WholeSink()
    guard let exchange = Exchange(player, patience: patience, sink: sink) else {
      throw late(request)
    }
    // Keeps the exchange alive until then.
    defer { exchange.cancel() }
    let outcome = await withTaskCancellationHandler {
      await sink.outcome.value { exchange.answer(request) }
    } onCancel: {
      sink.outcome.end(.failure(.cancelled))
    }
    do throws(AnswerFailure) {
      return try outcome.get()
    } catch {
      throw self.error(error, request)
    }
  }

  /// The error of a request that comes after the end of the run.
  func late(_ request: StubRequest) -> any Error {
    if let test = player.endedTest {
      LateRequests.note(request.method, URL(string: request.url), after: test)
    }
    return error(.ended, request)
  }

  /// The error that a client gets.
  func error(_ failure: AnswerFailure, _ request: StubRequest) -> any Error {
    switch failure {
    case .cancelled: CancellationError()
    case .response(let failure): error(failure, request)
    }
  }

  func error(_ failure: ResponseFailure, _ request: StubRequest) -> any Error {
    switch failure {
    case .unmatched(let event, let message):
      UnmatchedRequestError(report: player.run.report(on: event), description: message)
    case .refusedPassthrough(let event, let message):
      PassthroughError(event: event, description: message)
    default:
      failure.foundationError(url: URL(string: request.url))
    }
  }
}

/// Waits for the end of an answer, whose content the session takes as a whole.
private struct WholeSink: ResponseSink {
  typealias Outcome = Result<(ResponseHead, Data), AnswerFailure>

  let outcome = Awaited<Outcome>()

  func tell(_ event: ResponseEvent) {
    switch event {
    case .whole(let head, let content): outcome.end(.success((head, content)))
    case .failure(let failure): outcome.end(.failure(.response(failure)))
    case .head, .content, .finish: break
    }
  }
}

/// Reports a request that no stub answers.
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible {
  /// The request, the nearest stubs, and what to do.
  public let report: UnmatchedReport
  /// The text of the report.
  public let description: String
}

/// Reports that a stub, a closure or the policy `.passthrough` leaves a request to the network, which this session does
/// not have.
public struct PassthroughError: Error, Sendable, CustomStringConvertible {
  /// The request, with the stub or closure that asks for the network; none for the policy.
  public let event: ServeEvent
  /// One sentence that says what failed, why, and what to do.
  public let description: String
}

extension StubRequest {
  /// Makes the engine's form of a request, with its URL put together from its parts.
  init(_ request: HTTPRequest, content: Data) {
    let path = request.path ?? "/"
    let url =
      if let authority = request.authority {
        "\(request.scheme ?? "https")://\(authority)\(path)"
      } else {
        path
      }
    self.init(
      method: request.method.rawValue, url: url, headers: request.headerFields,
      body: .bytes(content))
  }
}
