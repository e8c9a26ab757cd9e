import ArgumentParser
import StubDBEditing
import StubDBFormats
import StubDBJobs
import StubDBModel

/// What of the inputs is imported, and into which scenarios.
struct ImportSelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format (default: found by the content): \(ImportFormats.all.map(\.name).joined(separator: ", ")).",
      valueName: "name"))
  var format: String?

  @Option(
    help: "The one scenario that everything goes into.", completion: .scenarioNames,
    transform: ScenarioName.argument)
  var scenario: ScenarioName?

  @Option(
    help: "The beginning of the scenarios' names, such as recorded for recorded/shop.",
    transform: ScenarioName.argument)
  var prefix: ScenarioName?

  @Option(
    help: ArgumentHelp(
      "Make a scenario for each: page, host, tag, folder or none (default: as the format has it).",
      valueName: "what"))
  var split: ImportOptions.Split?

  @Option(
    help: ArgumentHelp(
      "What names the scenarios of recordings: file or page (default: file).", valueName: "what"))
  var by: ImportNaming = .file

  @Option(
    help: ArgumentHelp(
      "Only requests like this, 'POST https://api.shop.test/**' or '/v1/*'. Repeatable.",
      valueName: "method url"))
  var only: [String] = []

  @Option(help: ArgumentHelp("Only requests to this host. Repeatable.", valueName: "name"))
  var host: [String] = []

  @Flag(help: "Keep what only browsers ask for: images, scripts, preflights.")
  var all = false

  @Option(
    name: .customLong("allow-files"),
    help: ArgumentHelp(
      "Read files in this folder that an input names, too. Repeatable.", valueName: "folder"),
    completion: .directory)
  var allowFiles: [String] = []

  func importFormat() throws -> (any ImportFormat)? {
    guard let format else { return nil }
    if let found = ImportFormats.named(format) { return found }
    throw UsageError(
      "There is no format \(TerminalText.quoted(format)); formats are "
        + ImportFormats.all.map(\.name).joined(separator: ", "))
  }

  func apply(to options: inout ImportOptions) throws {
    if let scenario { options.naming = .single(scenario.rawValue) }
    if let prefix { options.naming = .prefix(prefix.rawValue) }
    options.split = split
    options.only = only
    options.hosts = host
    options.set([.by: by == .page, .all: all, .allowFiles: !allowFiles.isEmpty])
  }
}

extension ImportOptions {
  /// Adds the options that are given.
  mutating func set(_ given: KeyValuePairs<ImportOption, Bool>) {
    for (option, isGiven) in given where isGiven { flags.insert(option) }
  }
}

/// The values of `--by`.
enum ImportNaming: String, CaseIterable, ExpressibleByArgument {
  case file, page
}

extension ImportOptions.Split: ExpressibleByArgument {}
