import ArgumentParser
import Foundation
import StubDBFormats
import StubDBModel

extension RootCommand {
  /// Makes scenarios of other tools' files.
  struct Import: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Make scenarios of other tools' files, with a report of every loss.",
      discussion: """
        Reads \(ImportFormats.list), found by their content. A folder is read whole. \
        Everything that could not be kept is reported with its place; a stub that would answer \
        more than the original did is left out, unless --lenient. Either everything is written or nothing.

        Recorded requests become stubs that match method, URL, query and content. Equal requests \
        become one stub with their answers in order. Values that differ each time, such as the time in \
        ?t=1738456781, are not matched, and header fields of one connection are left out.

        What `stubdb scan` would find is refused: take it out with --redact, or keep it with \
        --allow-secrets. Exits with 2 where --strict is given and anything was changed or dropped.

        Examples:
          stubdb import shop.har
          stubdb import shop.har --scenario checkout/recorded --only 'POST /v1/**' --redact
          stubdb import recordings/ --prefix recorded --report losses.json
          stubdb import shop.har --dry-run
          pbpaste | stubdb import - --scenario checkout/pasted
        """)

    @Argument(
      help: ArgumentHelp("Files or folders; - is standard input.", valueName: "path"),
      completion: .file())
    var paths: [String]

    @OptionGroup(title: "What to import") var selection: ImportSelectionOptions
    @OptionGroup(title: "How to make stubs") var stubs: ImportStubOptions
    @OptionGroup(title: "What to write") var output: ImportOutputOptions
    @OptionGroup var catalog: CatalogOptions

    func validate() throws {
      if selection.scenario != nil, selection.prefix != nil {
        throw ValidationError("Give either --scenario or --prefix, not both.")
      }
      if let glob = selection.only.first(where: { !RequestGlob.canMatch($0) }) {
        throw ValidationError(
          "--only takes a URL or a path with stars in place of any text, such as "
            + "'POST https://api.shop.test/**' or '/v1/*', not \(TerminalText.quoted(glob)).")
      }
      if selection.by == .page, let split = selection.split?.value, split != .page {
        throw ValidationError("Give either --by page or --split \(split.rawValue), not both.")
      }
      if output.redact, output.allowSecrets {
        throw ValidationError("Give either --redact or --allow-secrets, not both.")
      }
      if paths.count(where: { $0 == "-" }) > 1 {
        throw ValidationError("Standard input can be read once only: give - once.")
      }
    }

    func run() throws {
      let format = try selection.importFormat()
      let job = ImportJob(
        catalog: try catalog.open(), options: try options(), output: output,
        allowedFolders: selection.allowFiles, environments: stubs.environments)
      try job.run(paths, format: format)
    }

    private func options() throws -> ImportOptions {
      var options = ImportOptions()
      try selection.apply(to: &options)
      try stubs.apply(to: &options)
      return options
    }
  }
}

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
  var split: ImportSplit?

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
    options.split = split.map(\.value)
    options.namesPages = by == .page
    options.only = only
    options.hosts = host
    options.importsAll = all
    options.allowsFolders = !allowFiles.isEmpty
  }
}

/// The values of `--by`.
enum ImportNaming: String, CaseIterable, ExpressibleByArgument {
  case file, page
}

/// The values of `--split`.
struct ImportSplit: ExpressibleByArgument {
  let value: ImportOptions.Split

  init?(argument: String) {
    guard let value = ImportOptions.Split(rawValue: argument) else { return nil }
    self.value = value
  }

  static var allValueStrings: [String] { ImportOptions.Split.allCases.map(\.rawValue) }
}

