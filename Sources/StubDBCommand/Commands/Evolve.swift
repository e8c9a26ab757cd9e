import ArgumentParser
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBVariations

extension RootCommand {
  struct Evolve: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "evolve",
      abstract: "List the compatible changes of answers that .everyEvolution tries.",
      discussion: """
        APIs change in ways that clients must stand: a new member, an unknown constant, a longer list. \
        A test with the trait .everyEvolution, of StubDBSweeps, is repeated for each such change of the \
        answers that it gets. This command changes nothing: it lists the changes for all answers of \
        a scenario and of what it includes, each with its name for .only, and says why clients must \
        stand it. The reasons come from other answers of the same operation in the catalog, and from \
        a description that stubdb check --openapi FILE --keep keeps.

        Templates, base64, compressed and chunked content and what is not JSON are left alone; notes \
        say which answers these are. Of one answer, a test tries at most 500 changes, and of a list looks \
        at 50 elements; notes say what that leaves out. --all lists the rest, too, of which a test \
        tries what .only or STUBDB_SWEEP names. Exits with 2 if no answer is changed.

        Examples:
          stubdb evolve checkout/paid --list
          stubdb evolve checkout/paid --list --json | jq -r '.variations[].variation'
        """)

    @Argument(
      help: "The scenario, such as checkout/paid.", completion: .scenarioNames,
      transform: ScenarioName.argument)
    var scenario: ScenarioName

    @Flag(help: "List the changes.")
    var list = false

    @Flag(help: "List also what a test tries only by its name.")
    var all = false

    @Flag(help: "Print a JSON object {variations, leftAlone, cut}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      guard !list else { return }
      throw ValidationError(
        """
        evolve changes nothing: the changes are tried by tests with the trait .everyEvolution. To list them:
          stubdb evolve \(scenario) --list
        """)
    }

    func run() throws {
      let catalog = try catalog.openForReading()
      let loaded = try catalog.loadExisting(scenario)
      let samples = try AnswerSamples(catalog)
      let tried = ScenarioEvolutions(loaded, samples)
      let evolutions = all ? ScenarioEvolutions(loaded, samples, limits: .listed) : tried
      let view = EvolutionView(
        evolutions: evolutions, scenario: scenario,
        triedCount: all ? tried.variations.count : nil)
      if json {
        try Console.write(evolutions.json.text)
      } else {
        try Console.write(view.table(columns: Terminal.current.columns, style: .output))
      }
      for note in view.notes { Console.note(note) }
      if evolutions.variations.isEmpty { throw ExitCode(2) }
    }
  }
}
