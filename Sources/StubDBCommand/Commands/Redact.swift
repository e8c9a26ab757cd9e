import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Redact: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "redact",
      abstract: "Take values out of a catalog, everywhere and consistently.",
      discussion: """
        Each value gets one placeholder (REDACTED-1, or a number for a number) wherever it is: in \
        other scenarios, in a Location, in the pattern of the request that sends it back, in base64 \
        or percent-encoded. So stubs that belonged together still match. Values of less than 6 \
        bytes are replaced only where a rule selects them. true, false and null stay.

        Afterwards every scenario and the bytes of the file are searched for the old values. Git's \
        history still has them: change the secrets.

        Examples:
          stubdb redact --findings --dry-run
          stubdb redact --header Authorization --cookie sessionid
          stubdb redact --json-path '$..access_token'
          stubdb redact --regex 'cus_[A-Za-z0-9]+'
          stubdb redact --rules redact.json
        """)

    @OptionGroup(title: "What to take out") var options: RedactionOptions

    @Flag(help: "Change nothing; list the places.")
    var dryRun = false

    @Flag(help: "Print a JSON array of {scenario, key, pointer}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let (rules, findings) = try options.rules()
      let catalog = try catalog.open()
      let progress = ProgressLine("Looking")
      defer { progress.end() }
      let job = RedactionJob(
        catalog: catalog, rules: rules,
        findingsBesides: findings ? try ExceptionsFile(beside: catalog.url) : nil
      ) { progress.show($0, of: $1, "scenario") }
      // A conflict contains values too; the snapshot has the best error for that.
      let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
      try snapshot.requireNoConflicts("which contain values too", in: catalog.url)
      let outcome: RedactionJob.Outcome
      do {
        outcome = try dryRun ? job.outcome(in: snapshot) : job.run()
      } catch let problem as RedactionProblem {
        throw problem.error(in: catalog.url)
      }
      progress.end()
      let places = outcome.places
      if json {
        let list = places.map { OrderedJSON.object($0.jsonMembers) }
        try Console.write(OrderedJSON.array(list).text)
      } else {
        for place in places { try Console.line(FindingView.line(place)) }
      }
      report(outcome, TerminalText.path(catalog.url))
    }

    private func report(_ outcome: RedactionJob.Outcome, _ name: String) {
      for place in outcome.kept {
        Console.note(
          "To be changed by hand, because nothing valid would be left of it: "
            + FindingView.place(place))
      }
      guard !outcome.places.isEmpty else {
        Console.note("Nothing in \(name) is to be taken out.")
        return
      }
      let what =
        "\(Plural.of(outcome.count, "value")) in \(Plural.of(outcome.places.count, "place")) of "
        + name
      if dryRun {
        Console.note("Would take out \(what). Nothing was changed.")
        return
      }
      Console.note("Took out \(what). \(Self.proof(of: outcome))")
      Console.note(
        "If the file was ever committed, git's history still holds them: revoke or change each "
          + "secret where it is valid; that helps even where the history cannot be rewritten.")
    }

    /// A description of what the final search proves, and for which values it cannot.
    private static func proof(of outcome: RedactionJob.Outcome) -> String {
      let (short, words) = (outcome.shortCount, outcome.wordCount)
      let searched = outcome.count - short - words
      var parts: [String] = []
      if short == 0, words == 0 {
        parts.append("The file no longer contains them.")
      } else if searched > 0 {
        parts.append(
          "The file no longer contains \(searched == 1 ? "the one" : "the \(searched)") that "
            + "\(searched == 1 ? "was" : "were") searched for in all its bytes.")
      }
      if words > 0 {
        parts.append(
          "\(words == 1 ? "1 value consists" : "\(words) values consist") only of letters; removed from "
            + "every scenario, but not searched for in the raw file.")
      }
      if short > 0 {
        parts.append(
          "\(short == 1 ? "1 value has" : "\(short) values have") less than 6 bytes; removed only where a "
            + "rule selects it.")
      }
      return parts.joined(separator: " ")
    }
  }
}
