#if Server
import HTTPTypes
import NIOCore
import StubDBFormats
import StubDBPlayback

/// Writes the head of an HTTP/1 response.
///
/// https://www.rfc-editor.org/rfc/rfc9112
struct HeadWriter {
  /// How the content is delimited.
  enum Framing: Equatable {
    /// The head says the number of bytes; nil for a status that has no content.
    case length(Int?)
    case chunked
    /// The end of the connection is the end of the content, whose length is not known.
    case untilClose
  }

  let head: ResponseHead
  let framing: Framing
  /// Whether the connection ends after the answer.
  let closes: Bool
  /// Whether the client asked for a connection that stays, which is not the rule in HTTP/1.0.
  let keepsOldConnection: Bool

  /// The framing of an answer: ours, since a stub cannot know what is sent.
  ///
  /// The length is always known. Chunks are sent if the stub says so by its `Transfer-Encoding`, since clients are
  /// tested with both. The answer to a `HEAD` may say a length without content.
  static func framing(_ head: ResponseHead, isHead: Bool, isOldVersion: Bool) -> Framing {
    switch head.status {
    case 100..<200, 204: return .length(nil)
    case 304: return .length(statedLength(head))
    default: break
    }
    if head.headers[.transferEncoding]?.lowercased() == "chunked" {
      if !isOldVersion { return .chunked }
      if head.contentLength == nil { return .untilClose }
    }
    let length = head.contentLength ?? 0
    return .length(isHead && length == 0 ? statedLength(head) ?? 0 : length)
  }

  private static func statedLength(_ head: ResponseHead) -> Int? {
    head.headers[.contentLength].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Whether a stub ends the connection by its `Connection` field.
  static func asksToClose(_ headers: HTTPFields) -> Bool {
    guard let value = headers[.connection] else { return false }
    return value.split(separator: ",").contains {
      $0.trimmingPrefix { $0 == " " }.lowercased().hasPrefix("close")
    }
  }

  func write(to out: inout ByteBuffer) {
    if head.status == 200 {
      out.writeStaticString("HTTP/1.1 200 OK\r\n")
    } else {
      out.writeStaticString("HTTP/1.1 ")
      out.writeString(String(head.status))
      out.writeStaticString(" ")
      out.writeString(StatusPhrase.text(of: head.status))
      out.writeStaticString("\r\n")
    }
    for field in head.headers where !Self.isFraming(field.name) {
      out.writeString(field.name.rawName)
      out.writeStaticString(": ")
      out.writeString(field.value)
      out.writeStaticString("\r\n")
    }
    switch framing {
    case .length(nil): break
    case .length(let length?):
      out.writeStaticString("Content-Length: ")
      out.writeString(String(length))
      out.writeStaticString("\r\n")
    case .chunked: out.writeStaticString("Transfer-Encoding: chunked\r\n")
    case .untilClose: break
    }
    if head.status == 426, head.headers.contains(.upgrade) {
      // https://www.rfc-editor.org/rfc/rfc9110#section-7.8
      out.writeString("Connection: upgrade\(closes ? ", close" : "")\r\n")
    } else if closes {
      out.writeStaticString("Connection: close\r\n")
    } else if keepsOldConnection {
      out.writeStaticString("Connection: keep-alive\r\n")
    }
    out.writeStaticString("\r\n")
  }

  /// Whether the field is about this connection, so that only the server can know it.
  private static func isFraming(_ name: HTTPField.Name) -> Bool {
    switch name {
    case .contentLength, .transferEncoding, .connection: true
    default: name.canonicalName == "keep-alive"
    }
  }
}
#endif
