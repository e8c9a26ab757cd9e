import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSwiftNames
import StubDBTransfer

extension RootCommand {
  struct Names: CatalogCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "names",
      abstract: "Print what scenarios are called in Swift, or make source that declares it.",
      discussion: """
        With the source of --swift in a test target, .scenario(.checkout.cardDeclined) means the scenario \
        checkout/card-declined. A name that the catalog does not have does not compile. \
        A package does without this command if its test target has the plugin StubDBNames.

        Scenarios that would have the same name in Swift have one that says so where it is used. With --check, \
        nothing is written; exits with 2 if the file of --output is not what would be written.

        Examples:
          stubdb names                          each scenario, and its name in Swift
          stubdb names --swift                  the source
          stubdb names --swift --output Names.swift
          stubdb names --swift --output Names.swift --check
        """)

    private static let defaultModule = "StubDBTesting"

    @Flag(help: "Print Swift source.")
    var swift = false

    @Option(help: ArgumentHelp("Write the source to this file.", valueName: "file"))
    var output: String?

    @Option(help: "Who can use the names: internal or public.")
    var access = SwiftAccess.internal

    @Option(
      name: .customLong("import"),
      help: ArgumentHelp(
        "The module that the source imports: StubDBTesting, StubDB or StubDBHTTPTypes.",
        valueName: "module"))
    var module = Self.defaultModule

    @Flag(help: "Write nothing; exit with 2 if the file of --output is out of date.")
    var check = false

    @Flag(help: "Print a JSON array of {scenario, swift}.")
    var json = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      guard !swift else {
        if json { throw ValidationError("--json and --swift exclude each other.") }
        if check && output == nil {
          throw ValidationError("--check needs --output, the file that is checked.")
        }
        guard module.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
          throw ValidationError("--import takes the name of a module.")
        }
        return
      }
      if output != nil || check { throw ValidationError("--output and --check need --swift.") }
    }

    func run() throws {
      let catalog = try catalog.openForReading()
      let scenarios = try catalog.scenarios()
      let names = SwiftNames(scenarios.map { .init(name: $0.name, summary: $0.summary) })
      for clash in names.clashes { Console.note("warning: " + SwiftNames.explanation(of: clash)) }
      guard swift else { return try list(scenarios) }
      let source = names.source(
        access: access, importing: module, catalog: catalog.url.lastPathComponent)
      guard let output else { return try Console.write(source) }
      try save(Data(source.utf8), in: OutputFile(output), catalog)
    }

    /// Writes the source, or compares it with the file.
    private func save(_ source: Data, in file: OutputFile, _ catalog: Catalog) throws {
      try file.requireOther(than: [catalog.url])
      let before = file.content
      guard check else {
        guard before.map(Self.isReplaceable) ?? true else {
          throw CommandError(
            "\(TerminalText.quoted(file.path)) is not a file that stubdb names made; nothing was written",
            hints: ["To replace it, remove it first"])
        }
        return before == source ? () : try file.write(source)
      }
      guard before != source else { return }
      let name = TerminalText.quoted(file.path)
      Console.note(before == nil ? "There is no \(name)." : "\(name) is out of date.")
      var words = ["names", "--swift", "--output", file.path]
      if access != .internal { words += ["--access", access.rawValue] }
      if module != Self.defaultModule { words += ["--import", module] }
      Console.note("To make it:\n  " + FollowUp.command(words, catalog: catalog.url))
      throw ExitCode(2)
    }

    /// Whether a file is empty or was made by this command.
    private static func isReplaceable(_ content: Data) -> Bool {
      content.isEmpty || content.starts(with: SwiftNames.beginning.utf8)
    }

    private func list(_ scenarios: [ScenarioSummary]) throws {
      if json {
        let rows = scenarios.map { scenario in
          OrderedJSON.object([
            ("scenario", .string(scenario.name.rawValue)),
            ("swift", .string(SwiftNames.member(of: scenario.name))),
          ])
        }
        return try Console.write(OrderedJSON.array(rows).text)
      }
      var table = Table([.left, .left], names: 2)
      for scenario in scenarios {
        table.add([scenario.name.rawValue, SwiftNames.member(of: scenario.name)])
      }
      try Console.write(table.text(fitting: Terminal.current.columns))
    }
  }
}

extension SwiftAccess: ExpressibleByArgument {}
