package import Foundation
import StubDBEngine
import StubDBModel
package import StubDBPlayback

package struct WebSocketMessage: Hashable, Sendable {
  package var content: Data
  /// Whether it is text; otherwise it is binary.
  package var isText: Bool

  package init(content: Data, isText: Bool) {
    self.content = content
    self.isText = isText
  }

  /// The message with this content, which is binary if a document has it as base64.
  init(_ body: ResponseBody) {
    content = body.bytes ?? Data()
    isText = body.kind != .base64
  }

  /// As the journal shows it.
  var text: String { FrameRecord.text(of: content, isText: isText) }
}

extension WebSocketAnswer {
  /// The beginning of playing it.
  package var play: WebSocketPlay {
    WebSocketPlay(script) { frames?.phrase(ofFrame: $0) ?? "" }
  }
}
