#if Server
import NIOCore
import StubDBEngine
import StubDBPlayback

import struct Foundation.Data

/// Sends what a ``Responder`` decides, in the way of one protocol.
///
/// It is told on the event loop of the connection, the parts of an answer in order, and concludes the responder's
/// answer when the last one has been written.
protocol ResponseWriter: AnyObject {
  /// Whether the client has read enough for more to be written.
  var isReady: Bool { get }

  /// Whether content may come without a known end.
  var takesStreams: Bool { get }

  /// Sends a response that is there as a whole, and completes it.
  func give(_ head: ResponseHead, _ content: Data)

  /// Sends the head of a response whose content follows.
  func begin(_ head: ResponseHead)

  func append(_ content: Data)

  /// Calls the closure once the client has taken what was sent before.
  func afterDelivery(_ next: @escaping @Sendable () -> Void)

  func end(_ ending: WireEnding)

  /// Sends the bytes, and leaves the connection to a WebSocket; false if the protocol cannot.
  func upgrade(_ head: ByteBuffer, to webSocket: WebSocketHandler) -> Bool

  /// Connects the client to another server, with the status 200, or says why that is not possible.
  func openTunnel(to host: String, _ port: Int)
}

extension ResponseWriter {
  func upgrade(_ head: ByteBuffer, to webSocket: WebSocketHandler) -> Bool { false }

  func openTunnel(to host: String, _ port: Int) {
    guard
      case .response(let head, let content) = FailureOnWire.problem(
        501, "No tunnels", "Only a connection of HTTP/1.1 can become a tunnel.")
    else { return }
    give(head, content)
  }
}

/// A responder as a front end, for one answer.
final class ResponderSink: ForwardingSink {
  private let responder: NIOLoopBound<Responder>
  private let loop: any EventLoop
  private let number: Int
  private let request: StubRequest
  private let forwarder: Forwarder?

  init(_ responder: Responder, answer number: Int, to request: StubRequest) {
    self.responder = NIOLoopBound(responder, eventLoop: responder.loop)
    (loop, forwarder) = (responder.loop, responder.server.forwarder)
    (self.number, self.request) = (number, request)
  }

  func sendToNetwork() -> (any Cancellable)? {
    forwarder?.forward(request, to: self, on: loop)
  }

  func begin(_ head: ResponseHead) {
    perform { responder in
      // The other server says itself which pages may read its answer.
      responder.answer.crossOrigin = nil
      responder.deliver(.head(head))
    }
  }

  func remark(_ text: String) {
    perform { $0.remark(text) }
  }

  func tell(_ event: ResponseEvent) {
    perform { $0.deliver(event) }
  }

  func fallSilent() {
    perform { $0.writer?.end(.silence) }
  }

  func openWebSocket(_ answer: WebSocketAnswer) -> Bool {
    perform { $0.open(answer) }
    return true
  }

  func runEnded() {
    perform { responder in
      if let webSocket = responder.webSocket {
        webSocket.serverEnds()
      } else {
        responder.deliver(.failure(.ended))
      }
    }
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) {
    perform { $0.writer?.afterDelivery(next) }
  }

  /// Does something on the loop, unless the answer has been given up meanwhile.
  private func perform(_ action: @escaping @Sendable (Responder) -> Void) {
    loop.execute {
      let responder = self.responder.value
      if responder.owes(self.number) { action(responder) }
    }
  }
}
#endif
