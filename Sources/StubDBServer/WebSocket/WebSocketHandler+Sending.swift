#if Server
import NIOCore
import NIOWebSocket
import StubDBPlayback
import StubDBServing

import struct Foundation.Data

/// What a WebSocket is still to send.
enum OutgoingFrame {
  /// The rest of a message; `isAwaited` if the script goes on once the client has taken it.
  case message(Data, Bool, isFirst: Bool, Bool)
  case close(Int?, String)
  /// Both sides have closed the connection.
  case end
  case reset
}

extension WebSocketHandler {
  /// Larger messages are sent in several frames, so that the bytes are shared by all clients that get them.
  private static let largestFrame = 64 << 10
  /// How many frames are sent before other connections have their turn.
  private static let mostAtOnce = 64

  /// Sends what is outgoing, as far as the client reads it.
  func send() {
    guard !isSending, let context else { return }
    isSending = true
    defer { isSending = false }
    var count = 0
    while !outgoing.isEmpty {
      guard isReady(context) else { break }
      if count == Self.mostAtOnce {
        context.flush()
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { handler.value.send() }
        return
      }
      count += 1
      sendNext(context)
    }
    context.flush()
  }

  private func isReady(_ context: ChannelHandlerContext) -> Bool {
    if context.channel.isWritable { return true }
    context.flush()
    return context.channel.isWritable
  }

  private func sendNext(_ context: ChannelHandlerContext) {
    guard let next = outgoing.popFirst(), !isOutputClosed else { return }
    switch next {
    case .message(let content, let isText, let isFirst, let isAwaited):
      let slice = content.prefix(Self.largestFrame)
      let rest = content.dropFirst(slice.count)
      responder.answer.entry?.responseByteCount += slice.count
      write(
        isFirst ? (isText ? .text : .binary) : .continuation, ByteBuffer(bytes: slice),
        isLast: rest.isEmpty)
      guard rest.isEmpty else {
        return outgoing.prepend(.message(rest, isText, isFirst: false, isAwaited))
      }
      if isAwaited { carryOut(play.sent()) }
    case .close(let code, let reason):
      var data = ByteBuffer()
      if let code {
        data.writeInteger(UInt16(clamping: code))
        data.writeString(Self.shortened(reason))
      }
      write(.connectionClose, data, isLast: true)
      context.flush()
      closeLater()
    case .end:
      isOutputClosed = true
      context.flush()
      context.close(mode: .output, promise: nil)
      closeLater()
    case .reset:
      isOutputClosed = true
      // Once what was written has left.
      context.flush()
      context.channel.reset()
    }
  }

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer, isLast: Bool) {
    context?.write(
      wrapOutboundOut(WebSocketFrame(fin: isLast, opcode: opcode, data: data)), promise: nil)
  }

  /// A reason that has room in a frame.
  private static func shortened(_ reason: String) -> String {
    var text = reason
    while text.utf8.count > 123 { text.removeLast() }
    return text
  }

  func pong(_ data: ByteBuffer) {
    guard !play.isSilent, !isOutputClosed else { return }
    write(.pong, data, isLast: true)
    context?.flush()
  }

  func ping() {
    write(.ping, ByteBuffer(), isLast: true)
    context?.flush()
  }
}
#endif
