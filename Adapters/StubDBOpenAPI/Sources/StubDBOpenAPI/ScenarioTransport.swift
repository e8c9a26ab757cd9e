public import Foundation
public import HTTPTypes
public import OpenAPIRuntime
@_exported public import StubDBHTTPTypes

/// A transport for clients of swift-openapi-generator that a scenario answers, without `URLSession` and the network.
///
/// The journal, near misses and failures name the operation. Redirects are followed as `URLSession` does; content comes
/// piece by piece, so that a stream of events can be read while it is sent. Safe to use from any thread.
public struct ScenarioTransport: ClientTransport {
  /// The session that sends the requests, with the journal, closures and expectations of the run.
  public let session: ScenarioSession

  /// Sends requests through a session.
  public init(_ session: ScenarioSession) { self.session = session }

  /// Loads a scenario by its name, with the overlays of the options, and begins a run of it.
  ///
  /// - Throws: `CatalogError` if the catalog does not have it or cannot be read, or if this version cannot play it.
  public init(
    _ scenario: some ScenarioNaming, in catalog: Catalog,
    options: PlaybackOptions = PlaybackOptions()
  ) throws(CatalogError) {
    self.init(try ScenarioSession(scenario, in: catalog, options: options))
  }

  /// Joins a run, such as that of `StubInterceptor.current` in a test with the trait `.scenario`, which then reports what
  /// is wrong.
  public init(sharing playback: any ScenarioPlayback) {
    self.init(ScenarioSession(sharing: playback))
  }

  /// Answers a request from the scenario.
  ///
  /// - Throws: The errors of `ScenarioSession`, such as `UnmatchedRequestError`, in which the runtime's `ClientError` has
  /// them as `underlyingError`.
  public func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?) {
    let sent = Self.absolute(request, at: baseURL)
    let content: Data
    if let body { content = try await Data(collecting: body, upTo: .max) } else { content = Data() }
    let (pieces, response) = try await session.stream(
      for: sent, from: content, operation: operationID)
    guard request.method != .head, ![204, 304].contains(response.status.code) else {
      return (response, nil)
    }
    let length = response.headerFields[.contentLength].flatMap { Int64($0) }
    return (
      response,
      HTTPBody(pieces, length: length.map { .known($0) } ?? .unknown, iterationBehavior: .single)
    )
  }

  /// The request with the address of the server, whose path comes before its own.
  private static func absolute(_ request: HTTPRequest, at baseURL: URL) -> HTTPRequest {
    var request = request
    request.scheme = baseURL.scheme
    let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
    let port = parts?.port.map { ":\($0)" } ?? ""
    request.authority = (parts?.percentEncodedHost ?? "") + port
    var path = parts?.percentEncodedPath ?? ""
    while path.hasSuffix("/") { path.removeLast() }
    request.path = path + (request.path ?? "")
    return request
  }
}
