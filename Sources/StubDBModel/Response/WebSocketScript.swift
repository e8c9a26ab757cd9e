package import StubDBSupport

/// What a server does with a WebSocket connection: frames that it sends and expects, in order.
///
/// A message that the client sends is for the next frame that expects one, also if it comes before its turn. One that is
/// not expected gets what ``otherwise`` says.
///
/// https://www.rfc-editor.org/rfc/rfc6455
package struct WebSocketScript: Hashable, Sendable {
  /// The subprotocol that the client must offer; nil to take the first that it offers, if it offers any.
  @ByBytes package var subprotocol: String?
  /// The frames, in order; may be empty.
  package var frames: [Frame]
  /// The index of the frame that follows the last one; nil if nothing follows, and the connection stays open.
  package var repeatFrom: Int?
  /// What a message gets that no frame expects.
  package var otherwise: Otherwise

  /// Makes a script.
  package init(
    subprotocol: String? = nil, frames: [Frame] = [], repeatFrom: Int? = nil,
    otherwise: Otherwise = .close
  ) {
    self.subprotocol = subprotocol
    self.frames = frames
    self.repeatFrom = repeatFrom
    self.otherwise = otherwise
  }

  /// A step of a script.
  package struct Frame: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case send(ResponseBody, after: Duration)
      /// All patterns, of which there is at least one, must match; nil to wait without a limit.
      case expect([BodyPattern], within: Duration?)
      case close(Int, reason: ByteText, after: Duration)
      case fault(ResponseFault, after: Duration)
    }

    package var kind: Kind

    package init(kind: Kind) { self.kind = kind }

    /// Sends a message: bytes as a binary one, text and JSON as a text.
    package static func send(_ body: ResponseBody, after: Duration = .zero) -> Frame {
      Frame(kind: .send(body, after: after))
    }

    /// Closes the connection with a status code; 1000 if a frame may not contain the code.
    package static func close(
      _ code: Int = 1000, reason: String = "", after: Duration = .zero
    ) -> Frame {
      Frame(
        kind: .close(
          CloseCode.isSendable(code) ? code : 1000, reason: ByteText(reason), after: after))
    }

    /// Resets the connection.
    package static func reset(after: Duration = .zero) -> Frame {
      Frame(kind: .fault(.connectionReset, after: after))
    }

    /// Sends nothing any more, not even the answer to a ping.
    package static func silence(after: Duration = .zero) -> Frame {
      Frame(kind: .fault(.never, after: after))
    }

    /// The faults that a frame may be.
    package static let faults: [ResponseFault] = [.connectionReset, .never]
  }

  /// What a message gets that no frame expects.
  package enum Otherwise: String, Sendable, CaseIterable {
    /// The connection is closed with 1008, a violation of the policy.
    case close = "close1008"
    /// Nothing happens.
    case ignore
    /// The message is sent back.
    case echo
  }
}

/// The status codes of the frame that closes a WebSocket.
///
/// https://www.rfc-editor.org/rfc/rfc6455#section-7.4
package enum CloseCode {
  /// The ranges of codes that a frame may contain; the others are reserved, or represent the lack of a frame.
  package static let sendable = [1000...1003, 1007...1014, 3000...4999]
  /// The largest number of bytes of a reason.
  package static let longestReason = 123

  /// Whether a frame may contain the code.
  package static func isSendable(_ code: Int) -> Bool { sendable.contains { $0.contains(code) } }
}
