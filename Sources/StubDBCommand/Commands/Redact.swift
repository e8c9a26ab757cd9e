import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBModel
import StubDBSecrets

extension RootCommand {
  /// Takes secrets out of a catalog.
  struct Redact: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "redact",
      abstract: "Take values out of a catalog, everywhere and consistently.",
      discussion: """
        Each value gets one placeholder (REDACTED-1, or a number for a number) wherever it is: in \
        other scenarios, in a Location, in the pattern of the request that sends it back, in base64 \
        or percent-encoded. So stubs that belonged together still match. Values of less than 6 \
        bytes are replaced only where a rule selects them. true, false and null stay.

        Afterwards the old values are nowhere in the file. Git's history still has them: change \
        the secrets.

        Examples:
          stubdb redact --findings --dry-run
          stubdb redact --header Authorization --cookie sessionid --json-path '$..access_token'
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
      let job = RedactionJob(
        catalog: try catalog.open(), rules: rules, hasFindings: findings)
      let outcome = try job.run(dryRun: dryRun)
      let places = outcome.places
      if json {
        let list = places.map { OrderedJSON.object(OrderedJSON.members(of: $0)) }
        try Console.write(OrderedJSON.array(list).text)
      } else {
        for place in places { try Console.line(FindingView.line(place)) }
      }
      report(outcome, CatalogLocator.display(job.catalog.url))
    }

    private func report(_ outcome: RedactionJob.Outcome, _ name: String) {
      guard !outcome.places.isEmpty else {
        Console.note("Nothing in \(name) is to be taken out.")
        return
      }
      let what =
        "\(Counted.of(outcome.count, "value")) in \(Counted.of(outcome.places.count, "place")) of "
        + name
      if dryRun {
        Console.note("Would take out \(what). Nothing was changed.")
        return
      }
      if outcome.shortCount == 0 {
        Console.note("Took out \(what). The file no longer holds them.")
      } else {
        Console.note(
          "Took out \(what). The file no longer holds those of 6 bytes and more; "
            + "\(outcome.shortCount) shorter: gone only from the places that a rule selects.")
      }
      Console.note(
        "If the file was ever committed, git's history still holds them: revoke or change each "
          + "secret where it is valid; that helps even where the history cannot be rewritten.")
    }
  }
}
