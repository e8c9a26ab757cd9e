#if Server
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import StubDBPlayback

/// Why another server gave no answer, or only a part of one.
struct UpstreamError: Error, Equatable {
  /// The value of `StubDB-Upstream-Error`: the name of the `URLError` where there is one.
  let name: String
  /// What happened, as a sentence without its full stop.
  let reason: String

  static func timedOut(_ what: String) -> UpstreamError {
    UpstreamError(name: "timedOut", reason: what)
  }

  /// An answer with a status that nothing follows in HTTP, such as the one of another protocol.
  static let noAnswer = UpstreamError(
    name: "cannotParseResponse",
    reason: "The other server changed the protocol, which it was not asked for")

  static let noStatus = UpstreamError(
    name: "cannotParseResponse", reason: "The other server sent a status that HTTP does not have")

  static let unknownCoding = UpstreamError(
    name: "cannotParseResponse",
    reason: "The other server sent a Transfer-Encoding other than chunked")

  static let onlyInterim = UpstreamError(
    name: "cannotParseResponse", reason: "The other server sends interim responses without end")

  static let serverEnds = UpstreamError(
    name: "networkConnectionLost", reason: "The server ends")

  static let brokenOff = UpstreamError(
    name: "networkConnectionLost", reason: "The other server closed the connection too early")

  /// The error of a connection.
  init(_ error: any Error) {
    #if TLS
    if let error = UpstreamError(ofTLS: error) {
      self = error
      return
    }
    #endif
    switch error {
    case let error as UpstreamError: self = error
    case ChannelError.connectTimeout:
      self = .timedOut("The other server did not accept the connection in time")
    case let error as IOError: self.init(errno: error.errnoCode)
    case HTTPParserError.invalidEOFState: self = .brokenOff
    case is HTTPParserError:
      self.init(
        name: "cannotParseResponse", reason: "The other server does not speak HTTP/1: \(error)")
    default:
      self.init(name: "cannotConnectToHost", reason: "The other server cannot be reached: \(error)")
    }
  }

  /// The error of a socket, without SwiftNIO's text, which names functions of the system.
  private init(errno: Int32) {
    let cause =
      switch errno {
      case ECONNREFUSED: "it refused the connection, so probably nothing listens on that port"
      default: String(cString: strerror(errno)).lowercased()
      }
    if [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(errno) {
      self.init(name: "cannotConnectToHost", reason: "The other server cannot be reached: \(cause)")
    } else {
      self.init(
        name: "networkConnectionLost", reason: "The connection to the other server failed: \(cause)"
      )
    }
  }

  init(name: String, reason: String) {
    (self.name, self.reason) = (name, reason)
  }

  /// Whether the request was not sent: this server refused to, and neither the network nor the other server failed.
  var isRefusal: Bool { ["privateAddress", "loop", "unsupportedURL"].contains(name) }

  /// Whether there was no answer, or no end of one, in time.
  var isTimeout: Bool { name == "timedOut" }

  /// The status for the client.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3
  var status: Int {
    switch name {
    case "timedOut": 504
    case "loop": 508
    default: 502
    }
  }

  /// What the client gets.
  var answer: (ResponseHead, Data) {
    let title = status == 508 ? "The request came back" : "The request cannot be passed on"
    var (head, content) = FailureOnWire.problem(status, title, reason + ".")
    if let field = HTTPField.Name("StubDB-Upstream-Error") { head.headers[field] = name }
    return (head, content)
  }
}
#endif
