import ArgumentParser
import StubDBCatalog
import StubDBModel

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
        """)

    @Argument(
      help: "The scenario, such as checkout/paid.", completion: .scenarioNames,
      transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Argument(help: "The key of a stub, to show only that.", completion: .stubKeys)
    var key: String?

    @Flag(help: "Print the scenario's document, or the stub as the document has it.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let scenario = try catalog.open().existing(scenario)
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
  }
}
