import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

extension RootCommand {
  struct Review: WritingCommand {
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

        On a terminal it asks about each stub, with one key a decision: y takes it, n drops it, l \
        leaves it waiting, e edits it, f leaves a place of its request free, ? explains all keys. \
        What is decided is written at the end or with q; Control-C writes nothing.

        Requests that differ only in a time, a UUID or a number that grows are shown with the places \
        where they differ (*). --free takes them as one stub that matches any value there: /query/ts, \
        /headers/x-request-id, /body/items/0/id. The stub of the catalog that they are like is \
        changed, and keeps its answer.

        Each request that was taken is asked of the scenario, and named if it does not get its recorded \
        answer, because another stub comes first. A stub that could not be played, with which the \
        scenario would not answer at all, is named and goes on waiting.

        Exits with 2 while something waits, and if a request that was taken does not get its answer.

        Examples:
          stubdb review
          stubdb review checkout/paid --json
          stubdb review --accept checkout/paid --accept checkout/declined/get-v1-me
          stubdb review --free checkout/paid/post-v1-events:/body/timestamp
          stubdb review --edit checkout/paid/get-v1-me
          stubdb review --reject checkout/paid
          stubdb review --accept-all
        """)

    @Argument(
      help: ArgumentHelp(
        "Only what waits for this scenario, or this stub of it.", valueName: "scenario[/key]"))
    var only: String?

    @Option(
      help: ArgumentHelp(
        "Take this scenario, or this stub of it, into the catalog. Repeatable.",
        valueName: "scenario[/key]"))
    var accept: [String] = []

    @Flag(help: "Take everything into the catalog, except what tests saw with different answers.")
    var acceptAll = false

    @Option(
      help: ArgumentHelp(
        "Take this stub with a place of its request left free. Repeatable.",
        valueName: "scenario/key:place"))
    var free: [String] = []

    @Flag(help: "Open the proposed document in $VISUAL or $EDITOR, and take what is saved.")
    var edit = false

    @Option(
      help: ArgumentHelp(
        "Drop this scenario, or this stub of it, from the draft. Repeatable.",
        valueName: "scenario[/key]"))
    var reject: [String] = []

    @Flag(help: "Drop everything else from the draft, also what tests recorded that failed.")
    var rejectAll = false

    @Flag(help: "Include what tests recorded that failed.")
    var failed = false

    @Flag(help: "Print a JSON array of {scenario, key, kind, tests, stub, answers, freed, free}.")
    var json = false

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      if acceptAll && rejectAll {
        throw ValidationError("--accept-all and --reject-all exclude each other.")
      }
      if edit && (!choices.isEmpty || json) {
        throw ValidationError("--edit takes what is saved; it goes with no other decision.")
      }
    }

    private var choices: ReviewChoices {
      ReviewChoices(
        only: only, accept: accept, acceptAll: acceptAll, free: free, reject: reject,
        rejectAll: rejectAll)
    }

    func run() throws {
      let catalog = try catalog.open()
      let writer = ReviewWriter(
        catalog: catalog, draft: try DraftReading(of: catalog, includingFailed: failed))
      var isProven = true
      if !choices.isEmpty {
        isProven = report(try writer.write(choices.outcome), writer)
      } else {
        let reviews = try writer.reviews()
        let selections = try ReviewSelection.all(of: reviews, only: only)
        if edit {
          isProven = try edit(selections, writer, shown: reviews)
        } else if json || selections.isEmpty || writer.draft.livingProcess != nil || !Self.canAsk {
          return try show(selections, writer, of: reviews)
        } else {
          isProven = try ask(selections, writer, shown: reviews)
        }
      }
      let rest = ReviewWriter(
        catalog: catalog, draft: try DraftReading(of: catalog, includingFailed: failed))
      let waits = try rest.reviews().contains { !$0.proposals.isEmpty }
      if waits || !isProven { throw ExitCode(2) }
    }
  }
}

// The ways to decide, and to show what waits.
extension RootCommand.Review {
  /// The most requests without a stub that are named.
  private static let maximumUnusableCount = 20

  private static var canAsk: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  private func ask(
    _ selections: [ReviewSelection], _ writer: ReviewWriter, shown: [ScenarioReview]
  ) throws -> Bool {
    noteLeftOut(writer, shown)
    // Questions go to the terminal itself.
    let outcome = try Terminal.$current.withValue(Terminal(color: common.color)) {
      guard let keys = TerminalKeys() else {
        throw CommandError(
          "the terminal cannot be asked: \(String(cString: strerror(errno)))",
          hints: ["To decide without it: \(FollowUp.program) review --accept SCENARIO/KEY"])
      }
      defer { keys.close() }
      var dialog = ReviewDialog(selections, keys, ReviewEditing(catalog: writer.catalog))
      try dialog.run()
      return (decided: dialog.session.outcome, drafts: dialog.drafts)
    }
    guard outcome.decided.isDecisive else {
      Console.note("Nothing was decided.")
      return true
    }
    return try write(outcome.decided, writer, shown: shown, outcome.drafts)
  }

  private func edit(
    _ selections: [ReviewSelection], _ writer: ReviewWriter, shown: [ScenarioReview]
  ) throws -> Bool {
    try writer.requireNoProcess()
    guard let selection = selections.first else {
      Console.note("Nothing waits to be edited.")
      return true
    }
    guard selections.count == 1 else {
      throw CommandError(
        "several scenarios wait, and one document is edited at a time; nothing was changed",
        hints: selections.prefix(10).map {
          FollowUp.command(
            ["review"] + CommandWords.option("--edit", $0.review.name.rawValue),
            catalog: writer.catalog.url)
        })
    }
    let review = selection.review
    var outcome = ReviewOutcome()
    let editing = ReviewEditing(catalog: writer.catalog)
    guard let stub = try only.flatMap(ReviewNames(shown).target)?.proposal else {
      let (scenario, draft) = try editing.scenario(review)
      outcome.documents[review.name] = scenario
      outcome.decisions[review.name] = review.allTaken
      return try write(outcome, writer, shown: shown, [draft])
    }
    let (stubs, draft) = try editing.stubs(review, stub)
    outcome.decisions[review.name] = [review.proposals[stub].stub.key: .edit(stubs)]
    return try write(outcome, writer, shown: shown, [draft])
  }

  /// Writes the outcome; texts of the user are kept if that fails.
  private func write(
    _ outcome: ReviewOutcome, _ writer: ReviewWriter, shown: [ScenarioReview],
    _ drafts: [DocumentDraft]
  ) throws -> Bool {
    let isProven: Bool
    do {
      isProven = report(try writer.write(outcome, shown: shown), writer)
    } catch  where !drafts.isEmpty {
      throw CommandError(
        ErrorText.message(for: error),
        hints: drafts.map { "Nothing was saved. Your text is in \($0.file.path)" })
    }
    for draft in drafts { draft.discard() }
    return isProven
  }

  /// Says what was written; false if a request that was taken does not get its answer.
  private func report(_ result: ReviewResult, _ writer: ReviewWriter) -> Bool {
    for line in ReviewReport(result: result, catalog: writer.catalog).lines { Console.note(line) }
    return result.isProven
  }

  private func show(
    _ selections: [ReviewSelection], _ writer: ReviewWriter, of reviews: [ScenarioReview]
  ) throws {
    if json {
      try Console.write(OrderedJSON.array(selections.flatMap(\.json)).text)
    } else {
      for selection in selections { try Console.write(ReviewView(selection).text) }
    }
    let name = TerminalText.path(writer.catalog.url)
    noteLeftOut(writer, reviews)
    guard !selections.isEmpty else {
      Console.note("Nothing waits to be taken into \(name).")
      if writer.draft.isLeftover {
        Console.note(
          "To remove the rest of the draft: "
            + FollowUp.command("review", "--reject-all", in: writer.catalog))
      }
      return
    }
    let count = selections.reduce(0) { $0 + $1.shown.count }
    Console.note("\(Plural.of(count, "stub")) to be taken into \(name), or not.")
    if !json {
      Console.note(FollowUp.again("To take them all", adding: "--accept-all"))
      if let freeing = selections.lazy.compactMap(\.freeingOptions).first {
        Console.note(FollowUp.again("To leave places free", adding: freeing))
      }
    }
    throw ExitCode(2)
  }

  /// Says what of the draft is not among what waits.
  private func noteLeftOut(_ writer: ReviewWriter, _ reviews: [ScenarioReview]) {
    let unusable = reviews.flatMap { review in review.unusable.map { (review.name, $0) } }
    for (name, (request, reason)) in unusable.prefix(Self.maximumUnusableCount) {
      Console.note(
        "No stub of \(name): \(TerminalText.line(request)): \(TerminalText.line(reason)).")
    }
    if unusable.count > Self.maximumUnusableCount {
      let count = unusable.count - Self.maximumUnusableCount
      Console.note("No stub of \(Plural.of(count, "more request")).")
    }
    let damaged = reviews.reduce(writer.draft.unreadableCount) { $0 + $1.damaged.count }
    if damaged > 0 {
      Console.note(
        "Left out: \(Plural.of(damaged, "line")) that cannot be read; --reject-all drops them.")
    }
    let count = writer.draft.failedRuns.count
    guard count > 0 else { return }
    Console.note("Left out: \(Plural.of(count, "run")) of failed tests; --failed shows them.")
  }
}
