package import Foundation
import StubDBModel

/// What the frames of one WebSocket expect of the messages of its client.
///
/// Values that the run keeps are those of the moment when the connection was opened.
package final class FramePatterns: Sendable {
  private let patterns: [Int: [any CompiledBody]]
  private let captured: [String?]

  init(_ compiled: CompiledFrames, captured: [String?]) {
    patterns = compiled.patterns
    self.captured = captured
  }

  /// Compares a message with what a frame expects.
  ///
  /// The work is limited as that of a request is. A message that cannot be compared does not match.
  package func compare(_ content: Data, withFrame index: Int) -> FrameVerdict {
    let context = MatchContext()
    let body = PreparedBody(part: content, contentType: nil, context: context)
    let scope = MatchScope(context, captured: captured)
    var mismatches: [Mismatch] = []
    for pattern in patterns[index] ?? [] where pattern.verdict(body, scope) != true {
      let report = BodyReport()
      if pattern.verdict(body, scope, report) == nil { report.noteTimeout() }
      mismatches += report.mismatches
    }
    return mismatches.isEmpty ? .met : .unmet(mismatches)
  }

  /// What a frame expects, in words.
  package func phrase(ofFrame index: Int) -> String {
    (patterns[index] ?? []).map { $0.pattern.phrase }.joined(separator: " and ")
  }
}

extension FramePatterns: Hashable {
  /// Whether they belong to the same connection.
  package static func == (one: FramePatterns, other: FramePatterns) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Whether a message is what a frame expects.
package enum FrameVerdict: Hashable, Sendable {
  case met
  /// What differs; never empty.
  case unmet([Mismatch])
}

extension ScenarioRun {
  /// What the frames of the answer expect; nil for an answer that is no WebSocket.
  func framePatterns(_ claim: Claim, _ request: PreparedRequest) -> FramePatterns? {
    guard let index = claim.turn.response, let kept = claim.state,
      let answer = scenario.stubs.answers[claim.turn.rank], let frames = answer.frames[index]
    else { return nil }
    let texts = answer.captured(
      frames.names, from: kept.captured, for: request, path: scenario.stubs.path(claim.turn.rank))
    return FramePatterns(frames, captured: texts)
  }
}
