import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBEditing
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Check: WritingCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Look for damage and mistakes in a catalog.",
      discussion: """
        Finds damage of the file, bodies that do not match their digests, stubs that can never answer, \
        and includes that do not exist. Exits with 2 if there is a problem, which suits continuous \
        integration. With a scenario, or a name that ends with / for those below it, reports their \
        problems and those of the file.

        --at lists what is over at a later time: dates of answers, cookies, tokens and fixed dates of \
        patterns. A test with today: .now, or a run with --today, moves the dates; what is signed stays.

        --openapi compares the stubs with a description of the API in place of that: paths, methods, \
        statuses, media types, header fields, the content of answers, and requests that can never \
        match. Exits with 2 if there is an error. Exceptions are in .stubdb-verify.json beside the \
        catalog, see stubdb verify. With --keep, the catalog also keeps what the description says of \
        requests, as a scenario openapi/NAME: tests with validatesRequests and serve --validate fail \
        for requests that it does not allow.

        Examples:
          stubdb check
          stubdb check checkout/paid
          stubdb check checkout/
          stubdb check --max-age 30d
          stubdb check --at +18mo
          stubdb check --catalog Tests/Fixtures/shop.stubdb --json
          stubdb check --openapi shop.yaml --coverage
          stubdb check --openapi shop.yaml --keep
          stubdb check --format junit > check.xml
        """)

    @Argument(
      help: ArgumentHelp("Only this scenario, or those below a name.", valueName: "scenario"),
      completion: .scenarioNames, transform: ScenarioSelection.init(argument:))
    var selection: ScenarioSelection?

    @Option(
      help: ArgumentHelp(
        "Also report stubs that were recorded longer ago than this, such as 30d or 8w.",
        valueName: "days"))
    var maxAge: RecordingAge?

    @Option(
      help: ArgumentHelp(
        "Also report what means something else then: +18mo, +30d, +2y, or a date.",
        valueName: "moment"), transform: CheckMoment.argument)
    var at: CheckMoment?

    @Option(
      help: ArgumentHelp(
        "Compare the stubs with this description in OpenAPI 3 or Swagger 2.", valueName: "file"),
      completion: .file(extensions: ["json", "yaml", "yml"]))
    var openapi: String?

    @Flag(help: "With --openapi, also list operations and statuses without a stub.")
    var coverage = false

    @Flag(
      help:
        "With --openapi, also keep the description, which tests and servers check requests against."
    )
    var keep = false

    @Option(
      name: .customLong("exceptions"),
      help: ArgumentHelp(
        "With --openapi, the file of exceptions (default: .stubdb-verify.json beside the catalog).",
        valueName: "path"),
      completion: .file(extensions: ["json"]))
    var exceptionsPath: String?

    @Flag(
      help: ArgumentHelp(
        "Print a JSON array of {scenario, key, pointer, problem}; empty when all is well.",
        discussion: "With --openapi an object of {findings, inconclusive, uncovered}."))
    var json = false

    @OptionGroup var output: FindingOptions

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      try output.checkUsage(json: json)
      if openapi == nil, coverage || keep || exceptionsPath != nil {
        let option = coverage ? "--coverage" : keep ? "--keep" : "--exceptions"
        throw ValidationError("\(option) goes with --openapi FILE.")
      }
      if openapi != nil, maxAge != nil || at != nil {
        let option = at == nil ? "--max-age" : "--at"
        throw ValidationError("\(option) does not go with --openapi; run check twice.")
      }
    }

    func run() throws {
      let catalog = try output.opening(self.catalog, for: "check") {
        try self.catalog.openForReading()
      }
      if let openapi {
        return try OpenAPICheckJob(catalog: catalog, command: self).run(openapi)
      }
      let problems = try output.preparing(self.catalog, for: "check") {
        try readSettings(besideCatalog: catalog.url)
        let found = try self.problems(of: catalog)
        if found.isEmpty { try UnmergedCatalog.report(on: catalog.url) }
        return found
      }
      let file = TerminalText.path(catalog.url)
      let name = selection.map { "\($0.argument) of \(file)" } ?? file
      let isPrinted = try output.print(
        "check", problems.map { .init($0, text: $0.text(in: catalog.url)) },
        rules: FindingReport.Finding.checkRules, of: catalog, among: selects)
      if json {
        try Console.write(
          OrderedJSON.array(problems.map { $0.json(problem: $0.text(in: catalog.url)) }).text)
      } else if !isPrinted {
        for problem in problems { try Console.line(Self.line(problem, in: catalog.url)) }
      }
      if !json { try noteSharedRequests(of: catalog) }
      guard problems.isEmpty else {
        Console.note("\(Plural.of(problems.count, "problem")) in \(name).")
        throw ExitCode(2)
      }
      if json { return }
      let scenarios = try catalog.scenarios().filter { selects($0.name) }
      let stubs = scenarios.reduce(0) { $0 + $1.stubCount }
      Console.note(
        "No problems in \(name): \(Plural.of(scenarios.count, "scenario")), "
          + "\(Plural.of(stubs, "stub")).")
    }

    /// Whether a scenario is to be checked.
    func selects(_ name: ScenarioName) -> Bool { selection?.selects(name) ?? true }

    /// Throws if the settings that tests would be played with cannot be read.
    private func readSettings(besideCatalog url: URL) throws {
      let file = url.deletingLastPathComponent().appendingPathComponent(CatalogSettings.fileName)
      guard FileManager.default.fileExists(atPath: file.path) else { return }
      let name = TerminalText.path(file)
      guard let text = FileManager.default.contents(atPath: file.path) else {
        throw CommandError("\(name) cannot be read.")
      }
      _ = try CatalogSettings.defaults(text, file: name)
    }

    /// Says where `serve` cannot tell from a request alone which origin it represents; no problem for tests.
    private func noteSharedRequests(of catalog: Catalog) throws {
      for shared in try catalog.sharedRequests() where selects(shared.scenario) {
        Console.note(
          "Note: \(shared.scenario): \(TerminalText.line(shared.request)) is a request to "
            + "\(shared.origins.map(TerminalText.line).joined(separator: " and ")); `stubdb serve` "
            + "distinguishes them by the Host field or --origin only.")
      }
    }

    /// All problems, or those of some scenarios and of the file itself.
    private func problems(of catalog: Catalog) throws -> [CheckProblem] {
      let problems = try catalog.check(recordedSince: maxAge?.day, at: at)
      guard let selection else { return problems }
      let chosen = problems.filter { $0.scenario.map(selects) ?? true }
      // A catalog that is damaged cannot always say which scenarios it has.
      if chosen.isEmpty { try requireScenario(selection, in: catalog) }
      return chosen
    }

    private func requireScenario(_ selection: ScenarioSelection, in catalog: Catalog) throws {
      guard case .scenario(let name) = selection else {
        _ = try catalog.names(of: [selection], for: "check")
        return
      }
      let all = try catalog.scenarios().map(\.name)
      if !all.contains(name) { throw NameError.scenario(name, in: catalog, among: all) }
    }

    private static func line(_ problem: CheckProblem, in catalog: URL) -> String {
      let place = [
        problem.scenario?.rawValue, problem.key.map(TerminalText.line),
        problem.pointer.map { TerminalText.line($0.description) },
      ].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
      let text = TerminalText.line(problem.text(in: catalog))
      return place.isEmpty ? text : "\(Style.output.bold(place)): \(text)"
    }
  }
}

extension RecordingAge: ExpressibleByArgument {}

extension CheckMoment {
  /// Parses the value of `--at`.
  ///
  /// - Throws: ``ArgumentError`` for a text that is no moment.
  static func argument(_ text: String) throws -> CheckMoment {
    if let moment = CheckMoment(argument: text) { return moment }
    throw ArgumentError(
      "write it as a time from now of at most 100 years (+30d, +8w, +18mo or +2y), as a day such as "
        + "2027-02-28, or as a moment such as 2027-02-28T23:59:30Z")
  }
}

extension CheckProblem {
  /// The sentence; a command in it works as printed.
  func text(in catalog: URL) -> String {
    problem { FollowUp.command($0, on: $1, $2, catalog: catalog) }
  }
}
