import ArgumentParser
import StubDBCatalog
import StubDBModel

extension RootCommand {
  /// Searches a catalog for a text.
  struct Search: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "search",
      abstract: "Find a text in names, URLs, patterns, header fields and text bodies.",
      discussion: """
        Upper and lower case are the same. Exits with 2 where nothing holds the text.

        Examples:
          stubdb search card_declined
          stubdb search /v1/charges
          stubdb search retry-after --json | jq -r '.[].scenario' | sort -u
        """)

    @Argument(help: "The text to find.")
    var text: String

    @Flag(help: "Print a JSON array of {scenario, key, part, text}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      if text.isEmpty { throw ValidationError("Say which text to find.") }
    }

    func run() throws {
      let catalog = try catalog.open()
      let hits = try catalog.search(text)
      if json {
        try Console.write(OrderedJSON.array(hits.map(OrderedJSON.hit)).text)
      } else if hits.isEmpty {
        let name = CatalogLocator.display(catalog.url)
        Console.note("Nothing in \(name) holds \(Printable.quoted(text)).")
      } else {
        var table = Table([.left, .left, .left, .left])
        for hit in hits {
          table.add([
            hit.scenario.rawValue, Printable.line(hit.key ?? "-"), Printable.line(hit.part),
            Printable.line(Printable.shortened(hit.text, limit: 120)),
          ])
        }
        try Console.write(table.text)
      }
      if hits.isEmpty { throw ExitCode(2) }
    }
  }
}

extension OrderedJSON {
  fileprivate static func hit(_ hit: SearchHit) -> OrderedJSON {
    .object([
      ("scenario", .string(hit.scenario.rawValue)),
      ("key", .string(hit.key)),
      ("part", .string(hit.part)),
      ("text", .string(hit.text)),
    ])
  }
}
