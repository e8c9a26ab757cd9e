#if TLS
import NIOCore
import NIOSSL
import NIOTLS

/// Waits for a TLS handshake, puts the handlers of the protocol in place that it has chosen, and stays behind TLS for
/// clients that end without saying so.
final class SecureHandshake: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let server: ServerContext
  private let scope: ConnectionScope
  private var isDone = false
  private var hasFailed = false
  private var deadline: Scheduled<Void>?

  private init(_ server: ServerContext, _ scope: ConnectionScope) {
    (self.server, self.scope) = (server, scope)
  }

  static func begin(
    _ channel: any Channel, _ server: ServerContext, _ scope: ConnectionScope,
    _ certificates: ServerCertificates
  ) throws {
    let context = try scope.tunnel.map { try certificates.context(for: $0.host) }
    try channel.pipeline.syncOperations.addHandlers([
      NIOSSLServerHandler(context: context ?? certificates.context),
      SecureHandshake(server, scope),
    ])
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let time = TimeAmount(server.options.headerTimeout)
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      self.note("the TLS handshake did not end in time")
      context.channel.reset()
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.cancel()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted(let negotiated) where !isDone:
      isDone = true
      deadline?.cancel()
      do {
        try begin(negotiated, context.channel)
      } catch {
        context.channel.reset()
      }
    case is ServerEnds where !isDone:
      context.channel.reset()
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// A client that does not negotiate speaks HTTP/1.
  private func begin(_ negotiated: String?, _ channel: any Channel) throws {
    if negotiated == "h2" {
      try HTTP2Connection.begin(channel, server, scope, isSecure: true)
    } else {
      try ConnectionStart.addHTTP1(to: channel, server, scope, isSecure: true)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isDone {
      // Many clients close the connection below TLS; that is the end of input, which is reported too.
      if case NIOSSLError.uncleanShutdown? = error as? NIOSSLError { return }
      return context.fireErrorCaught(error)
    }
    // TLS closes the connection itself, after sending an alert to the client.
    leaveOut()
    note("the TLS handshake failed: \(Self.reason(error))")
  }

  /// A client of a tunnel that does not accept the certificate gets through next time.
  private func leaveOut() {
    guard !isDone, !hasFailed, let host = scope.tunnel?.host else { return }
    server.recording?.leaveOut(host, .pinned)
  }

  private func note(_ remark: String) {
    guard !isDone, !hasFailed else { return }
    hasFailed = true
    server.log?(
      AccessLogEntry(
        method: "-", target: "-", remark: remark, duration: .zero, requestByteCount: 0,
        responseByteCount: 0))
  }

  /// The reason in the words of TLS; the usual one is a client that refuses the certificate.
  private static func reason(_ error: any Error) -> String {
    let text = "\(error)"
    guard let name = text.firstMatch(of: /OPENSSL_internal:([A-Z0-9_]+)/)?.1 else { return text }
    // OpenSSL does not encrypt what it says about a certificate, so that BoringSSL finds it too short.
    let isAboutTrust = [
      "UNKNOWN_CA", "CERTIFICATE_UNKNOWN", "BAD_CERTIFICATE", "BAD_PACKET_LENGTH",
    ].contains(where: name.contains)
    return isAboutTrust
      ? "the client does not trust the certificate; stubdb ca show explains how it can"
      : name.lowercased().replacing("_", with: " ")
  }
}
#endif
