import Foundation
internal import StubDBDocuments
package import StubDBEngine
import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Plays the script of a WebSocket: says what to do, and does nothing itself.
///
/// Its owner reports each event by one of the methods, and carries out the actions that they return, in order.
package struct WebSocketPlay: Sendable {
  /// Where the play is; the numbers are indices of frames.
  private enum Phase: Hashable {
    case pausing(Int)
    case sending(Int)
    case expecting(Int)
    /// A message is being compared; `isLate` if the time for it has passed meanwhile.
    case comparing(Int, WebSocketMessage, isLate: Bool)
    /// All frames are played.
    case over
    /// The frame that closes the connection is sent, and the client's is not there yet.
    case closing
    case silent
    case ended
  }

  /// How many messages may wait for their frame, and how many bytes they may have.
  private static let mostHeld = (count: 256, byteCount: 1 << 20)

  private let script: WebSocketScript
  /// What each frame expects, in words.
  private let expectations: [Int: String]
  /// The index of the last frame that expects a message, or nil.
  private let lastExpectation: Int?
  private var phase = Phase.over
  /// The messages that came before the frame that they are for.
  private var held: [WebSocketMessage] = []
  private var heldByteCount = 0
  private var timer = 0
  /// How it ended, or where it is, in a few words for the journal.
  package private(set) var summary = "WebSocket"

  /// Begins to play a script; `phrase` gives what a frame expects, in words.
  package init(_ script: WebSocketScript, phrase: (Int) -> String) {
    self.script = script
    var expectations: [Int: String] = [:]
    for (index, frame) in script.frames.enumerated() {
      if case .expect = frame.kind { expectations[index] = phrase(index) }
    }
    self.expectations = expectations
    lastExpectation = expectations.keys.max()
  }

  /// Whether the client should not send more for now.
  package var isFull: Bool {
    held.count >= Self.mostHeld.count || heldByteCount >= Self.mostHeld.byteCount
  }

  /// Whether nothing is sent any more, not even the answer to a ping.
  package var isSilent: Bool { phase == .silent }

  /// Whether the connection is closed or being closed.
  package var isClosing: Bool { phase == .closing || phase == .ended }

  // MARK: Events

  /// The connection is open.
  package mutating func begin() -> [Action] { reach(0) }

  /// The client has taken the message that was awaited.
  package mutating func sent() -> [Action] {
    guard case .sending(let index) = phase else { return [] }
    return reach(index + 1)
  }

  package mutating func timeHasPassed(_ number: Int) -> [Action] {
    guard number == timer else { return [] }
    switch phase {
    case .pausing(let index): return play(index)
    case .expecting(let index): return giveUp(index)
    case .comparing(let index, let message, _):
      phase = .comparing(index, message, isLate: true)
      return []
    case .sending, .over, .closing, .silent, .ended: return []
    }
  }

  package mutating func received(_ message: WebSocketMessage) -> [Action] {
    switch phase {
    case .expecting(let index): return compare(message, with: index)
    case .over: return answerUnexpected(message)
    case .pausing(let index), .sending(let index), .comparing(let index, _, _):
      guard expectsMessage(from: index) else { return answerUnexpected(message) }
      held.append(message)
      heldByteCount += message.content.count
      return []
    case .closing, .silent, .ended: return []
    }
  }

  /// The message was compared with the frame that it is for.
  package mutating func compared(_ verdict: FrameVerdict) -> [Action] {
    guard case .comparing(let index, let message, let isLate) = phase else { return [] }
    switch verdict {
    case .met:
      return [.record(FrameRecord(frame: index, outcome: "met", text: message.text))]
        + reach(index + 1)
    case .unmet(let mismatches):
      phase = .expecting(index)
      let actions = answer(message, frame: index, mismatches)
      guard phase == .expecting(index) else { return actions }
      if isLate { return actions + giveUp(index) }
      return actions + compareHeld(with: index)
    }
  }

  /// The client has sent the frame that closes the connection; its code is nil if it has none.
  package mutating func clientCloses(_ code: Int?) -> [Action] {
    switch phase {
    case .silent, .ended: return []
    case .closing:
      phase = .ended
      return [.end]
    case .pausing, .sending, .expecting, .comparing, .over:
      let place = self.place
      phase = .ended
      summary = "WebSocket closed by the client" + (code.map { " with \($0)" } ?? "") + place
      let record = FrameRecord(
        frame: nil, outcome: "closed by the client", text: code.map(String.init) ?? "")
      return [.record(record), .close(code, reason: ""), .end]
    }
  }

  /// The client is gone.
  package mutating func clientHasGone() {
    guard phase != .ended else { return }
    if phase != .closing { summary = "WebSocket left by the client" + place }
    phase = .ended
  }

  /// What the client sent is no WebSocket message, or the server ends.
  package mutating func fail(_ code: Int, _ reason: String) -> [Action] {
    guard phase != .silent, !isClosing else { return [] }
    return close(code, reason: reason, outcome: reason, frame: nil)
  }

  // MARK: Frames

  /// Goes on with a frame, after its pause.
  private mutating func reach(_ index: Int) -> [Action] {
    var index = index
    if index >= script.frames.count {
      guard let start = script.repeatFrom, script.frames.indices.contains(start) else {
        phase = .over
        return answerHeld()
      }
      index = start
    }
    switch script.frames[index].kind {
    case .send(_, let after) where after > .zero, .close(_, _, let after) where after > .zero,
      .fault(_, let after) where after > .zero:
      phase = .pausing(index)
      return (expectsMessage(from: index) ? [] : answerHeld()) + wait(after)
    case .send, .expect, .close, .fault: return play(index)
    }
  }

  private mutating func play(_ index: Int) -> [Action] {
    switch script.frames[index].kind {
    case .send(let body, _):
      phase = .sending(index)
      let message = WebSocketMessage(body)
      let actions = [
        Action.record(FrameRecord(frame: index, outcome: "sent", text: message.text)),
        .send(message, isAwaited: true),
      ]
      return actions + (expectsMessage(from: index) ? [] : answerHeld())
    case .expect(_, let limit):
      phase = .expecting(index)
      let timer = limit.map { wait($0) } ?? []
      return timer + compareHeld(with: index)
    case .close(let code, let reason, _):
      return close(code, reason: reason.string, outcome: reason.string, frame: index)
    case .fault(let fault, _):
      let isSilence = fault == .never
      phase = isSilence ? .silent : .ended
      summary = "WebSocket \(isSilence ? "silent" : "reset") after frame \(index)"
      let record = FrameRecord(frame: index, outcome: fault.rawValue)
      return [.record(record), isSilence ? .fallSilent : .reset]
    }
  }

  private mutating func wait(_ time: Duration) -> [Action] {
    timer += 1
    return [.wait(time, timer)]
  }

  private mutating func close(
    _ code: Int, reason: String, outcome: String, frame: Int?, _ mismatches: [Mismatch] = [],
    text: String = ""
  ) -> [Action] {
    phase = .closing
    (held, heldByteCount) = ([], 0)
    summary = "WebSocket closed with \(code)" + (outcome.isEmpty ? "" : ": \(outcome)")
    let record = FrameRecord(
      frame: frame, outcome: "closed with \(code)" + (outcome.isEmpty ? "" : ": \(outcome)"),
      text: text, mismatches: mismatches)
    return [.record(record), .close(code, reason: reason)]
  }

  // MARK: Messages

  private mutating func compare(_ message: WebSocketMessage, with index: Int) -> [Action] {
    phase = .comparing(index, message, isLate: false)
    return [.compare(message, frame: index)]
  }

  /// Compares the first message that came before its frame.
  private mutating func compareHeld(with index: Int) -> [Action] {
    takeHeld().map { compare($0, with: index) } ?? []
  }

  private mutating func takeHeld() -> WebSocketMessage? {
    guard !held.isEmpty else { return nil }
    let message = held.removeFirst()
    heldByteCount -= message.content.count
    return message
  }

  /// Answers the messages that no frame is left for.
  private mutating func answerHeld() -> [Action] {
    var actions: [Action] = []
    while !isClosing, let message = takeHeld() { actions += answerUnexpected(message) }
    return actions
  }

  private mutating func answerUnexpected(_ message: WebSocketMessage) -> [Action] {
    answer(message, frame: nil, [])
  }

  /// Does what the script says of a message that is not expected: that the frame does not expect, or that no frame does.
  private mutating func answer(
    _ message: WebSocketMessage, frame: Int?, _ mismatches: [Mismatch]
  ) -> [Action] {
    switch script.otherwise {
    case .ignore:
      let record = FrameRecord(
        frame: frame, outcome: "ignored", text: message.text, mismatches: mismatches)
      return [.record(record)]
    case .echo:
      let record = FrameRecord(
        frame: frame, outcome: "echoed", text: message.text, mismatches: mismatches)
      return [.record(record), .send(message, isAwaited: false)]
    case .close:
      let reason =
        frame.map { "frame \($0) expects another message" } ?? "no frame expects a message"
      let difference = mismatches.first.map { mismatch in
        let place = mismatch.pointer.map { $0.tokens.isEmpty ? "" : "\($0) " } ?? ""
        return ": \(place)expected \(mismatch.expected), got \(mismatch.actual)"
      }
      return close(
        1008, reason: reason, outcome: reason, frame: frame, mismatches, text: message.text)
        + [.problem("\(reason)\(difference ?? ", got \(message.text)")")]
    }
  }

  /// Ends the connection, because no message came that a frame expects.
  private mutating func giveUp(_ index: Int) -> [Action] {
    guard case .expect(_, let limit?) = script.frames[index].kind else { return [] }
    let reason = "frame \(index) got no message within \(DurationText.text(limit))"
    let expected = expectations[index] ?? ""
    let mismatch = Mismatch(
      part: Mismatch.Part(.body), expected: expected,
      actual: "no such message within \(DurationText.text(limit))")
    return close(1008, reason: reason, outcome: reason, frame: index, [mismatch])
      + [.problem("\(reason): expected \(expected)")]
  }

  /// Whether the frame, or one that is played after it, expects a message.
  private func expectsMessage(from index: Int) -> Bool {
    guard let lastExpectation else { return false }
    return index <= lastExpectation || script.repeatFrom.map { $0 <= lastExpectation } == true
  }

  /// Where the play is, for a summary.
  private var place: String {
    switch phase {
    case .pausing(let index), .sending(let index), .expecting(let index),
      .comparing(let index, _, _):
      " at frame \(index) of \(script.frames.count)"
    case .over, .closing, .silent, .ended: ""
    }
  }
}
