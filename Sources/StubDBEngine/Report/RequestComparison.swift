import StubDBModel
import StubDBSupport

/// The differences between a request and a stub, part by part.
struct RequestComparison {
  /// How much what the run says of a stub counts.
  private static let weightOfRun = 1.0
  private static let target: Set<RequestPart> = [.method, .url, .host, .path]

  private(set) var mismatches: [Mismatch] = []
  /// Whether the stub is for the method, the host and the path of the request.
  private(set) var isAtTarget = true
  private var weight: Double
  private var off = 0.0

  /// Compares every part.
  init(_ pattern: CompiledRequest, _ request: PreparedRequest, _ scope: MatchScope) {
    weight = pattern.freeWeight
    for part in pattern.parts {
      let report = BodyReport()
      let verdict = part.verdict(request, scope, report)
      if verdict == true {
        weight += part.part.weight
      } else {
        let difference = part.difference(request, scope, verdict, report)
        add(difference, weight: difference.weight ?? part.part.weight)
        if Self.target.contains(part.part) { isAtTarget = false }
      }
    }
  }

  /// How far the request is from the stub, 0 to 1.
  var distance: Double { weight > 0 ? off / weight : 0 }

  private mutating func add(_ difference: PartDifference, weight: Double) {
    self.weight += weight
    off += weight * max(0.05, min(1, difference.distance))
    mismatches += difference.mismatches
  }

  private mutating func add(_ mismatch: Mismatch) {
    add(PartDifference(mismatches: [mismatch]), weight: Self.weightOfRun)
  }

  /// Adds that the stub has no response left.
  mutating func addUsedUp(total: Int, then: AfterLastResponse) {
    add(
      Mismatch(
        part: Mismatch.Part(.responses),
        expected: "\(Plural.of(total, "request")), then \(then.rawValue)",
        actual: "used up (\(total) of \(total) responses given)"))
  }

  /// Adds that the stub matches and hands the request on, and that no other one answers.
  mutating func addHandedOn() {
    add(
      Mismatch(
        part: Mismatch.Part(.next), expected: "another stub that matches",
        actual: "handed on, but no other stub matches"))
  }

  /// Adds that the flow of the stub is in a state that the stub does not answer in.
  mutating func addBlocked(_ flow: FlowStep, state: String) {
    let (name, needed) = (TextExcerpt.plain(flow.name), TextExcerpt.plain(flow.requires ?? ""))
    add(
      Mismatch(
        part: Mismatch.Part(.flow, name), expected: "state \(needed)",
        actual: "blocked: flow \(name) is in state \(TextExcerpt.plain(state)), needs \(needed)"))
  }
}
