import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBJSON
import StubDBModel
import StubDBRecording

extension RootCommand {
  /// Shows and decides what a draft proposes.
  struct Review: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "review",
      abstract: "Show what tests recorded, and take it into the catalog or not.",
      discussion: """
        Tests that record write to a draft beside the catalog. This shows what the draft would \
        change, as stubdb diff does: new stubs (+), changed answers (~), and with the mode all \
        recorded stubs that nothing asked for (-). What is accepted is written in one step, and \
        leaves the draft, as does what is rejected. What tests saw with different answers is only \
        accepted by name.

        Exits with 2 while something waits.

        Examples:
          stubdb review
          stubdb review --accept checkout/paid --accept checkout/declined/get-v1-me
          stubdb review --reject checkout/paid
          stubdb review --accept-all
        """)

    @Option(
      help: ArgumentHelp(
        "Take this scenario, or this stub of it, into the catalog. Repeatable.",
        valueName: "scenario[/key]"))
    var accept: [String] = []

    @Flag(help: "Take everything into the catalog, except what tests saw with different answers.")
    var acceptAll = false

    @Option(
      help: ArgumentHelp(
        "Drop this scenario, or this stub of it, from the draft. Repeatable.",
        valueName: "scenario[/key]"))
    var reject: [String] = []

    @Flag(help: "Drop everything else from the draft.")
    var rejectAll = false

    @Flag(help: "Include what tests recorded that failed.")
    var failed = false

    @Flag(help: "Print a JSON array of {scenario, key, kind, tests, stub}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      if acceptAll && rejectAll {
        throw ValidationError("--accept-all and --reject-all exclude each other.")
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      let draft = try DraftReading(of: catalog, includingFailed: failed)
      let decides = acceptAll || rejectAll || !accept.isEmpty || !reject.isEmpty
      guard decides else {
        let scenarios = try catalog.allScenarios()
        let reviews = Self.reviews(draft) { name in scenarios.first { $0.name == name } }
        return try show(reviews, draft, of: catalog, scenarios)
      }
      if let process = draft.livingProcess {
        throw CommandError(
          "the process \(process) still writes to the draft; nothing was changed",
          hints: [FollowUp.again("To decide once it has ended")])
      }
      let (accepted, rejected, decided) = try catalog.edit { editor in
        let reviews = Self.reviews(draft) { try? editor.scenario(named: $0) }
        let decision = try ReviewDecision(self, reviews)
        for review in reviews
        where review.proposals.contains(where: {
          decision.isAccepted($0, of: review.name)
        }) {
          let existing = try editor.scenario(named: review.name)
          try editor.replace(
            review.applied(to: existing) { decision.isAccepted($0, of: review.name) })
        }
        return decision.result(reviews)
      }
      try draft.remove(decided)
      Console.note(
        "Took \(Plural.of(accepted, "stub")) into \(CatalogLocator.display(catalog.url)), dropped "
          + "\(rejected).")
      let rest = try DraftReading(of: catalog, includingFailed: failed)
      let scenarios = try catalog.allScenarios()
      let waiting = Self.reviews(rest) { name in scenarios.first { $0.name == name } }
      if waiting.contains(where: { !$0.proposals.isEmpty }) { throw ExitCode(2) }
    }

    private static func reviews(
      _ draft: DraftReading, _ existing: (ScenarioName) -> Scenario?
    ) -> [ScenarioReview] {
      let named = Dictionary(grouping: draft.runs) { $0.first?.exchange.scenario ?? "" }
      return named.sorted { $0.key < $1.key }.compactMap { name, runs in
        ScenarioName(name).map { ScenarioReview($0, runs, existing: existing($0)) }
      }
    }

    private func show(
      _ reviews: [ScenarioReview], _ draft: DraftReading, of catalog: Catalog,
      _ scenarios: [Scenario]
    ) throws {
      let waiting = reviews.filter { !$0.proposals.isEmpty }
      if json {
        try Console.write(OrderedJSON.array(waiting.flatMap(Self.json)).text)
      } else {
        for review in waiting {
          let existing = scenarios.first { $0.name == review.name }
          try Console.write(Self.text(review, existing))
        }
      }
      let name = CatalogLocator.display(catalog.url)
      if draft.failedCount > 0 {
        Console.note(
          "Left out: \(Plural.of(draft.failedCount, "run")) of failed tests; --failed shows them.")
      }
      guard !waiting.isEmpty else {
        Console.note("Nothing waits to be taken into \(name).")
        return
      }
      let count = waiting.reduce(0) { $0 + $1.proposals.count }
      Console.note("\(Plural.of(count, "stub")) to be taken into \(name), or not.")
      if !json { Console.note(FollowUp.again("To take them all", adding: "--accept-all")) }
      throw ExitCode(2)
    }

    private static func text(_ review: ScenarioReview, _ existing: Scenario?) -> String {
      let before = existing ?? Scenario(name: review.name)
      let difference = ScenarioDifference(
        from: before, to: review.applied(to: existing) { _ in true })
      var lines = DifferenceView(style: .output).lines(difference)
      if existing == nil { lines[0] += " (a new scenario)" }
      for proposal in review.proposals {
        let tests = proposal.tests.sorted().map(TerminalText.line)
        let key = TerminalText.line(proposal.stub.key.rawValue)
        if proposal.kind == .conflict {
          lines.append("  ! \(key)  tests saw different answers; this is the last one")
        }
        if !tests.isEmpty { lines.append("  # \(key)  \(tests.joined(separator: ", "))") }
      }
      return lines.joined(separator: "\n") + "\n"
    }

    private static func json(_ review: ScenarioReview) -> [OrderedJSON] {
      review.proposals.map { proposal in
        .object([
          ("scenario", .string(review.name.rawValue)),
          ("key", .string(proposal.stub.key.rawValue)),
          ("kind", .string(proposal.kind.rawValue)),
          ("tests", .strings(proposal.tests.sorted())),
          ("stub", .json(proposal.stub.documentValue)),
        ])
      }
    }
  }
}

