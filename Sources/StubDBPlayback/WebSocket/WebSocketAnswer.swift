package import Foundation
package import HTTPTypes
package import StubDBEngine
package import StubDBModel

/// A WebSocket that a stub opens.
package struct WebSocketAnswer: Hashable, Sendable {
  /// The frames, with the templates of messages filled in.
  package let script: WebSocketScript
  /// Header fields of the response that opens it.
  package let headers: HTTPFields
  /// What the frames expect; nil for the response of a closure, which opens none.
  package let frames: FramePatterns?

  package init(script: WebSocketScript, headers: HTTPFields = [:], frames: FramePatterns?) {
    self.script = script
    self.headers = headers
    self.frames = frames
  }

  /// The beginning of playing it.
  package var play: WebSocketPlay {
    WebSocketPlay(script) { frames?.phrase(ofFrame: $0) ?? "" }
  }
}

/// A message of a WebSocket.
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
