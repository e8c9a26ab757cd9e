#if Server
import NIOCore
import NIOHTTP1

extension HTTP1Handler {
  /// Connects the client to another server; what goes through the tunnel then is not looked at.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
  func openTunnel(to host: String, _ port: Int) {
    guard let context else { return }
    isOpeningTunnel = true
    let (loop, number) = (context.eventLoop, responder.answer.number)
    let handler = NIOLoopBound(self, eventLoop: loop)
    let (near, far) = TunnelEnd.pair()
    let ends = NIOLoopBound((near: near, far: far), eventLoop: loop)
    server.client.connect(to: host, port, target: nil, on: loop) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
        try channel.pipeline.syncOperations.addHandler(ends.value.far)
      }
    }.whenComplete { result in
      let handler = handler.value
      guard handler.responder.owes(number) else {
        if case .success(let channel) = result { channel.close(promise: nil) }
        return
      }
      switch result {
      case .success(let channel):
        handler.becomeTunnel(ends.value.near, to: channel)
      case .failure(let error):
        handler.isOpeningTunnel = false
        handler.resumeReading()
        let (head, content) = UpstreamError(error).answer
        handler.responder.remark(UpstreamError(error).name)
        handler.responder.give(head, content)
      }
    }
  }

  /// Leaves the connection to the end of a tunnel.
  private func becomeTunnel(_ end: TunnelEnd, to other: any Channel) {
    guard let context else { return other.close(promise: nil) }
    let channel = context.channel
    let connections = server.connections
    channel.closeFuture.whenComplete { _ in connections.remove(channel) }
    context.writeAndFlush(
      wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 200 Connection Established\r\n\r\n")),
      promise: nil)
    responder.answer.entry?.status = 200
    timers.cancel()
    phase = .closing
    content.release()
    responder.conclude()
    let pipeline = channel.pipeline.syncOperations
    do {
      try pipeline.addHandler(end)
      pipeline.removeHandler(context: context, promise: nil)
      // What the parser has not read goes through the tunnel.
      for parser in [
        try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self),
        try? pipeline.context(handlerType: ByteWatch.self),
      ].compactMap(\.self) {
        pipeline.removeHandler(context: parser, promise: nil)
      }
      if isInputClosed { end.inputClosed() }
      other.setOption(.autoRead, value: true).whenComplete { _ in channel.read() }
    } catch {
      channel.close(promise: nil)
      other.close(promise: nil)
    }
  }
}
#endif
