import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBEngine
import StubDBGit
import StubDBJobs
import StubDBModel
import StubDBSupport

extension RootCommand {
  struct Restore: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "restore",
      abstract: "Restore scenarios from a git revision, even if they were removed.",
      discussion: """
        Only these scenarios change; the rest of the catalog stays as it is. A name that ends with / means \
        everything that the revision has below it. `stubdb log SCENARIO` \
        lists the revisions that changed it.

        Examples:
          stubdb restore checkout/paid                  as the last commit has it
          stubdb restore checkout/paid --rev HEAD~3
          stubdb restore checkout/ orders/open
          stubdb restore checkout/paid --rev v1.2 --as checkout/paid-before
        """)

    @Argument(
      help: ArgumentHelp("The scenarios.", valueName: "scenario"), completion: .scenarioNames,
      transform: selection)
    var selections: [ScenarioSelection]

    @Option(
      name: .customLong("rev"), help: ArgumentHelp("The git revision.", valueName: "revision"))
    var revision = "HEAD"

    @Option(
      name: .customLong("as"),
      help: ArgumentHelp(
        "Restore it under this name, beside the existing scenario.", valueName: "name"),
      transform: ScenarioName.argument)
    var newName: ScenarioName?

    @OptionGroup var writing: WritingOptions

    private static func selection(_ word: String) throws -> ScenarioSelection {
      do {
        return try ScenarioSelection(argument: word)
      } catch {
        throw ValidationError(
          "it is no scenario name. The revision is --rev \(ShellWord.quoted(word)).")
      }
    }

    func checkUsage() throws {
      guard newName != nil else { return }
      guard selections.count == 1, case .scenario = selections[0] else {
        throw ValidationError("--as gives one scenario another name.")
      }
    }

    func run() throws {
      let catalog = try catalog.open()
      let source = try ComparedCatalog.revision(revision, of: catalog.url).scenarios()
      let restored = try names(in: source.entries.map(\.name), of: catalog).map { name in
        var scenario = try source.scenario(named: name)
        if let newName { scenario.name = newName }
        return (name: name, scenario: scenario)
      }
      let before = try restore(restored.map(\.scenario), in: catalog)
      let place = TerminalText.line(revision)
      for ((name, scenario), before) in zip(restored, before) {
        let newName = scenario.name == name ? "" : " as \(scenario.name)"
        Console.note(
          before == scenario
            ? "\(name) is already as in \(place)." : "Restored \(name) from \(place)\(newName).")
        let problems = WriteCheck.problems(of: [scenario], besides: before?.stubs ?? [])
        for note in UnplayableView.lines(problems) { Console.note(note) }
      }
    }

    /// The names that are meant, of those that the revision has.
    private func names(in known: [ScenarioName], of catalog: Catalog) throws -> [ScenarioName] {
      try selections.names { prefix in
        let names = known.filter { $0.rawValue.hasPrefix(prefix) }
        guard !names.isEmpty else {
          throw CommandError(
            "there is no scenario below \(TerminalText.quoted(prefix)) in \(TerminalText.line(revision)) of "
              + TerminalText.path(catalog.url))
        }
        return names
      }.map { name in
        guard known.contains(name) else {
          throw try NameError.scenario(
            name, at: revision, of: catalog, among: known,
            consequence: selections.count > 1 ? "; nothing was restored" : "")
        }
        return name
      }
    }

    /// Writes the scenarios, and returns what they replace.
    private func restore(_ scenarios: [Scenario], in catalog: Catalog) throws -> [Scenario?] {
      do {
        return try catalog.edit { try $0.restore(scenarios, asNew: newName != nil) }
      } catch let refusal as EditRefusal {
        guard case .lostIncludes(let names, _) = refusal,
          var error = refusal.rendered(of: catalog) as? CommandError
        else { throw refusal.rendered(of: catalog) }
        error.hints = names.map {
          "To bring it back first: "
            + FollowUp.command(
              "restore", on: [$0.rawValue], ["--rev", revision], catalog: catalog.url)
        }
        throw error
      }
    }
  }
}

/// Stubs that are written although they cannot be played, as lines.
enum UnplayableView {
  /// The same for scenarios that a merge wrote.
  static func lines(ofMerged scenarios: [Scenario]) -> [String] {
    lines(WriteCheck.problems(ofMerged: scenarios))
  }

  static func lines(_ problems: [CheckProblem]) -> [String] {
    problems.map { problem in
      let place =
        problem.key.map { "stub \(TerminalText.line(SecretDisplay.text($0))) of " } ?? ""
      return "Written, but \(place)\(problem.scenario?.rawValue ?? "") cannot be played: "
        + "\(problem.pointer.map { "\($0): " } ?? "")\(TerminalText.line(problem.problem))"
    }
  }
}
