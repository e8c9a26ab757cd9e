#if Server
import Foundation
import NIOCore
import NIOHTTP1

#if TLS
import NIOSSL
#endif

/// Puts the handlers of a connection in place.
enum ConnectionStart {
  /// What every connection begins with.
  static func begin(
    _ channel: any Channel, _ server: ServerContext, _ scope: ConnectionScope
  ) throws {
    #if TLS
    try channel.pipeline.syncOperations.addHandler(ProtocolDetector(server, scope))
    #else
    try addHTTP1(to: channel, server, scope)
    #endif
    server.connections.add(channel)
    channel.closeFuture.whenComplete { _ in server.connections.remove(channel) }
  }

  /// What speaks HTTP/1.
  static func addHTTP1(
    to channel: any Channel, _ server: ServerContext, _ scope: ConnectionScope,
    isSecure: Bool = false
  ) throws {
    let handler = HTTP1Handler(Responder(server, scope, channel, isSecure: isSecure))
    let decoder = HTTPRequestDecoder(
      leftOverBytesStrategy: .forwardBytes, limitConfiguration: HTTP1Limits.configuration)
    try channel.pipeline.syncOperations.addHandlers([
      ArrivalWatch(handler), ByteToMessageHandler(decoder), handler,
    ])
  }
}

extension Channel {
  /// Resets the connection, so that its client sees no orderly end.
  ///
  /// Must be called on the event loop. What was written before may or may not arrive.
  func reset() {
    guard let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
    socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
      #if TLS
      // Below TLS, whose end would be an orderly one.
      let handler = try? self.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
      if let context = try? handler.map(self.pipeline.syncOperations.context(handler:)) {
        return context.close(promise: nil)
      }
      #endif
      self.close(promise: nil)
    }
  }
}
#endif
