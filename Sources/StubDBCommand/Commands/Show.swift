import ArgumentParser
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback

extension RootCommand {
  struct Show: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show a scenario, one of its stubs, or all scenarios below a name.",
      discussion: """
        On a terminal long lines and long bodies are cut. With --json the document is printed, whole and in canonical form: what \
        `stubdb add --file` reads. A name that ends with / shows all scenarios below it; `stubdb list` has a line for each.

        Examples:
          stubdb show checkout/paid
          stubdb show checkout/paid post-v1-charges
          stubdb show checkout/
          stubdb show checkout/paid --json > paid.json
          stubdb show checkout/paid --with-includes      what answers, in this order
          stubdb show checkout/paid --expanded           with the methods of resources
        """)

    @Argument(
      help: ArgumentHelp(
        "The scenario, such as checkout/paid, or checkout/ for all below it.",
        valueName: "scenario"),
      completion: .scenarioNames, transform: ScenarioSelection.init(argument:))
    var selection: ScenarioSelection

    @Argument(help: "The key of a stub, to show only that.", completion: .stubKeys)
    var key: String?

    @Flag(
      help:
        "Print the scenario's document, or the stub as the document has it; below a name a list.")
    var json = false

    @Flag(
      help: """
        List the stubs of the scenario and of those it includes, a line for each, in the order in which they are asked.
        """)
    var withIncludes = false

    @Flag(
      help: """
        List the methods and URLs that the stubs answer, a line for each, with those of resources one by one.
        """)
    var expanded = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      if withIncludes && expanded {
        throw ValidationError("--with-includes and --expanded are two lists; leave one out.")
      }
      if withIncludes && key != nil {
        throw ValidationError("--with-includes lists all stubs; leave the key out.")
      }
      guard case .below(let area) = selection, withIncludes || expanded || key != nil else {
        return
      }
      let option = withIncludes ? "--with-includes" : expanded ? "--expanded" : "A key"
      throw ValidationError(
        "\(option) goes with one scenario, and \(area) means all below that name. "
          + "To see which there are: \(FollowUp.program) list \(area)")
    }

    func run() throws {
      let catalog = try catalog.openForReading()
      let scenario: Scenario
      switch selection {
      case .below: return try showAll(in: catalog)
      case .scenario(let name):
        if withIncludes { return try list(catalog.loadExisting(name)) }
        scenario = try catalog.existing(name)
      }
      if expanded {
        let stubs = try key.map { [try scenario.existing($0)] } ?? scenario.stubs
        return try Console.write(RouteView(stubs: stubs).text(asJSON: json))
      }
      guard let key else { return try Console.write(text(of: scenario)) }
      let stub = try scenario.existing(key)
      try Console.write(
        json
          ? ScenarioDocument.encode(stub)
          : StubView(stub: stub, style: .output).lines.joined(separator: "\n") + "\n")
    }

    /// Prints all scenarios below a name; as JSON they are a list, as `add --file` reads it.
    private func showAll(in catalog: Catalog) throws {
      let texts = try catalog.names(of: [selection], for: "show").map {
        try text(of: catalog.existing($0))
      }
      guard json else { return try Console.write(texts.joined(separator: "\n")) }
      let documents = texts.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
      try Console.write("[\n" + documents.joined(separator: ",\n") + "\n]\n")
    }

    private func text(of scenario: Scenario) -> String {
      json
        ? ScenarioDocument.encode(scenario) : ScenarioView(scenario: scenario, style: .output).text
    }

    /// Prints the stubs that answer, those asked first at the top.
    private func list(_ scenario: LoadedScenario) throws {
      let sources = Player(scenario, options: PlaybackOptions()).run.stubUses.map(\.source)
      if json { return try Console.write(OrderedJSON.array(sources.map(Self.json)).text) }
      var table = Table([.left, .left, .left, .left])
      for source in sources {
        let stub = source.stub
        table.add([
          TerminalText.line(stub.key.rawValue), stub.requestPhrase.line,
          StubView.headline(of: stub), source.origin.rawValue,
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
        ("request", .string(source.stub.requestPhrase.line)),
        ("responses", .integer(source.stub.responses.count)),
      ])
    }
  }
}
