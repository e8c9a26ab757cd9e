internal import StubDBJSON
package import StubDBModel

extension DocumentObject {
  /// Throws for frames that are never reached, and for a repetition that is impossible.
  func check(_ script: WebSocketScript) throws(DocumentError) {
    let end = script.frames.firstIndex(where: \.isLast)
    if let end, end < script.frames.count - 1, let frames = self["frames"] {
      throw DocumentError(
        .conflict, pointer: frames.place.pointer.appending(end + 1),
        message: "the frame is never reached, because the one before ends the connection")
    }
    guard let start = script.repeatFrom, let node = self["repeatFrom"] else { return }
    guard script.frames.indices.contains(start) else {
      throw node.failure(
        .invalidValue,
        script.frames.isEmpty
          ? "there are no frames to repeat"
          : "there is no frame \(start); the first is 0 and the last is \(script.frames.count - 1)")
    }
    if end != nil {
      throw node.failure(
        .conflict, "nothing is ever repeated, because the last frame ends the connection")
    }
    if !script.frames[start...].contains(where: \.isPause) {
      throw node.failure(
        .conflict,
        "the frames would repeat without a pause; give one of them an \"after\", or expect a message"
      )
    }
  }
}

extension WebSocketScript.Frame {
  /// Whether nothing comes after the frame.
  package var isLast: Bool {
    switch kind {
    case .send, .expect: false
    case .close, .fault: true
    }
  }

  /// Whether playing the frame takes time, or waits for the client.
  package var isPause: Bool {
    switch kind {
    case .send(_, let after), .close(_, _, let after), .fault(_, let after): after > .zero
    case .expect: true
    }
  }
}
