import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Import: WritingCommand {
    static let configuration = CommandConfiguration(
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
          stubdb import shop.har --scenario checkout/live --only 'POST /v1/**' --redact
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
    @OptionGroup var writing: WritingOptions

    func checkUsage() throws {
      if selection.scenario != nil, selection.prefix != nil {
        throw ValidationError("Give either --scenario or --prefix, not both.")
      }
      if let glob = selection.only.first(where: { !RequestGlob.canMatch($0) }) {
        throw ValidationError(
          "--only takes a URL or a path with stars in place of any text, such as "
            + "'POST https://api.shop.test/**' or '/v1/*', not \(TerminalText.quoted(glob)).")
      }
      if selection.by == .page, let split = selection.split, split != .page {
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
      let catalog = try catalog.open()
      let progress = ProgressLine("Importing")
      defer { progress.end() }
      let job = ImportJob(
        into: catalog, options: try options(), settings: output.settings,
        exceptions: output.allowSecrets ? nil : try ExceptionsFile(beside: catalog.url)
      ) { progress.show($0) }
      let log = ReportLog()
      log.listsIgnored = output.verbose
      log.progress = { progress.show($0) }
      let prepared: ImportJob.Prepared
      do {
        let inputs = try inputs(format, log)
        try output.report.map(OutputFile.init)?.requireOther(
          than: [catalog.url] + inputs.map { CatalogLocator().resolve($0.file) })
        prepared = try job.prepare(inputs, format: format, log: log)
      } catch let error as FormatError {
        let text = error.description { SecretDisplay.text($0) }
        if error.isUsage { throw UsageError(text) }
        throw CommandError(text, hints: ["Nothing was written."])
      } catch let problem as ImportProblem {
        throw error(problem)
      }
      progress.end()
      prepared.redaction?.note()
      try write(prepared, by: job, progress)
    }

    private func inputs(
      _ format: (any ImportFormat)?, _ log: ReportLog
    ) throws -> [ImportInput] {
      let locator = CatalogLocator()
      let files = ImportFiles(
        allowed: selection.allowFiles.map(locator.resolve), format: format, log: log)
      var seen: Set<String> = []
      let inputs = try paths.filter { seen.insert(locator.resolve($0).path).inserted }
        .flatMap { path in
          path == "-"
            ? [try standardInput(log)] : try files.inputs(at: locator.resolve(path), named: path)
        }
      return try inputs
        + stubs.environments.map { try files.environment(at: locator.resolve($0), named: $0) }
    }

    private func standardInput(_ log: ReportLog) throws -> ImportInput {
      try ImportInput(
        file: "standard input", path: [],
        bytes: try DocumentSource.standardInput(limit: ImportInput.maximumByteCount),
        log: log)
    }

    private func write(
      _ prepared: ImportJob.Prepared, by job: ImportJob, _ progress: ProgressLine
    ) throws {
      let report = prepared.result.report
      if prepared.isRefused {
        try output.show(report)
        Console.note("Nothing was written: \(report.summary), and --strict allows no loss.")
        throw ExitCode(2)
      }
      if output.dryRun {
        if !output.json { try Console.write(Self.text(of: prepared.scenarios)) }
        try output.show(report)
        return Console.note("Would import \(report.summary). Nothing was written.")
      }
      // The report comes first: a catalog that is written without it would say nothing of its losses.
      try output.show(report)
      if prepared.scenarios.allSatisfy({ $0.stubs.isEmpty }) { throw nothing(report) }
      let names: [ScenarioName]
      do {
        names = try job.write(prepared)
      } catch let problem as ImportProblem {
        throw error(problem)
      }
      progress.end()
      guard !names.isEmpty else {
        return Console.note("Nothing to do: \(report.summary), all in the catalog already.")
      }
      Console.note("Imported \(report.summary).")
      if let name = prepared.main?.name.rawValue {
        Console.note(
          "Next: " + FollowUp.command("show", on: [name], catalog: job.catalog.url))
        Console.note("      in a test: @Test(.scenario(\"\(name)\"))")
      }
    }

    private static func text(of scenarios: [Scenario]) -> String {
      let documents = scenarios.map(ScenarioDocument.encode)
      guard documents.count != 1 else { return documents[0] }
      let list = documents.map {
        $0.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
      }
      return list.isEmpty ? "[]\n" : "[\n\(list.joined(separator: ",\n"))\n]\n"
    }

    /// Says that there is nothing to write, and why.
    private func nothing(_ report: LossReport) -> CommandError {
      guard selection.only.isEmpty, selection.host.isEmpty else {
        return CommandError(
          "no request of the input is one of --only and --host; nothing was written")
      }
      return CommandError(
        report.lines.contains { $0.level == .dropped }
          ? "there is nothing to import, because everything was left out; nothing was written"
          : "there is nothing to import; nothing was written")
    }

    private func options() throws -> ImportOptions {
      var options = ImportOptions()
      try selection.apply(to: &options)
      try stubs.apply(to: &options)
      return options
    }

    private func error(_ problem: ImportProblem) -> CommandError {
      switch problem {
      case .secrets(let findings):
        CommandError(
          "\(Plural.of(findings.count, "secret")) in what would be imported; nothing was written",
          hints: findings.map { FindingView.line($0) }.cut(to: 10) + [
            FollowUp.again("To take them out before anything is written", adding: "--redact"),
            FollowUp.again("To write them all the same", adding: "--allow-secrets"),
          ])
      case .keptSecret(let place):
        CommandError(
          "nothing was imported: nothing valid would be left without the secret at "
            + FindingView.place(place),
          hints: ["Change this place first, or write it with --allow-secrets"])
      case .exist(let names):
        CommandError(
          "\(names.count == 1 ? "scenario" : "scenarios") \(names.map(\.rawValue).listed(upTo: 5)) "
            + "already \(names.count == 1 ? "exists" : "exist"), with other stubs; nothing was written",
          hints: besides + [
            FollowUp.again("To put the new ones in their place", adding: "--replace")
          ])
      }
    }

    /// How to keep those that are there and the new ones.
    private var besides: [String] {
      guard selection.scenario == nil, selection.prefix == nil else { return [] }
      return [
        FollowUp.again(
          "To keep both, with new names such as new/shop", adding: ["--prefix", "new"],
          leavingOut: ["--prefix"])
      ]
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

  fileprivate var settings: ImportJob.Settings {
    var settings = ImportJob.Settings()
    (settings.replaces, settings.redacts, settings.isStrict) = (replace, redact, strict)
    return settings
  }

  fileprivate func show(_ report: LossReport) throws {
    let shown = ReportOutput(path: self.report, isVerbose: verbose)
    guard json else { return try shown.show(report) }
    try shown.writeFile(report)
    try Console.write(shown.text(of: report))
  }
}

extension ProgressLine {
  fileprivate func show(_ progress: ImportJob.Progress) {
    switch progress {
    case .reading(let text): show(text)
    case .files(let done, let count): show(done, of: count, "file")
    case .searching(let done, let count):
      show("\(done) of \(count) scenarios searched for secrets")
    case .writing(let done, let count): show("writing \(done) of \(count) scenarios")
    }
  }
}

extension ImportRedaction {
  private static let maximumPlaceCount = 10

  /// Says what was taken out, and which places may have any value.
  fileprivate func note() {
    if !places.isEmpty {
      Console.note(
        "Took out \(Plural.of(count, "secret")) in \(Plural.of(places.count, "place")):")
      Self.note(places.map { "  " + FindingView.line($0) })
    }
    guard !freed.isEmpty else { return }
    Console.note(
      "Requests may have any value where the client had the secret before an answer gave it:")
    Self.note(
      freed.map { scenario, key, place in
        "  \(Style.notes.bold("\(scenario) \(TerminalText.line(key.rawValue))")) "
          + TerminalText.line(place.description)
      })
    if stubCount > remainingStubCount {
      Console.note(
        "Stubs that ask for the same then are one: \(stubCount) became \(remainingStubCount).")
    }
  }

  private static func note(_ lines: [String]) {
    let rest = CutList.end(lines.count - maximumPlaceCount, indent: "  ")
    for line in lines.prefix(maximumPlaceCount) + rest { Console.note(line) }
  }
}
