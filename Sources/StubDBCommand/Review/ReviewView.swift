import StubDBChanges
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBModel
import StubDBSupport

/// What waits for a scenario, as text and as JSON.
struct ReviewView {
  /// The longest condition of a request that is shown, in characters.
  private static let longestCondition = 120
  /// The most keys that a line names.
  private static let maximumKeyCount = 3

  let review: ScenarioReview
  let duplicates: NearDuplicates
  /// The indices of the proposals that are shown.
  let shown: [Int]
  let style = Style.output
  /// For each group the first of its proposals that is shown.
  private let firstShown: [Int: Int]

  init(_ review: ScenarioReview, shown: [Int]) {
    (self.review, self.shown) = (review, shown)
    let duplicates = NearDuplicates(review)
    self.duplicates = duplicates
    firstShown = Dictionary(
      shown.compactMap { index in duplicates.places[index].map { ($0, index) } }
    ) { first, _ in first }
  }

  /// The scenario with its differences, and a line for each thing to know about a proposal.
  var text: String {
    let decisions = Dictionary(
      shown.map { (review.proposals[$0].stub.key, ReviewDecision.take(answer: nil)) }
    ) { first, _ in first }
    let difference = ScenarioDifference(
      from: review.existing ?? Scenario(name: review.name),
      to: ReviewResolution(review, decisions).scenario)
    var lines = DifferenceView(style: style).lines(difference)
    if review.existing == nil { lines[0] += " (a new scenario)" }
    let distinctions = distinctions
    for index in shown {
      lines += distinctions[index].map { ["  = " + $0] } ?? []
      lines += notes(on: index)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What distinguishes proposals whose method and URL are the same, also from the stubs of the scenario.
  private var distinctions: [Int: String] {
    let others = (review.existing?.stubs ?? []).map { (index: Int?.none, request: $0.request) }
    let all =
      others + shown.map { (index: $0, request: review.proposals[$0].stub.request) }
    let alike = Dictionary(grouping: all) { RequestView(pattern: $0.request).requestLine }
    var distinctions: [Int: String] = [:]
    for group in alike.values where group.count > 1 {
      let conditions = group.map { RequestView(pattern: $0.request).conditions }
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
    if let group = group(of: index), isFirstShown(index) {
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

  /// The proposals that would be one stub with this one; nil if there is no such thing.
  func group(of index: Int) -> NearDuplicates.Group? {
    duplicates.places[index].map { duplicates.groups[$0] }
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

  /// Whether no other proposal of its group is shown before it.
  private func isFirstShown(_ index: Int) -> Bool {
    duplicates.places[index].flatMap { firstShown[$0] } == index
  }

  /// The keys of the stubs that one stub with this one would take the place of.
  ///
  /// All are with the first only, so that a large group is not listed with each of its members.
  private func others(_ group: NearDuplicates.Group, besides index: Int) -> [String] {
    let others = isFirstShown(index) ? group.proposals[...] : group.proposals.prefix(1)
    return (group.existing.map { [$0.rawValue] } ?? [])
      + others.filter { $0 != index }.map { review.proposals[$0].stub.key.rawValue }
  }

  /// The options that leave the places of the first group free, or nil.
  var freeingOptions: [String]? {
    guard let group = shown.lazy.compactMap({ self.group(of: $0) }).first else { return nil }
    let key = review.proposals[group.proposals[0]].stub.key
    return group.places.flatMap { ["--free", "\(review.name)/\(key):\($0)"] }
  }

  /// Places for people.
  static func text(_ places: [JSONPointer]) -> String {
    places.map { TerminalText.line($0.description) }.joined(separator: ", ")
  }

  private static func text(_ key: Stub.Key) -> String { TerminalText.line(key.rawValue) }

  /// An object for each proposal.
  var json: [OrderedJSON] {
    shown.map { index in
      let proposal = review.proposals[index]
      var members: [(String, OrderedJSON)] = [
        ("scenario", .string(review.name.rawValue)),
        ("key", .string(proposal.stub.key.rawValue)),
        ("kind", .string(proposal.kind.rawValue)),
        ("tests", .strings(proposal.tests)),
        ("stub", .json(proposal.stub.documentValue)),
      ]
      if proposal.kind == .conflict {
        members.append(("answers", .array(proposal.answers.list.map(Self.json))))
      }
      if !proposal.freedSecrets.isEmpty {
        members.append(("freed", .strings(proposal.freedSecrets.map(\.description))))
      }
      if let group = group(of: index) {
        members.append(
          (
            "free",
            .object([
              ("places", .strings(group.places.map(\.description))),
              ("with", .strings(others(group, besides: index))),
            ])
          ))
      }
      return .object(members)
    }
  }

  private static func json(_ answer: SeenAnswers.Answer) -> OrderedJSON {
    let stub = Stub(key: .unset, responses: answer.responses).documentValue
    return .object([
      ("tests", .strings(answer.tests.sorted())),
      ("responses", .json(stub.value(at: JSONPointer(["responses"])) ?? .array([]))),
    ])
  }
}
