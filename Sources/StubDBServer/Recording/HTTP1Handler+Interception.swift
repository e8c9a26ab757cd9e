#if Server
import NIOCore

extension HTTP1Handler {
  /// Says that a tunnel is open, and takes what comes through it as if the server were its other end.
  func intercept(_ scope: ConnectionScope) {
    #if TLS
    guard let context else { return }
    isOpeningTunnel = true
    let (loop, number) = (context.eventLoop, responder.answer.number)
    let handler = NIOLoopBound(self, eventLoop: loop)
    // The parser is still at work on the request.
    loop.execute {
      if handler.value.responder.owes(number) { handler.value.beginAnew(at: scope) }
    }
    #else
    let (head, content) = UpstreamError.noEncryption(scope.tunnel?.host ?? "").answer
    responder.give(head, content)
    #endif
  }

  #if TLS
  private func beginAnew(at scope: ConnectionScope) {
    guard let context else { return }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(Self.established), promise: nil)
    responder.answer.entry?.status = 200
    do {
      try leave(to: ProtocolDetector(server, scope))
      if isInputClosed { channel.close(promise: nil) } else { channel.read() }
    } catch {
      channel.close(promise: nil)
    }
  }
  #endif
}
#endif