/// Which proposals are accepted and which are rejected.
private struct ReviewDecision {
  private struct Choice: Hashable {
    let scenario: String
    /// Nil for all stubs of the scenario.
    let key: String?
  }

  private let accepted: Set<Choice>
  private let rejected: Set<Choice>
  private let acceptsAll: Bool
  private let rejectsAll: Bool

  /// - Throws: ``CommandError`` for a name that the draft does not have.
  init(_ command: RootCommand.Review, _ reviews: [ScenarioReview]) throws {
    (acceptsAll, rejectsAll) = (command.acceptAll, command.rejectAll)
    accepted = Set(try command.accept.map { try Self.choice($0, reviews) })
    rejected = Set(try command.reject.map { try Self.choice($0, reviews) })
  }

  private static func choice(_ text: String, _ reviews: [ScenarioReview]) throws -> Choice {
    for review in reviews {
      let name = review.name.rawValue
      if text == name { return Choice(scenario: name, key: nil) }
      for proposal in review.proposals where text == "\(name)/\(proposal.stub.key)" {
        return Choice(scenario: name, key: proposal.stub.key.rawValue)
      }
    }
    throw CommandError(
      "the draft has nothing for \(TerminalText.quoted(text)); nothing was changed",
      hints: ["To see what it has: \(FollowUp.program) review"])
  }

  func isAccepted(_ proposal: ScenarioReview.Proposal, of name: ScenarioName) -> Bool {
    guard !isNamed(in: rejected, proposal, name) else { return false }
    return isNamed(in: accepted, proposal, name) || acceptsAll && proposal.kind != .conflict
  }

  private func isNamed(
    in choices: Set<Choice>, _ proposal: ScenarioReview.Proposal, _ name: ScenarioName
  ) -> Bool {
    if choices.contains(Choice(scenario: name.rawValue, key: proposal.stub.key.rawValue)) {
      return true
    }
    // What needs a look is not accepted with the rest of its scenario.
    return (proposal.kind != .conflict || choices == rejected)
      && choices.contains(Choice(scenario: name.rawValue, key: nil))
  }

  private func isRejected(_ proposal: ScenarioReview.Proposal, of name: ScenarioName) -> Bool {
    !isAccepted(proposal, of: name) && (rejectsAll || isNamed(in: rejected, proposal, name))
  }

  /// How many stubs are accepted and rejected, and the lines that leave the draft.
  func result(
    _ reviews: [ScenarioReview]
  ) -> (accepted: Int, rejected: Int, decided: [DraftReading.Entry]) {
    var result = (accepted: 0, rejected: 0, decided: [DraftReading.Entry]())
    for review in reviews {
      result.decided += review.settled
      for proposal in review.proposals {
        if isAccepted(proposal, of: review.name) {
          result.accepted += 1
        } else if isRejected(proposal, of: review.name) {
          result.rejected += 1
        } else {
          continue
        }
        result.decided += proposal.entries
      }
    }
    return result
  }
}
