#if Server
import NIOCore
import NIOHTTP1

#if TLS
import NIOTLS
#endif

import struct Foundation.Data

/// Sends one request over a connection to another server, and reads the response as fast as it is taken.
final class UpstreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  /// The largest piece of content that is written at once.
  private static let largestPiece = 64 << 10

  private let head: HTTPRequestHead
  private var content: Data
  /// Whether TLS must be agreed on before the request is sent.
  private var awaitsHandshake: Bool
  private var isSent = false
  private let exchange: UpstreamExchange
  private let options: ForwardingOptions
  private var timeout: Scheduled<Void>?
  /// Whether content was handed on that has not gone on yet.
  private var isHeld = false
  private var hasBegun = false
  private var interimCount = 0
  private static let mostInterim = 100

  init(
    _ head: HTTPRequestHead, _ content: Data, _ exchange: UpstreamExchange,
    _ options: ForwardingOptions, awaitsHandshake: Bool
  ) {
    self.awaitsHandshake = awaitsHandshake
    (self.head, self.content, self.exchange, self.options) = (head, content, exchange, options)
  }

  func channelActive(context: ChannelHandlerContext) {
    restartTimeout(context)
    if !awaitsHandshake { begin(context) }
    context.read()
    context.fireChannelActive()
  }

  #if TLS
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent, awaitsHandshake {
      awaitsHandshake = false
      begin(context)
    }
    context.fireUserInboundEventTriggered(event)
  }
  #endif

  private func begin(_ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    send(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timeout?.cancel()
    exchange.fail(.brokenOff)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timeout?.cancel()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    send(context)
    context.fireChannelWritabilityChanged()
  }

  /// Writes content as far as the other side reads it.
  private func send(_ context: ChannelHandlerContext) {
    while !awaitsHandshake, !isSent, context.channel.isWritable {
      let piece = content.prefix(Self.largestPiece)
      content = content.dropFirst(piece.count)
      if !piece.isEmpty {
        restartTimeout(context)
        let bytes = context.channel.allocator.buffer(bytes: piece)
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
      }
      isSent = content.isEmpty
      if isSent { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
      context.flush()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    restartTimeout(context)
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard head.status.code >= 200 else { return inform(head) }
      guard head.hasKnownCoding else { return exchange.fail(.unknownCoding) }
      hasBegun = true
      exchange.receiver?.begin(head)
    case .body(let bytes):
      exchange.receiver?.receive(bytes)
    case .end(let trailers):
      timeout?.cancel()
      exchange.end(trailers ?? [:])
    }
  }

  /// Tells of an interim response, which the parser only hands on if it is wanted, and of few of them.
  private func inform(_ head: HTTPResponseHead) {
    guard head.status.code >= 100 else { return exchange.fail(.noStatus) }
    interimCount += 1
    guard head.status.code != 101, interimCount <= Self.mostInterim else {
      return exchange.fail(head.status.code == 101 ? .noAnswer : .onlyInterim)
    }
    exchange.receiver?.inform(head)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    guard !isHeld else { return }
    guard hasBegun, let receiver = exchange.receiver else { return context.read() }
    isHeld = true
    timeout?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    receiver.afterDelivery {
      loop.execute {
        let (handler, context) = bound.value
        handler.isHeld = false
        handler.restartTimeout(context)
        context.read()
      }
    }
  }

  /// The other server may be silent only for so long; while the client does not read, it is not asked.
  private func restartTimeout(_ context: ChannelHandlerContext) {
    timeout?.cancel()
    let exchange = exchange
    timeout = context.eventLoop.scheduleTask(in: TimeAmount(options.answerTimeout)) {
      exchange.fail(.timedOut("The other server did not answer in time"))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    exchange.fail(UpstreamError(error))
    context.close(promise: nil)
  }
}

extension HTTPResponseHead {
  /// Whether the content comes as it is, perhaps in chunks: a client would take any other coding for its bytes.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9112#section-6.1
  var hasKnownCoding: Bool {
    headers[canonicalForm: "transfer-encoding"].allSatisfy {
      $0.isEmpty || $0.lowercased() == "chunked"
    }
  }
}
#endif
