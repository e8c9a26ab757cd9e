import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSupport

extension RootCommand {
  struct Resolve: WritingCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "resolve",
      abstract: "List the conflicts that a merge left, or settle them.",
      discussion: """
        A conflict is a place that two branches changed differently. Until it is settled, the \
        catalog has our version there (their version of a scenario or stub that we removed), \
        `stubdb check` fails, and tests refuse the scenario. With git, "ours" is the branch you \
        are on; in a rebase, it is the one you rebase onto.

        Without a choice it lists the conflicts and exits with 2 if there are any.

        Examples:
          stubdb resolve
          stubdb resolve checkout/paid charge /responses/0/status --theirs
          stubdb resolve checkout/paid --ours         all conflicts of the scenario
          stubdb resolve checkout/paid --edit         open it in $EDITOR; what you save counts
          stubdb resolve --all --theirs
        """)

    @Argument(
      help: "Only this scenario.", completion: .scenarioNames, transform: ScenarioName.argument)
    var scenario: ScenarioName?

    @Argument(
      help:
        "Only the stub with this key, or the place /summary, /includes … of the scenario itself.",
      completion: .stubKeys)
    var key: String?

    @Argument(help: "Only the place with this JSON pointer.")
    var pointer: String?

    @Flag(help: "Settle with our version.")
    var ours = false

    @Flag(help: "Settle with their version.")
    var theirs = false

    @Flag(help: "Settle by editing the scenario's document.")
    var edit = false

    @Flag(help: "Settle the conflicts of all scenarios.")
    var all = false

    @Flag(help: "Print a JSON array of {scenario, key, pointer, base, ours, theirs}.")
    var json = false

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      guard [ours, theirs, edit].filter(\.self).count <= 1 else {
        throw ValidationError("Give one of --ours, --theirs and --edit.")
      }
      let settles = ours || theirs || edit
      if all && scenario != nil { throw ValidationError("Give a scenario or --all, not both.") }
      if all && !settles { throw ValidationError("Say what to settle with: --ours or --theirs.") }
      if settles && !all && scenario == nil {
        throw ValidationError("Say which conflicts: a scenario, or --all.")
      }
      if edit && (all || key != nil) {
        throw ValidationError("--edit opens one scenario; give its name and nothing else.")
      }
      if json && settles { throw ValidationError("--json only lists.") }
    }

    func run() throws {
      let catalog = try catalog.open()
      if try catalog.conflicts().isEmpty { try UnmergedCatalog.report(on: catalog.url) }
      let chosen = try chosen(in: catalog)
      if ours || theirs {
        guard !chosen.isEmpty else {
          let name = TerminalText.path(catalog.url)
          Console.note("No conflicts in \(name); nothing was changed.")
          return noteMirrors(of: catalog.url)
        }
        try settle(chosen, in: catalog)
      } else if edit, let scenario {
        try ConflictEditor(catalog: catalog, scenario: scenario, conflicts: chosen).run()
      } else {
        return try list(chosen, in: catalog)
      }
      try noteRest(in: catalog)
    }

    /// The conflicts that the arguments select.
    private func chosen(in catalog: Catalog) throws -> [Conflict] {
      let conflicts = try catalog.conflicts()
      guard let scenario else { return conflicts }
      var chosen = conflicts.filter { $0.scenario == scenario }
      if let key {
        // A conflict outside the stubs is selected by its place alone.
        chosen.removeAll {
          !$0.key.hasSameBytes(as: key) && ($0.key != nil || $0.pointer.description != key)
        }
      }
      if let pointer { chosen.removeAll { $0.pointer.description != pointer } }
      if chosen.isEmpty {
        let place = [scenario.rawValue, key, pointer].compactMap(\.self).joined(separator: " ")
        throw CommandError(
          "there is no conflict at \(TerminalText.line(place)) in "
            + TerminalText.path(catalog.url),
          hints: conflicts.isEmpty
            ? ["It has no conflicts."]
            : [
              "It has: "
                + conflicts.prefix(5).map { TerminalText.line($0.description) }
                .joined(separator: ", ")
            ])
      }
      return chosen
    }

    private func list(_ conflicts: [Conflict], in catalog: Catalog) throws {
      let name = TerminalText.path(catalog.url)
      try ConflictView.write(conflicts, json: json)
      guard !conflicts.isEmpty else {
        if json { return }
        Console.note("No conflicts in \(name).")
        return noteMirrors(of: catalog.url)
      }
      if !json {
        Console.note("\(Plural.of(conflicts.count, "conflict")) in \(name).")
        for line in try Settlements(of: conflicts, in: catalog).lines { Console.note(line.shown) }
      }
      throw ExitCode(2)
    }

    private func settle(_ conflicts: [Conflict], in catalog: Catalog) throws {
      let side: ConflictSettlement.Side = ours ? .ours : .theirs
      try catalog.edit { editor in
        let source = try EditedScenarios(editor, name: TerminalText.path(catalog.url))
        let all = try editor.conflicts()
        do {
          try editor.apply(
            ConflictSettlement.settle(conflicts, of: all, with: side, in: source))
        } catch let error as SettlementError {
          throw CommandError(
            "nothing was settled: \(TerminalText.line(error.message))",
            hints: Settlements.alternatives(to: error, with: side, of: all, source, in: catalog.url)
              .map(\.shown))
        }
      }
      Console.note(
        "Settled \(Plural.of(conflicts.count, "conflict")) with \(ours ? "our" : "their") version."
      )
    }

    private func noteRest(in catalog: Catalog) throws {
      let rest = try catalog.conflicts().count
      let name = TerminalText.path(catalog.url)
      Console.note(
        rest == 0
          ? "\(name) has no more conflicts. With git: \(FollowUp.git("add", on: catalog.url))"
          : "\(Plural.of(rest, "conflict")) left in \(name): "
            + FollowUp.command("resolve", in: catalog))
      if rest == 0 { noteMirrors(of: catalog.url) }
    }

    /// Says how to merge the documents of a mirror, which git merges as text.
    private func noteMirrors(of catalog: URL) {
      for folder in UnmergedFiles.mirrors(of: catalog).map(CatalogLocator.relativePath) {
        Console.note(
          "git has not merged the mirror \(TerminalText.line(folder)): "
            + FollowUp.command(["mirror", folder], catalog: catalog) + " && "
            + FollowUp.git(["add", folder]))
      }
    }
  }
}

extension UnmergedCatalog {
  /// Refuses a file that lacks what one side changed; for a merged file, only prints the next steps.
  static func report(on catalog: URL) throws {
    guard let state = try UnmergedCatalog(catalog)?.state() else { return }
    let (name, add) = (TerminalText.path(catalog), FollowUp.git("add", on: catalog))
    switch state {
    case .merged: Console.note("git lists \(name) as unmerged until you type: \(add)")
    case .removedByOne:
      throw CommandError(
        "one branch removed \(name) and the other one changed it; git waits for a decision",
        hints: ["To keep it: \(add)", "To remove it: \(FollowUp.git("rm", on: catalog))"])
    case .notMerged:
      throw CommandError(
        "git has not merged \(name): it may hold only one of the two versions, and no conflicts to settle",
        hints: [
          "To merge them by meaning, without what was changed in the file since: "
            + FollowUp.command(["git", "install"]) + " && "
            + FollowUp.git("checkout", "--merge", "--", on: catalog),
          "To commit the file as it is: \(add)",
        ])
    }
  }
}
