#if Server
import NIOCore
import NIOWebSocket
import StubDBModel
import StubDBPlayback
import StubDBServing
import StubDBSupport

import struct Foundation.Data

/// Puts the frames of a client together, and checks what the parser does not.
///
/// https://www.rfc-editor.org/rfc/rfc6455#section-5
struct MessageAssembler {
  /// What a frame completes.
  enum Event {
    case message(WebSocketMessage)
    case ping(ByteBuffer)
    /// The client closes the connection; without a code if it is nil.
    case close(Int?)
  }

  /// Why a frame is no part of a WebSocket.
  struct Failure: Error {
    /// The code for the frame that closes the connection.
    let code: Int
    let reason: String

    static func broken(_ reason: String) -> Failure { Failure(code: 1002, reason: reason) }
  }

  private let limit: Int
  /// The message of which frames are missing; nil between messages.
  private var open: (content: ByteBuffer, isText: Bool)?

  /// Takes messages of up to so many bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The memory that the unfinished message takes.
  var byteCount: Int { open?.content.readableBytes ?? 0 }

  /// Adds a frame; nil if it completes nothing that matters.
  mutating func add(_ frame: WebSocketFrame) throws(Failure) -> Event? {
    guard frame.reservedBits.isEmpty else {
      throw .broken("a frame has reserved bits, and no extension was agreed on")
    }
    guard frame.maskKey != nil else { throw .broken("a frame of a client has no mask") }
    var data = frame.unmaskedData
    switch frame.opcode {
    case .ping: return .ping(data)
    case .pong: return nil
    case .connectionClose: return .close(try Self.code(&data))
    case .text, .binary:
      guard open == nil else { throw .broken("a message begins before the last one has ended") }
      open = (ByteBuffer(), frame.opcode == .text)
    case .continuation:
      guard open != nil else { throw .broken("a frame continues no message") }
    default: throw .broken("a frame has an unknown opcode")
    }
    return try append(&data, isLast: frame.fin)
  }

  /// Adds to the message that is open, in place: a copy for each frame would take the square of their number.
  private mutating func append(_ data: inout ByteBuffer, isLast: Bool) throws(Failure) -> Event? {
    guard byteCount + data.readableBytes <= limit else {
      throw Failure(code: 1009, reason: "a message has more than \(limit) bytes")
    }
    open?.content.writeBuffer(&data)
    guard isLast, let message = open else { return nil }
    open = nil
    let content = Data(message.content.readableBytesView)
    if message.isText, String(strictUTF8: content) == nil {
      throw Failure(code: 1007, reason: "a text is not UTF-8")
    }
    return .message(WebSocketMessage(content: content, isText: message.isText))
  }

  /// The code of the frame that closes a connection.
  private static func code(_ data: inout ByteBuffer) throws(Failure) -> Int? {
    guard data.readableBytes > 0 else { return nil }
    guard let code = data.readInteger(as: UInt16.self).map(Int.init),
      CloseCode.isSendable(code)
    else {
      throw .broken("a closing frame has no valid code")
    }
    guard String(strictUTF8: Data(data.readableBytesView)) != nil else {
      throw Failure(code: 1007, reason: "the reason of a closing frame is not UTF-8")
    }
    return code
  }
}
#endif
