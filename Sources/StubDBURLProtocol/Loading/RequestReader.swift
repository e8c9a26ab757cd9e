import Foundation
import HTTPTypes
import StubDBEngine
import StubDBSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the engine's form of a request, reading its content once.
struct RequestReader: @unchecked Sendable {
  // Safe to share: it is used by one thread at a time, first that of `startLoading` and then, if the content must be
  // read, one other; the stream belongs to the task and has no other reader.
  /// The request, with its content if reading that needs no I/O.
  let known: StubRequest
  private let body: BodySource

  /// Nil for a request with more header fields than ``HTTPFields/maximumCount``.
  init?(request: URLRequest, url: URL, body: BodySource, fields: RequestFields) {
    guard let headers = fields.fields(request.allHTTPHeaderFields ?? [:]) else { return nil }
    known = StubRequest(
      method: request.httpMethod ?? "GET", url: url.absoluteString, headers: headers,
      body: body.immediateContent ?? .bytes(Data()))
    self.body = body
  }

  /// Whether the request asks for a WebSocket.
  var asksForWebSocket: Bool { known.headers[.upgrade]?.lowercased() == "websocket" }

  /// The request, if reading it needs no I/O; nil otherwise.
  var immediateRequest: StubRequest? { body.immediateContent == nil ? nil : known }

  /// The request with its content; may block as long as the stream does.
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

/// Makes the engine's form of header fields, once for equal ones that come one after another.
///
/// Most requests of a client have the same, and the journal then keeps them once.
final class RequestFields: Sendable {
  private let last = Locked<(given: [String: String], made: HTTPFields)?>(nil)

  /// Nil if there are more than ``HTTPFields/maximumCount``.
  func fields(_ given: [String: String]) -> HTTPFields? {
    if let last = last.withLock({ $0 }), Self.isSame(last.given, given) { return last.made }
    guard let made = HTTPFields(requestFields: given) else { return nil }
    last.withLock { $0 = (given, made) }
    return made
  }

  /// Not ==, for which values are equal that compose a character differently.
  private static func isSame(_ one: [String: String], _ other: [String: String]) -> Bool {
    one.count == other.count
      && one.allSatisfy { name, value in
        other[name].map { ByteText.isEqual(value, $0) } ?? false
      }
  }
}

/// The source of a request's content.
enum BodySource {
  /// The bytes themselves; empty if the request has no content.
  case bytes(Data)
  /// A stream, which can be read once.
  case stream(InputStream)
  /// A file.
  case file(URL)
  /// None; the reason is the end of a sentence.
  case unknown(String)
}

extension BodySource {
  /// The source in the request itself, or else another one.
  init(of request: URLRequest, otherwise: BodySource = .bytes(Data())) {
    if let content = request.httpBody {
      self = .bytes(content)
    } else if let stream = request.httpBodyStream {
      self = .stream(stream)
    } else {
      self = otherwise
    }
  }
}

extension BodySource {
  /// The content, if reading it needs no I/O; nil otherwise.
  var immediateContent: RequestBody? {
    switch self {
    case .bytes(let content): .bytes(content)
    case .unknown(let reason): .unknown(reason: reason)
    case .stream, .file: nil
    }
  }
}

extension InputStream {
  /// Opens the stream, reads all of it, and closes it.
  ///
  /// - Throws: The stream's error.
  func readToEnd() throws -> Data {
    open()
    defer { close() }
    let chunkSize = 65_536
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: chunkSize)
    while true {
      let count = read(&buffer, maxLength: chunkSize)
      if count < 0 { throw streamError ?? URLError(.requestBodyStreamExhausted) }
      if count == 0 { return content }
      content.append(contentsOf: buffer[..<count])
    }
  }
}
