#if Server
import HTTPTypes
import NIOCore
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing

import struct Foundation.Data

extension Responder {
  /// Opens a WebSocket, or says why the request asks for none that the stub has.
  func open(_ webSocket: WebSocketAnswer) {
    guard let event = answer.event, let served = answer.served else { return }
    do throws(WebSocketHandshake.Failure) {
      let handshake = try WebSocketHandshake(
        event.request, subprotocol: webSocket.script.subprotocol)
      let handler = WebSocketHandler(webSocket, of: self, event, served.player)
      let number = answer.number
      handshake.head(webSocket.headers, on: channel).assumeIsolated().whenComplete { head in
        guard self.owes(number) else { return }
        guard case .success(let bytes) = head, self.writer?.upgrade(bytes, to: handler) == true
        else { return self.refuse(.withoutUpgrades, event, served) }
        self.answer.entry?.status = 101
        self.answer.hasBegun = true
        self.webSocket = handler
        handler.begin()
      }
    } catch {
      refuse(error, event, served)
    }
  }

  private func refuse(
    _ failure: WebSocketHandshake.Failure, _ event: ServeEvent, _ served: ServedScenario
  ) {
    let refusal = failure.refusal
    var (head, content) = FailureOnWire.problem(refusal.status, refusal.title, refusal.detail)
    for field in failure.headers { head.headers.append(field) }
    answer.entry?.remark = refusal.title
    served.player.run.remark(refusal.detail, on: event)
    give(head, content)
  }
}

extension WebSocketHandshake.Failure {
  /// The protocol of the connection has no way to become a WebSocket.
  fileprivate static let withoutUpgrades = WebSocketHandshake.Failure(
    refusal: Refusal(
      501, "No WebSocket over this protocol",
      "The server opens WebSockets on connections of HTTP/1.1 only."))
}
#endif
