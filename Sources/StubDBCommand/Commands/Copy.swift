import ArgumentParser
import StubDBEditing
import StubDBJobs
import StubDBModel

extension RootCommand {
  struct Copy: WritingCommand {
    static let configuration = CommandConfiguration(
      commandName: "copy",
      abstract: "Copy a scenario, or several, under new names.",
      discussion: """
        A name that ends with / means everything below it, and as the last word the area of the copies.

        Examples:
          stubdb copy checkout/paid checkout/paid-slowly
          stubdb copy checkout/ checkout-v2/
          stubdb copy checkout/paid orders/open v2/
          stubdb set checkout/paid-slowly post-v1-charges --delay 3s
        """,
      aliases: ["cp"])

    @Argument(
      help: ArgumentHelp(
        "The scenario to copy, or several, and last the name of the copy.", valueName: "scenario"),
      completion: .scenarioNames)
    var words: [String]

    @OptionGroup var writing: WritingOptions

    func checkUsage() throws { try ScenarioTargets.validate(words) }

    func run() throws {
      let catalog = try catalog.open()
      let pairs = try ScenarioTargets(words, in: catalog, for: "copy").pairs
      try catalog.changing { try $0.copy(pairs) }
      for line in ChangedNames.lines("Copied", pairs) { Console.note(line) }
      for line in try SecretNotes.lines(onNames: pairs, in: catalog) { Console.note(line) }
    }
  }
}

/// What is said of scenarios with new names.
enum ChangedNames {
  /// The number of scenarios that are listed one by one.
  private static let maximumLines = 20

  static func lines(_ verb: String, _ pairs: [(old: ScenarioName, new: ScenarioName)]) -> [String] {
    pairs.map { "\(verb) \($0.old) to \($0.new)." }.cut(to: maximumLines)
  }
}
