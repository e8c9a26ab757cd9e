import ArgumentParser
import StubDBCatalog
import StubDBJSON
import StubDBModel

extension RootCommand {
  /// Looks for problems in a catalog.
  struct Check: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Look for damage and mistakes in a catalog.",
      discussion: """
        Finds damage of the file, bodies that do not match their digests, stubs that can never answer, \
        and includes that do not exist. Exits with 2 if there is a problem, which suits continuous \
        integration.

        Examples:
          stubdb check
          stubdb check --catalog Tests/Fixtures/shop.stubdb --json
        """)

    @Flag(help: "Print a JSON array of {scenario, key, pointer, problem}; empty when all is well.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func run() throws {
      let catalog = try catalog.open()
      let problems = try catalog.check()
      let name = CatalogLocator.display(catalog.url)
      if json {
        try Console.write(OrderedJSON.array(problems.map(OrderedJSON.problem)).text)
      } else {
        for problem in problems { try Console.line(Self.line(problem)) }
      }
      guard problems.isEmpty else {
        Console.note("\(Counted.of(problems.count, "problem")) in \(name).")
        throw ExitCode(2)
      }
      try UnmergedCatalog(catalog.url)?.report()
      if json { return }
      let scenarios = try catalog.scenarios()
      let stubs = scenarios.reduce(0) { $0 + $1.stubCount }
      Console.note(
        "No problems in \(name): \(Counted.of(scenarios.count, "scenario")), "
          + "\(Counted.of(stubs, "stub")).")
    }

    private static func line(_ problem: CheckProblem) -> String {
      let place = [
        problem.scenario?.rawValue, problem.key.map(Printable.line),
        problem.pointer.map(\.description),
      ].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
      let text = Printable.line(problem.problem)
      return place.isEmpty ? text : "\(Style.output.bold(place)): \(text)"
    }
  }
}

extension OrderedJSON {
  fileprivate static func problem(_ problem: CheckProblem) -> OrderedJSON {
    .object([
      ("scenario", .string(problem.scenario?.rawValue)),
      ("key", .string(problem.key)),
      ("pointer", .string(problem.pointer?.description)),
      ("problem", .string(problem.problem)),
    ])
  }
}