/// How requests and answers become stubs.
struct ImportStubOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Header fields of answers to keep although they differ each time, by commas; all for every one.",
      valueName: "names"))
  var keepHeaders: String?

  @Option(
    help: ArgumentHelp(
      "Header fields of requests that stubs match, by commas (default: none but those that tell answers apart).",
      valueName: "names"))
  var matchHeaders: String?

  @Option(
    help: ArgumentHelp(
      "Query parameters, form fields and JSON members not to match, by commas.", valueName: "names")
  )
  var ignoreQuery: String?

  @Flag(help: "Match every parameter, also those that look like a time or a random value.")
  var exact = false

  @Flag(help: "Match any host, for one client against several environments.")
  var anyHost = false

  @Flag(
    help: "Let writes decide between the answers to a request, with a flow in place of a sequence.")
  var flows = false

  @Flag(help: "Fail requests beyond the recorded ones.")
  var strictOrder = false

  @Flag(help: "Keep the recorded times as delays.")
  var timing = false

  @Option(
    help: ArgumentHelp(
      "Whether {{…}} in contents is filled in: auto, on or off (default: auto, where all of it is known).",
      valueName: "when"))
  var templates: TemplateChoice = .auto

  @Option(
    name: .customLong("var"),
    help: ArgumentHelp("The value of a variable of the input. Repeatable.", valueName: "name=value")
  )
  var variables: [String] = []

  @Option(
    name: .customLong("env"),
    help: ArgumentHelp(
      "A file with values of variables: an environment of Postman. Repeatable.", valueName: "path"),
    completion: .file(extensions: ["json"]))
  var environments: [String] = []

  @Option(
    help: ArgumentHelp(
      "The URL of an answer that is recorded without its request.", valueName: "url"))
  var url: String?

  @Option(help: ArgumentHelp("The method of such an answer (default: GET).", valueName: "method"))
  var method: String?

  @Option(
    help: ArgumentHelp(
      "The server of a description (default: its first one).", valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "What of a description requests must satisfy: required (parameters), body or security. Repeatable.",
      valueName: "what"))
  var require: [ImportRequirement] = []

  @Flag(help: "Make stubs of requests without an answer, too; they answer 200 without content.")
  var empty = false

  @Flag(help: "Keep stubs that answer more than the original, with a line in the report.")
  var lenient = false

  func apply(to options: inout ImportOptions) throws {
    options.keptHeaders = Self.names(keepHeaders)
    options.matchedHeaders = Self.names(matchHeaders)
    options.ignoredQuery = Self.names(ignoreQuery)
    options.isExact = exact
    options.matchesAnyHost = anyHost
    options.usesFlows = flows
    options.isOrderStrict = strictOrder
    options.keepsTiming = timing
    options.usesTemplates = templates.value
    options.url = url
    options.method = method
    options.server = server
    options.requirements = Set(require.map(\.value))
    options.keepsUnanswered = empty
    options.isLenient = lenient
    for variable in variables {
      guard let equals = variable.firstIndex(of: "="), equals > variable.startIndex else {
        throw UsageError("--var takes NAME=VALUE, not \(TerminalText.quoted(variable))")
      }
      options.variables[String(variable[..<equals])] =
        String(variable[variable.index(after: equals)...])
    }
  }

  private static func names(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}

/// The values of `--require`.
struct ImportRequirement: ExpressibleByArgument {
  let value: ImportOptions.Requirement

  init?(argument: String) {
    guard let value = ImportOptions.Requirement(rawValue: argument) else { return nil }
    self.value = value
  }

  static var allValueStrings: [String] { ImportOptions.Requirement.allCases.map(\.rawValue) }
}

/// The values of `--templates`.
enum TemplateChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, on, off

  var value: Bool? {
    switch self {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}

/// What an import writes, and what it prints.
struct ImportOutputOptions: ParsableArguments {
  @Flag(help: "Put the scenarios in place of those that exist.")
  var replace = false

  @Flag(help: "Take secrets out before anything is written.")
  var redact = false

  @Flag(help: "Write secrets that a scan finds.")
  var allowSecrets = false

  @Flag(help: "Write nothing if anything was changed or dropped; exit with 2.")
  var strict = false

  @Flag(help: "Write nothing; print the documents.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("Write the whole report to this file, as a JSON array.", valueName: "path"),
    completion: .file(extensions: ["json"]))
  var report: String?

  @Flag(
    help:
      "Print the report as a JSON array of {level, file, pointer, line, scenario, key, id, text}.")
  var json = false

  @Flag(help: "List what was ignored, too.")
  var verbose = false
}
