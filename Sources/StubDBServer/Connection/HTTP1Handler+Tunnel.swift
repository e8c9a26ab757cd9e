#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import StubDBEngine

/// Another server that a client is connected to.
struct TunnelTarget: Sendable {
  let host: String
  let port: Int
  /// Whether the connection to the other server is one of TLS, which the client does not see.
  var isSecure = false
  /// What is sent to the other server first, in place of a response to the client.
  var request: ByteBuffer?

  init(host: String, port: Int) {
    (self.host, self.port) = (host, port)
  }

  /// The server that a request for a WebSocket is passed on to; nil for any other request.
  init?(upgrading request: StubRequest) {
    guard WebSocketHandshake.isAsked(by: request.headers),
      let url = try? UpstreamURL(Self.http(request.url))
    else { return nil }
    self.init(host: url.host, port: url.port)
    isSecure = url.isSecure
    var head = ByteBuffer()
    head.writeString("\(request.method) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n")
    for field in PassedOnFields.recorded(request.headers) {
      head.writeString("\(field.name.rawName): \(field.value)\r\n")
    }
    head.writeStaticString("Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    self.request = head
  }

  private static func http(_ url: String) -> String {
    url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
  }
}

extension HTTP1Handler {
  /// Connects the client to another server; what goes through the tunnel then is not looked at.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
  func openTunnel(to target: TunnelTarget) {
    guard let context else { return }
    isOpeningTunnel = true
    let (loop, number) = (context.eventLoop, responder.answer.number)
    let handler = NIOLoopBound(self, eventLoop: loop)
    let (near, far) = TunnelEnd.pair()
    let ends = NIOLoopBound((near: near, far: far), eventLoop: loop)
    let client = server.client
    client.connect(to: target.host, target.port, target: nil, on: loop) { channel in
      channel.eventLoop.makeCompletedFuture {
        if target.isSecure {
          let encryption = try client.encryption(for: target.host)
          try channel.pipeline.syncOperations.addHandlers(try encryption(target.host))
        }
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
        handler.becomeTunnel(ends.value.near, to: channel, target)
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
  private func becomeTunnel(_ end: TunnelEnd, to other: any Channel, _ target: TunnelTarget) {
    guard let context else { return other.close(promise: nil) }
    let channel = context.channel
    let connections = server.connections
    channel.closeFuture.whenComplete { _ in connections.remove(channel) }
    if let request = target.request {
      other.writeAndFlush(request, promise: nil)
    } else {
      context.writeAndFlush(wrapOutboundOut(Self.established), promise: nil)
    }
    responder.answer.entry?.status = 200
    do {
      try leave(to: end)
      if isInputClosed { end.inputClosed() }
      other.setOption(.autoRead, value: true).whenComplete { _ in channel.read() }
    } catch {
      channel.close(promise: nil)
      other.close(promise: nil)
    }
  }

  static let established = ByteBuffer(
    staticString: "HTTP/1.1 200 Connection Established\r\n\r\n")

  /// Leaves the connection to another handler, which gets what the parser has not read.
  func leave(to handler: some ChannelHandler) throws {
    guard let context else { return }
    timers.cancel()
    phase = .closing
    content.release()
    responder.conclude()
    let pipeline = context.channel.pipeline.syncOperations
    let parsers = [
      try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self),
      try? pipeline.context(handlerType: ArrivalWatch.self),
    ].compactMap(\.self)
    try pipeline.addHandler(handler)
    pipeline.removeHandler(context: context, promise: nil)
    for parser in parsers { pipeline.removeHandler(context: parser, promise: nil) }
  }
}
#endif
