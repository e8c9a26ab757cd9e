import Foundation
import HTTPTypes
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the engine's view of a request, reading its content once.
struct RequestReader: @unchecked Sendable {
  // Safe to share: used by one thread at a time, first the one of `startLoading` and then, where the content has to be
  // read, one other; the stream is the task's own and nobody else reads it.
  /// The request, with its content where that needs no I/O.
  let known: StubRequest
  private let body: BodySource

  /// Nil for a request with more header fields than ``HTTPFields/maximumCount``.
  init?(request: URLRequest, url: URL, body: BodySource) {
    guard let headers = HTTPFields(foundationFields: request.allHTTPHeaderFields ?? [:]) else {
      return nil
    }
    known = StubRequest(
      method: request.httpMethod ?? "GET", url: url.absoluteString, headers: headers,
      body: body.immediateContent ?? .bytes(Data()))
    self.body = body
  }

  /// Whether the connection is to become a WebSocket.
  var asksForWebSocket: Bool { known.headers[.upgrade]?.lowercased() == "websocket" }

  /// The request, if that needs no I/O; else nil.
  var immediateRequest: StubRequest? { body.immediateContent == nil ? nil : known }

  /// The request after its content was read; may block for as long as the stream does.
  func completeRequest() -> StubRequest {
    var request = known
    switch body {
    case .bytes, .unknown:
      break
    case .stream(let stream):
      do {
        request.body = .bytes(try stream.readToEnd())
      } catch {
        request.body = .unknown(reason: "its stream failed: \(error.localizedDescription)")
      }
    case .file(let file):
      do {
        request.body = .bytes(try Data(contentsOf: file, options: .mappedIfSafe))
      } catch {
        request.body = .unknown(
          reason: "the file \(file.path) cannot be read: \(error.localizedDescription)")
      }
    }
    return request
  }
}
