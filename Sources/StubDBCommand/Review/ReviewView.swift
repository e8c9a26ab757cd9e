import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

/// What waits for a scenario, as text.
struct ReviewView {
  /// The longest condition of a request that is shown, in characters.
  private static let longestCondition = 120
  /// The most keys that a line names.
  private static let maximumKeyCount = 3

  let selection: ReviewSelection
  private let style = Style.output
  private var review: ScenarioReview { selection.review }

  init(_ selection: ReviewSelection) { self.selection = selection }

  /// The scenario with its differences, and a line for each thing to know about a proposal.
  var text: String {
    var lines = DifferenceView(style: style).lines(selection.difference)
    if review.existing == nil { lines[0] += " (a new scenario)" }
    let distinctions = distinctions
    for index in selection.shown {
      lines += distinctions[index].map { ["  = " + $0] } ?? []
      lines += notes(on: index)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What distinguishes proposals whose method and URL are the same, also from the stubs of the scenario.
  private var distinctions: [Int: String] {
    let others = (review.existing?.stubs ?? []).map { (index: Int?.none, request: $0.request) }
    let all =
      others + selection.shown.map { (index: $0, request: review.proposals[$0].stub.request) }
    let alike = Dictionary(grouping: all) { $0.request.phrase.line }
    var distinctions: [Int: String] = [:]
    for group in alike.values where group.count > 1 {
      let conditions = group.map { $0.request.phrase.conditions }
      let common = conditions.dropFirst().reduce(Set(conditions[0])) { $0.intersection($1) }
      for (member, own) in zip(group, conditions) {
        guard let index = member.index, !review.proposals[index].isKnown else { continue }
        let shown = own.filter { !common.contains($0) }.map {
          TerminalText.shortened($0, limit: Self.longestCondition)
        }
        distinctions[index] =
          "\(Self.text(review.proposals[index].stub.key))  "
          + (shown.isEmpty ? "whatever else it has" : shown.joined(separator: ", "))
      }
    }
    return distinctions
  }

  private func notes(on index: Int) -> [String] {
    let proposal = review.proposals[index]
    let key = Self.text(proposal.stub.key)
    var lines: [String] = []
    if proposal.kind == .conflict {
      lines.append("  ! \(key)  tests saw different answers; this is the last one")
    }
    if !proposal.tests.isEmpty {
      let tests = proposal.tests.map(TerminalText.line)
      lines.append("  # \(key)  \(tests.joined(separator: ", "))")
    }
    if let note = freedSecrets(of: index) { lines.append("  * \(key)  \(note)") }
    if let group = selection.group(of: index), selection.isFirstShown(index) {
      lines.append("  * \(key)  \(freeing(group, besides: index))")
    }
    return lines
  }

  /// Which places of a new request are free because the client had what redaction took out there; nil if none is.
  func freedSecrets(of index: Int) -> String? {
    let proposal = review.proposals[index]
    guard !proposal.isKnown, !proposal.freedSecrets.isEmpty else { return nil }
    return
      "with \(Self.text(proposal.freedSecrets)) free: the client had the secret before an answer gave it"
  }

  /// What it means to leave the places of a group free.
  func freeing(_ group: NearDuplicates.Group, besides index: Int) -> String {
    let others = Array(
      group.proposals.lazy.filter { $0 != index }.prefix(Self.maximumKeyCount))
    let named =
      (group.existing.map { ["the stub " + Self.text($0)] } ?? [])
      + others.map { Self.text(review.proposals[$0].stub.key) }
    return "with \(Self.text(group.places)) free, one stub with \(named.joined(separator: ", "))"
      + Plural.more(group.proposals.count - 1 - others.count)
  }

  /// Places for people.
  static func text(_ places: [JSONPointer]) -> String {
    places.map { TerminalText.line($0.description) }.joined(separator: ", ")
  }

  private static func text(_ key: Stub.Key) -> String { TerminalText.line(key.rawValue) }
}
