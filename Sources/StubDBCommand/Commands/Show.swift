import ArgumentParser
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import StubDBSupport

extension RootCommand {
  /// Shows a scenario or one of its stubs.
  struct Show: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show a scenario, or one of its stubs.",
      discussion: """
        On a terminal long lines and long bodies are cut. With --json the document is printed, whole and in canonical form: what \
        `stubdb add --file` reads.

        Examples:
          stubdb show checkout/paid
          stubdb show checkout/paid post-v1-charges
          stubdb show checkout/paid --json > paid.json
          stubdb show checkout/paid --with-includes      what answers, in this order
        """)

    @Argument(
      help: "The scenario, such as checkout/paid.", completion: .scenarioNames,
      transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The key of a stub, to show only that.", completion: .stubKeys)
    var key: String?

    @Flag(help: "Print the scenario's document, or the stub as the document has it.")
    var json = false

    @Flag(
      help: """
        List the stubs of the scenario and of those it includes, a line for each, in the order in which they are asked.
        """)
    var withIncludes = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      if withIncludes && key != nil {
        throw ValidationError("--with-includes lists all stubs; leave the key out.")
      }
    }

    func run() throws {
      if withIncludes { return try list(catalog.openForReading().loadExisting(scenario)) }
      let scenario = try catalog.openForReading().existing(scenario)
      let style = Style.output
      if let key {
        let stub = try scenario.existing(key)
        try Console.write(
          json
            ? ScenarioDocument.encode(stub)
            : StubView(stub: stub, style: style).lines.joined(separator: "\n") + "\n")
      } else {
        try Console.write(
          json
            ? ScenarioDocument.encode(scenario)
            : ScenarioView(scenario: scenario, style: style).text)
      }
    }

    /// Prints the stubs that answer, those asked first at the top.
    private func list(_ scenario: LoadedScenario) throws {
      let sources = Player(scenario, options: PlaybackOptions()).run.stubUses.map(\.source)
      if json { return try Console.write(OrderedJSON.array(sources.map(Self.json)).text) }
      var table = Table([.left, .left, .left, .left])
      for source in sources {
        let stub = source.stub
        let first = stub.responses.first.map { ResponseView(response: $0).headline } ?? ""
        table.add([
          TerminalText.line(stub.key.rawValue), RequestView(pattern: stub.request).requestLine,
          first + Plural.more(stub.responses.count - 1), source.origin.rawValue,
        ])
      }
      try Console.write(table.text(fitting: Terminal.current.columns))
      if sources.isEmpty {
        Console.note("\(scenario.name) has no stubs, nor does what it includes.")
      }
    }

    private static func json(_ source: LoadedScenario.Source) -> OrderedJSON {
      .object([
        ("scenario", .string(source.origin.rawValue)), ("key", .string(source.stub.key.rawValue)),
        ("request", .string(RequestView(pattern: source.stub.request).requestLine)),
        ("responses", .integer(source.stub.responses.count)),
      ])
    }
  }
}
