import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBModel
import StubDBSecrets

extension RootCommand {
  /// Takes secrets out of a catalog.
  struct Redact: ParsableCommand {
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
      let (places, count) = try job.run(dryRun: dryRun)
      if json {
        try Console.write(OrderedJSON.array(places.map(OrderedJSON.place)).text)
      } else {
        for place in places { try Console.line(Self.line(place)) }
      }
      let name = CatalogLocator.display(job.catalog.url)
      guard !places.isEmpty else {
        Console.note("Nothing in \(name) is to be taken out.")
        return
      }
      let what = "\(Counted.of(count, "value")) in \(Counted.of(places.count, "place")) of \(name)"
      if dryRun {
        Console.note("Would take out \(what). Nothing was changed.")
      } else {
        Console.note("Took out \(what). The file no longer holds them.")
        Console.note(
          "If the file was ever committed, git's history still holds them: change the secrets "
            + "where they are valid, and see docs/secrets.md.")
      }
    }

    private static func line(_ place: ScenarioRedactor.Place) -> String {
      let text = [place.scenario.rawValue, place.key.map(Printable.line)]
        .compactMap { $0 }.joined(separator: " ")
      return "\(Style.output.bold(text)) \(Printable.line(place.pointer.description))"
    }
  }
}

extension OrderedJSON {
  fileprivate static func place(_ place: ScenarioRedactor.Place) -> OrderedJSON {
    .object([
      ("scenario", .string(place.scenario.rawValue)), ("key", .string(place.key)),
      ("pointer", .string(place.pointer.description)),
    ])
  }
}
