internal import Foundation
internal import HTTPTypes
package import StubDBEngine
package import StubDBModel
internal import StubDBPlayback
internal import StubDBVariations

/// A failure that a stub is given in place of its answers.
public struct SweptFailure: Hashable, Sendable, CaseIterable {
  private let kind: FailureKind

  /// The device is offline: `URLError.notConnectedToInternet`.
  public static let noConnection = SweptFailure(kind: .noConnection)
  /// Nothing comes, until the client's time-out.
  public static let timeout = SweptFailure(kind: .timeout)
  /// The connection is lost after half of the content: `URLError.networkConnectionLost`.
  public static let reset = SweptFailure(kind: .reset)
  /// Status 500, with a text.
  public static let serverError = SweptFailure(kind: .serverError)
  /// Status 401, with `WWW-Authenticate`.
  public static let unauthorized = SweptFailure(kind: .unauthorized)
  /// Status 429, with `Retry-After: 1`.
  public static let tooManyRequests = SweptFailure(kind: .tooManyRequests)
  /// Status and header fields of the answer, without its content.
  public static let empty = SweptFailure(kind: .empty)
  /// Status and header fields of the answer, with the first half of its content as if that were all.
  public static let truncated = SweptFailure(kind: .truncated)
  /// Status 200 and the HTML page of a network that wants its users to sign in.
  public static let captivePortal = SweptFailure(kind: .captivePortal)

  /// All failures, in the order in which they are tried.
  public static let allCases = FailureKind.allCases.map(SweptFailure.init)

  /// The name in the names of variations, such as `timeout`.
  public var name: String { kind.rawValue }

  /// How long the client is asked to wait after ``tooManyRequests``.
  static let retryAfter = Duration.seconds(1)

  /// Whether the server may have carried the request out, although the client gets no proper answer.
  var mayBeCarriedOut: Bool {
    [.timeout, .reset, .empty, .truncated].contains(kind)
  }

  /// Whether the content is wrong, and not the status.
  var isOfContent: Bool { [.empty, .truncated, .captivePortal].contains(kind) }

  /// Whether the client gets something else than before; a 401 in place of a 401 is none, nor is less of no content.
  func changes(_ answer: GivenAnswer) -> Bool {
    let response = answer.response
    guard response.delegation == nil, response.webSocket == nil, response.error == nil,
      response.fault == nil
    else {
      return switch kind {
      case .noConnection: response.error != Self.offline || response.afterBytes != nil
      case .timeout: response.fault != .never || response.afterBytes != nil
      case .empty, .truncated: answer.hasContent
      default: true
      }
    }
    return switch kind {
    case .noConnection, .timeout, .reset, .captivePortal: true
    case .serverError: answer.status != 500
    case .unauthorized: answer.status != 401
    case .tooManyRequests: answer.status != 429
    case .empty, .truncated: answer.hasContent
    }
  }

  /// Whether a client notices the failure in place of the answer: of one that is no success, clients may read the
  /// status alone, and of one to HEAD nothing else.
  func isNoticed(in answer: GivenAnswer) -> Bool {
    switch kind {
    case .captivePortal: !answer.isToHead || !answer.isSuccess
    case .empty, .truncated: answer.hasContent && answer.isSuccess
    case .reset: answer.isSuccess
    default: true
    }
  }

  private static let offline = ResponseError(urlErrorName: "notConnectedToInternet")

  /// What the stub does, as the rest of a sentence.
  var summary: String {
    switch kind {
    case .noConnection: "fails as if the device were offline"
    case .timeout: "does not answer, so that the client times out"
    case .reset: "loses the connection in the middle of its answer"
    case .serverError: "answers with status 500"
    case .unauthorized: "answers with status 401"
    case .tooManyRequests: "answers with status 429 and Retry-After: 1"
    case .empty: "answers without content"
    case .truncated: "answers with the first half of its content"
    case .captivePortal: "answers with the HTML page of a captive portal"
    }
  }
}

extension SweptFailure: ResponseChange {
  package func response(
    _ response: StubResponse, to event: ServeEvent, in run: ScenarioRun
  ) -> StubResponse {
    switch kind {
    case .noConnection:
      return StubResponse(error: Self.offline)
    case .timeout: return StubResponse(fault: .never)
    case .reset: return broken(response, in: run)
    case .serverError: return .text("Internal Server Error", status: 500)
    case .unauthorized:
      return StubResponse(status: 401, headers: [.wwwAuthenticate: "Bearer"])
    case .tooManyRequests: return StubResponse(status: 429, headers: [.retryAfter: "1"])
    case .empty, .truncated:
      // Of several answers of a stub, those that have no content stay as they are.
      guard GivenAnswer(response, to: event.request).hasContent else { return response }
      let content = content(of: response, in: run)
      return reply(to: response, content.prefix(kind == .empty ? 0 : content.count / 2))
    case .captivePortal:
      return StubResponse(
        status: 200, headers: [.contentType: "text/html; charset=utf-8"],
        body: .text(
          "<!DOCTYPE html><html><head><title>Sign in</title></head>"
            + "<body>Sign in to use this network.</body></html>"))
    }
  }

  /// The reply, lost after half of its content.
  private func broken(_ response: StubResponse, in run: ScenarioRun) -> StubResponse {
    let content = content(of: response, in: run)
    return StubResponse(
      status: response.status, headers: response.headers, body: .data(content),
      fault: .connectionReset, afterBytes: content.count / 2)
  }

  /// The reply with other content; fields that describe the content of before are left out.
  private func reply(to response: StubResponse, _ content: Data) -> StubResponse {
    var headers = response.headers
    headers[.contentLength] = nil
    headers[.contentEncoding] = nil
    return StubResponse(
      status: response.status, headers: headers,
      body: content.isEmpty ? nil : .data(Data(content)))
  }

  /// The content; empty if there is none, or if it cannot be read, which the unchanged run reports.
  private func content(of response: StubResponse, in run: ScenarioRun) -> Data {
    (response.body ?? response.chunks?.joined).flatMap { try? run.scenario.body(of: $0) } ?? Data()
  }
}
