import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel

extension RootCommand {
  struct Search: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "search",
      abstract: "Find a text in names, URLs, patterns, header fields and text bodies.",
      discussion: """
        Case is ignored. A URL with a query finds the stubs that require these parameters, in any \
        order. On a terminal it shows an excerpt around the text, in a pipe \
        and with --json the whole value. Exits with 2 if nothing contains the text.

        Examples:
          stubdb search card_declined
          stubdb search /v1/charges
          stubdb search retry-after --json | jq -r '.[].scenario' | sort -u
        """)

    @Argument(help: "The text to find.", completion: .searchTexts)
    var text: String

    @Flag(help: "Print a JSON array of {scenario, key, part, text}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      if text.isEmpty { throw ValidationError("Say which text to find.") }
    }

    func run() throws {
      let catalog = try catalog.openForReading()
      let hits = try catalog.search(text)
      if json {
        try Console.write(OrderedJSON.array(hits.map(\.json)).text)
      } else if hits.isEmpty {
        let name = TerminalText.path(catalog.url)
        Console.note("Nothing in \(name) contains \(TerminalText.quoted(text)).")
      } else {
        try Console.write(table(of: hits))
      }
      if hits.isEmpty { throw ExitCode(2) }
    }

    /// A line for each hit: an excerpt on a terminal, the whole value elsewhere.
    private func table(of hits: [Catalog.SearchHit]) -> String {
      let rows = hits.map { hit in
        [hit.scenario.rawValue, TerminalText.line(hit.key ?? "-"), hit.part.rawValue]
      }
      let least = 30
      let room = Terminal.current.columns.map { columns in
        let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return max(least, columns - widths.reduce(0) { $0 + $1 + 2 })
      }
      // Texts with quotes are found in JSON, too.
      let escaped = String(JSONValue.string(text).canonicalText.dropFirst().dropLast())
      var table = Table([.left, .left, .left, .left], names: 2)
      for (row, hit) in zip(rows, hits) {
        let value = room.map { Excerpt.around([text, escaped], in: hit.text, columns: $0) }
        table.add(row + [value ?? TerminalText.line(hit.text)])
      }
      return table.text(fitting: Terminal.current.columns)
    }
  }
}
