public import AsyncHTTPClient
import Foundation
import HTTPTypes
public import Logging
public import NIOCore
import NIOHTTP1
@_exported public import StubDBHTTPTypes

/// A client that a scenario answers, with the methods of `HTTPClient` for Swift Concurrency.
///
/// `HTTPClient` is a final class without a transport that could be replaced, so code under test names a protocol of its own,
/// to which both conform by an empty extension. Redirects are followed, the history of responses stays empty, and content
/// comes piece by piece. Errors of stubs are those of AsyncHTTPClient where it has one. Safe to use from any thread.
public final class ScenarioHTTPClient: Sendable {
  /// The session that sends the requests, with the journal, closures and expectations of the run.
  public let session: ScenarioSession

  /// Sends requests through a session.
  public init(_ session: ScenarioSession) { self.session = session }

  /// Loads a scenario by its name, with the overlays of the options, and begins a run of it.
  ///
  /// - Throws: `CatalogError` if the catalog does not have it or cannot be read, or if this version cannot play it.
  public convenience init(
    _ scenario: some ScenarioNaming, in catalog: Catalog,
    options: PlaybackOptions = PlaybackOptions()
  ) throws(CatalogError) {
    self.init(try ScenarioSession(scenario, in: catalog, options: options))
  }

  /// Joins a run, such as that of `StubInterceptor.current` in a test with the trait `.scenario`, which then reports what
  /// is wrong.
  public convenience init(sharing playback: any ScenarioPlayback) {
    self.init(ScenarioSession(sharing: playback))
  }

  /// Answers a request from the scenario by a point in time.
  ///
  /// - Throws: `UnmatchedRequestError` if no stub answers, `PassthroughError` if the network is asked for, the error of a
  /// stub as ``clientError(for:)`` says, and `HTTPClientError.deadlineExceeded`.
  public func execute(
    _ request: HTTPClientRequest, deadline: NIODeadline, logger: Logger? = nil
  ) async throws -> HTTPClientResponse {
    let now = NIODeadline.now()
    guard deadline > now else { throw HTTPClientError.deadlineExceeded }
    var content = Data()
    if let body = request.body {
      for try await buffer in body { content += buffer.readableBytesView }
    }
    do {
      let (pieces, response) = try await session.stream(
        for: HTTPRequest(request), from: content,
        timeout: .nanoseconds((deadline - now).nanoseconds))
      return HTTPClientResponse(
        status: HTTPResponseStatus(statusCode: response.status.code),
        headers: HTTPHeaders(response.headerFields.map { ($0.name.rawName, $0.value) }),
        body: .stream(PieceSequence(pieces: pieces)))
    } catch {
      throw Self.clientError(for: error)
    }
  }

  /// Answers a request from the scenario within a time; otherwise as ``execute(_:deadline:logger:)``.
  public func execute(
    _ request: HTTPClientRequest, timeout: TimeAmount, logger: Logger? = nil
  ) async throws -> HTTPClientResponse {
    try await execute(request, deadline: .now() + timeout, logger: logger)
  }

  /// The error that `HTTPClient` throws in place of one of Foundation, which stubs name; others are returned as they are.
  public static func clientError(for error: any Error) -> any Error {
    guard let error = error as? URLError else { return error }
    switch error.code {
    case .timedOut: return HTTPClientError.deadlineExceeded
    case .cancelled: return HTTPClientError.cancelled
    case .networkConnectionLost: return HTTPClientError.remoteConnectionClosed
    case .httpTooManyRedirects: return HTTPClientError.redirectLimitReached
    case .badURL: return HTTPClientError.invalidURL
    case .cannotConnectToHost: return IOError(errnoCode: ECONNREFUSED, reason: "connect")
    case .notConnectedToInternet: return IOError(errnoCode: ENETUNREACH, reason: "connect")
    case .cannotFindHost, .dnsLookupFailed:
      // SwiftNIO 2.101 itself throws `UnknownHost`, which only it can make, and deprecates this one.
      let url = error.failingURL
      return SocketAddressError.unknown(host: url?.host ?? "", port: url?.port ?? 443)
    default: return error
    }
  }
}

/// The content of a response, with the errors of AsyncHTTPClient.
private struct PieceSequence: AsyncSequence, Sendable {
  let pieces: AsyncThrowingStream<Data, any Error>

  struct Iterator: AsyncIteratorProtocol {
    var pieces: AsyncThrowingStream<Data, any Error>.Iterator

    mutating func next() async throws -> ByteBuffer? {
      do {
        return try await pieces.next().map { ByteBuffer(bytes: $0) }
      } catch {
        throw ScenarioHTTPClient.clientError(for: error)
      }
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }
}

extension HTTPRequest {
  /// - Throws: `HTTPClientError`, as for a request that `HTTPClient` does not send.
  fileprivate init(_ request: HTTPClientRequest) throws {
    guard let colon = request.url.range(of: "://") else { throw HTTPClientError.invalidURL }
    guard let method = Method(request.method.rawValue) else { throw HTTPClientError.invalidURL }
    let rest = request.url[colon.upperBound...].prefix { $0 != "#" }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard end > rest.startIndex else { throw HTTPClientError.emptyHost }
    var fields = HTTPFields()
    for (name, value) in request.headers {
      guard let field = HTTPField.Name(name) else {
        throw HTTPClientError.invalidHeaderFieldNames([name])
      }
      // HTTPClient sends white space around a value, which servers leave out (RFC 9110, 5.5).
      let trimmed = value.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
      guard HTTPField.isValidValue(trimmed) else {
        throw HTTPClientError.invalidHeaderFieldValues([value])
      }
      fields.append(HTTPField(name: field, value: trimmed))
    }
    let target = String(rest[end...])
    self.init(
      method: method, scheme: String(request.url[..<colon.lowerBound]),
      authority: String(rest[..<end]), path: target.hasPrefix("/") ? target : "/" + target,
      headerFields: fields)
  }
}
