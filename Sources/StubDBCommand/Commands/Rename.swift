import ArgumentParser
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel

extension RootCommand {
  struct Rename: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename",
      abstract: "Rename scenarios, or with --key a stub.",
      discussion: """
        Scenarios that include the renamed one include it under its new name. Tests that name it \
        have to be changed by hand. A name that ends with / means everything below it, and as the last word \
        the area of the new names.

        Examples:
          stubdb rename checkout/paid checkout/accepted
          stubdb rename checkout/ payments/
          stubdb rename checkout/paid orders/open archive/
          stubdb rename checkout/accepted --key post-v1-charges charge
        """,
      aliases: ["mv"])

    @Argument(
      help: ArgumentHelp(
        "The scenario, or several, and last the new name; with --key the stub's new key.",
        valueName: "scenario"),
      completion: .scenarioNames)
    var words: [String]

    @Option(
      help: ArgumentHelp("The key of a stub: rename that, not the scenario.", valueName: "key"),
      completion: .stubKeys)
    var key: String?

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      guard key != nil else { return try ScenarioTargets.validate(words) }
      guard words.count == 2 else {
        throw ValidationError("With --key, give the scenario and the stub's new key.")
      }
      try ScenarioTargets.validateNames([words[0]])
    }

    func run() throws {
      if let key {
        try renameStub(key, of: ScenarioName.argument(words[0]), to: words[1])
      } else {
        try renameScenarios()
      }
    }

    private func renameScenarios() throws {
      let catalog = try catalog.open()
      let pairs = try ScenarioTargets(words, in: catalog, for: "rename").pairs
      let changed = pairs.filter { $0.old != $0.new }
      try catalog.changing { try $0.rename(pairs) }
      for (old, new) in pairs where old == new {
        Console.note("\(old) has that name already; nothing was changed.")
      }
      for line in ChangedNames.lines("Renamed", changed) { Console.note(line) }
      for line in try SecretNotes.lines(onNames: changed, in: catalog) { Console.note(line) }
    }

    private func renameStub(_ key: String, of name: ScenarioName, to new: String) throws {
      let catalog = try catalog.open()
      let old = Stub.Key(unchecked: key)
      let (written, secrets) = try catalog.changing { editor in
        let written = try editor.change(stub: old, of: name) { stub in
          var draft = StubDraft(stub)
          draft.set("key", to: .string(new))
          return try draft.stub()
        }
        return (written, try SecretNotes.lines(on: [written].compactMap(\.self), in: catalog))
      }
      let (shown, shownNew) = ValueExcerpt.distinct(old.rawValue, new)
      let stub = "stub \(TerminalText.line(shown)) of \(name)"
      Console.note(
        written != nil
          ? "Renamed \(stub) to \(TerminalText.line(shownNew))."
          : "The \(stub) has that key already; nothing was changed.")
      for line in secrets { Console.note(line) }
    }
  }
}
