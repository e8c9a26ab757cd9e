#if Server
import HTTPTypes
import NIOCore
import StubDBEngine
import StubDBPlayback

import struct Foundation.Data

/// Sends what a ``Responder`` decides, in the way of one protocol.
///
/// Called on the event loop of the connection with the parts of an answer in order; concludes the responder's
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

  /// Sends an interim response, if the client's version of HTTP has them.
  func inform(_ head: ResponseHead)

  /// Sends these fields behind the content of the answer, if the client's protocol can.
  func append(_ trailers: HTTPFields)

  /// Connects the client to another server, or says why that is not possible.
  func openTunnel(to target: TunnelTarget)

  /// Has the client begin anew within a tunnel, as if it were connected to the tunnel's origin.
  func intercept(_ scope: ConnectionScope)
}

extension ResponseWriter {
  func upgrade(_ head: ByteBuffer, to webSocket: WebSocketHandler) -> Bool { false }

  func openTunnel(to target: TunnelTarget) { refuseTunnel() }

  func intercept(_ scope: ConnectionScope) { refuseTunnel() }

  private func refuseTunnel() {
    let (head, content) = FailureOnWire.problem(
      501, "No tunnels", "Only a connection of HTTP/1.1 can become a tunnel.")
    give(head, content)
  }
}

/// A responder as a front end, for one answer.
final class ResponderSink: ForwardingSink {
  private let responder: NIOLoopBound<Responder>
  private let loop: any EventLoop
  private let number: Int
  private let request: StubRequest
  /// The entry of the journal; nil for a request that no scenario is asked about.
  private let event: ServeEvent?
  private let server: ServerContext

  init(
    _ responder: Responder, answer number: Int, to request: StubRequest, event: ServeEvent?
  ) {
    self.responder = NIOLoopBound(responder, eventLoop: responder.loop)
    (loop, server) = (responder.loop, responder.server)
    (self.number, self.request, self.event) = (number, request, event)
  }

  func sendToNetwork() -> (any Cancellable)? {
    guard let forwarder = server.forwarder else { return nil }
    guard let recording = server.recording else {
      return forwarder.forward(request, to: self, on: loop)
    }
    if let target = TunnelTarget(upgrading: request) {
      recording.leaveOut(target.host, .webSocket)
      perform { $0.writer?.openTunnel(to: target) }
      return NothingToCancel()
    }
    return forwarder.forward(
      request, to: self, on: loop, mirrorsFaults: recording.settings.mirrorsFaults
    ) { next in
      recording.begin(request, event).map {
        RecordedAnswer(request, to: $0, recording, server.contents, next: next)
      }
    }
  }

  func inform(_ head: ResponseHead) {
    perform { $0.writer?.inform(head) }
  }

  func append(_ trailers: HTTPFields) {
    perform { $0.writer?.append(trailers) }
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
