#if Server
import NIOCore

/// One end of a tunnel: hands bytes on to the other end, as fast as that takes them.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
final class TunnelEnd: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var other: TunnelEnd?
  private var context: ChannelHandlerContext?
  private var isReadHeld = false
  private var isInputClosed = false

  /// Two ends of one tunnel, for connections of one loop.
  static func pair() -> (TunnelEnd, TunnelEnd) {
    let (one, two) = (TunnelEnd(), TunnelEnd())
    (one.other, two.other) = (two, one)
    return (one, two)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    // The end that was added first waited for this one.
    if other?.context != nil { other?.resume() }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    other = nil
  }

  func read(context: ChannelHandlerContext) {
    if other?.context?.channel.isWritable == true {
      context.read()
    } else {
      isReadHeld = true
    }
  }

  private func resume() {
    guard isReadHeld else { return }
    isReadHeld = false
    context?.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What a parser leaves over comes outside of a read, whose end would flush it.
    other?.context?.writeAndFlush(data, promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { other?.resume() }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed: inputClosed()
    case is ServerEnds: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Nothing more comes from this end.
  func inputClosed() {
    isInputClosed = true
    other?.endOutput()
  }

  /// Sends the end behind what was sent.
  private func endOutput() {
    // The second half of a connection takes all of it along, even what is not written yet.
    if isInputClosed { return closeAfterWrites() }
    // Over TLS there may be no halves.
    context?.close(mode: .output).assumeIsolated().whenFailure { _ in self.closeAfterWrites() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    other?.closeAfterWrites()
    context.fireChannelInactive()
  }

  private func closeAfterWrites() {
    guard let context else { return }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
#endif
