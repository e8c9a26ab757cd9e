import ArgumentParser
import Foundation
import StubDBFormats
import StubDBModel

extension RootCommand {
  /// Makes scenarios from other tools' files.
  struct Import: CatalogCommand {
    static let configuration = CommandConfiguration.subcommand(
      commandName: "import",
      abstract: "Make scenarios from other tools' files, with a report of every loss.",
      discussion: """
        Reads \(ImportFormats.list), found by their content. A folder is read whole. \
        Everything that could not be kept is reported with its place; a stub that would answer \
        more than the original did is left out, unless --lenient. Either everything is written or nothing.

        Recorded requests become stubs that match method, URL, query and content. Equal requests \
        become one stub with their answers in order. Values that differ each time, such as the time in \
        ?t=1738456781, are not matched, and header fields of one connection are left out.

        What `stubdb scan` would find is refused: take it out with --redact, or keep it with \
        --allow-secrets. Exits with 2 where --strict is given and anything was changed or dropped.

        Each stub is asked for what it was made from, or for an example; one that does not answer is \
        reported as changed. A stub without an example is `untried`: the report says so, and --strict \
        accepts it.

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
