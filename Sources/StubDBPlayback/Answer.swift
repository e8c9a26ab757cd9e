import Foundation
package import HTTPTypes
package import StubDBEngine
package import StubDBModel

/// What a client gets, and when; all front ends get answers in this form.
///
/// All times are in the scenario's time.
package struct Answer: Hashable, Sendable {
  /// The delay before the answer; zero or more.
  package var delay: Duration
  /// What the client gets.
  package var kind: Kind
  /// The calls that are made after it, with their placeholders filled in.
  package var callbacks: [ResponseCallback] = []

  /// The time until the last event; zero or more.
  var duration: Duration {
    guard case .reply(let reply) = kind else { return delay }
    return reply.pieces.reduce(delay) { $0 + $1.after }
  }

  /// What the client gets.
  package enum Kind: Hashable, Sendable {
    // Indirect, because an answer is copied several times on its way, and a reply has many parts to retain.
    indirect case reply(Reply)
    /// An error in place of a response; the fault that it represents, if any.
    case error(ResponseError, ResponseFault?)
    /// Nothing, until the client times out.
    case never
    /// The answer of the real network.
    case network
    /// A WebSocket, if the front end has any.
    case webSocket(WebSocketAnswer)
  }

  /// A response.
  package struct Reply: Hashable, Sendable {
    package var head: ResponseHead
    /// Nil if there is none, or if the method or status does not allow any.
    package var content: Content?
    /// How the content is divided over time; empty to send it at once.
    ///
    /// The pieces are together no longer than the content; the rest of the content is not sent.
    package var pieces: [Piece] = []
    package var ending = Ending.complete

    /// Whether all of it is sent at once.
    var isWhole: Bool { pieces.isEmpty && ending == .complete }
  }

  /// The content of a response.
  package struct Content: Hashable, Sendable {
    package var body: ResponseBody
    /// The range of the body; nil for all.
    package var range: Range<Int>?
  }

  /// A piece of the content.
  package struct Piece: Hashable, Sendable {
    /// The number of bytes; zero or more.
    package var byteCount: Int
    /// The time after the preceding piece; zero or more.
    package var after: Duration = .zero
  }

  /// What follows the content.
  package enum Ending: Hashable, Sendable {
    /// The response is complete.
    case complete
    /// The client gets an error; the fault that it represents, if any.
    case error(ResponseError, ResponseFault?)
    /// Nothing more.
    case never
  }
}

/// Status and header fields of a response.
package struct ResponseHead: Hashable, Sendable {
  package var status: Int
  /// Includes a default `Content-Type` for text and JSON.
  package var headers: HTTPFields
  /// The number of bytes of the whole content, which may not be sent: for `HEAD`, or if it breaks off.
  ///
  /// Nil for a status without content, and if it is not known.
  package var contentLength: Int?

  package init(status: Int, headers: HTTPFields) {
    self.status = status
    self.headers = headers
  }

  /// The target of a redirect; nil for other responses.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
  package var redirectTarget: String? {
    switch status {
    case 301, 302, 303, 307, 308: headers[.location]
    default: nil
    }
  }
}

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
}

/// An event that happens some time after the preceding one.
struct AnswerStep: Sendable {
  var after: Duration
  /// Nil if nothing more happens.
  var event: ResponseEvent?
  /// Whether nothing arrives meanwhile; false if content arrives that is not passed on to the client.
  var isIdle = true
}

extension Answer.Reply {
  /// The events for the client, given all of the content.
  ///
  /// On Linux, a task with a completion handler keeps only the last piece: it gets all of them as one, when the last
  /// one is due. Arriving content still resets the idle timeout. A redirect is delivered as one event.
  func steps(_ content: Data, _ patience: Patience) -> [AnswerStep] {
    if isWhole { return [AnswerStep(after: .zero, event: .whole(head, content))] }
    let pieces = cut(content, copies: !patience.isOnWire)
    return patience.isOnWire || patience.isIncremental && head.redirectTarget == nil
      ? incrementalSteps(pieces) : [coalescedStep(pieces, idleLimit: patience.idleLimit)]
  }

  /// A slice keeps the indices of the whole, which few clients expect, so each piece is copied.
  private func cut(_ content: Data, copies: Bool) -> [(after: Duration, content: Data)] {
    if pieces.isEmpty { return content.isEmpty ? [] : [(.zero, content)] }
    var rest = content[...]
    return pieces.enumerated().map { index, piece in
      // Decoded content is longer than the pieces that were computed for it.
      let takesAll = ending == .complete && index == pieces.count - 1
      let taken = takesAll ? rest : rest.prefix(max(0, piece.byteCount))
      rest = rest.dropFirst(taken.count)
      return (piece.after, copies ? Data(taken) : taken)
    }
  }

  private func incrementalSteps(_ pieces: [(after: Duration, content: Data)]) -> [AnswerStep] {
    [AnswerStep(after: .zero, event: .head(head))]
      + pieces.map { AnswerStep(after: $0.after, event: .content($0.content)) }
      + [AnswerStep(after: .zero, event: lastEvent(.finish))]
  }

  private func coalescedStep(
    _ pieces: [(after: Duration, content: Data)], idleLimit: Duration?
  ) -> AnswerStep {
    if let idleLimit, let late = pieces.firstIndex(where: { $0.after >= idleLimit }) {
      let time = pieces[..<late].reduce(Duration.zero) { $0 + $1.after }
      return AnswerStep(after: time, event: nil, isIdle: false)
    }
    var content = Data(capacity: pieces.reduce(0) { $0 + $1.content.count })
    for piece in pieces { content.append(piece.content) }
    return AnswerStep(
      after: pieces.reduce(Duration.zero) { $0 + $1.after },
      event: lastEvent(.whole(head, content)), isIdle: false)
  }

  /// The event that ends the answer or replaces its end; nil if nothing more happens.
  private func lastEvent(_ complete: ResponseEvent) -> ResponseEvent? {
    switch ending {
    case .complete: complete
    case .error(let error, let fault): .failure(.stubbed(error, fault))
    case .never: nil
    }
  }
}
