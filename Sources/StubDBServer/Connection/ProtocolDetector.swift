#if TLS
import NIOCore

/// The protocol that a connection begins with.
enum FirstProtocol: Equatable {
  case http1
  case http2
  case tls

  /// Tells it from the first bytes; nil if more are needed.
  ///
  /// TLS begins with the record of a handshake, and HTTP/2 without TLS with a preface that looks like a request with a
  /// method of its own. https://www.rfc-editor.org/rfc/rfc9113#section-3.4
  init?(_ bytes: ByteBufferView) {
    let preface = "PRI ".utf8
    switch bytes.first {
    case nil: return nil
    case 0x16: self = .tls
    default:
      if bytes.starts(with: preface) {
        self = .http2
      } else if preface.starts(with: bytes) {
        return nil
      } else {
        self = .http1
      }
    }
  }
}

/// Looks at the first bytes of a connection, puts the handlers of their protocol in place, and leaves.
final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let server: ServerContext
  private let scope: ConnectionScope
  private var seen = ByteBuffer()
  private var isDecided = false
  private var deadline: Scheduled<Void>?

  init(_ server: ServerContext, _ scope: ConnectionScope) {
    (self.server, self.scope) = (server, scope)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let time = TimeAmount(server.options.idleTimeout)
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      context.close(promise: nil)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    seen.writeBuffer(&bytes)
    guard !isDecided, let found = FirstProtocol(seen.readableBytesView) else { return }
    isDecided = true
    do {
      switch found {
      case .tls: try beginTLS(context)
      case .http2: try HTTP2Connection.begin(context.channel, server, scope, isSecure: false)
      case .http1: try ConnectionStart.addHTTP1(to: context.channel, server, scope)
      }
    } catch {
      return context.close(promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(seen))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func beginTLS(_ context: ChannelHandlerContext) throws {
    if let certificates = server.options.certificates {
      return try SecureHandshake.begin(context.channel, server, scope, certificates)
    }
    server.log?(
      AccessLogEntry(
        method: "-", target: "-", remark: "TLS, which this server has no certificate for",
        duration: .zero, requestByteCount: 0, responseByteCount: 0))
    // The alert of a failed handshake, so that the client does not say that the version is wrong.
    // https://www.rfc-editor.org/rfc/rfc8446#section-6
    context.writeAndFlush(
      NIOAny(ByteBuffer(bytes: [0x15, 3, 3, 0, 2, 2, 40])), promise: nil)
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ServerEnds, ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
#endif
