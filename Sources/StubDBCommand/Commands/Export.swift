import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBEditing
import StubDBFiles
import StubDBFormats
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

extension RootCommand {
  struct Export: CatalogCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write scenarios in other tools' formats, with a report of every loss.",
      discussion: """
        Writes the scenarios, with all that they include, as \(ExportFormats.list). Everything that the \
        format cannot say is reported with its place in the stub's document: what is changed, such as \
        an example in place of a pattern, and what is dropped. A stub that would answer more than it does here is left out.

        One file goes to standard output unless --output names it; a format of several files needs \
        --output FOLDER, which is made. Other files of a folder are left alone. An export that would \
        write over a file with other content, or leave mappings or contracts of the same scenarios that \
        it no longer has, writes nothing, unless --replace. \
        The same scenarios always give the same bytes.

        A name that ends in / means every scenario below it, and --all for the whole catalog.

        What the catalog has is written, secrets too; a note says so. Exits with 2 where --strict is \
        given and anything was changed or dropped.

        Examples:
          stubdb export checkout/paid --format har --output paid.har
          stubdb export checkout/paid --format curl
          stubdb export checkout/paid session/signed-in --format postman \\
            --output shop.json --report losses.json
          stubdb export checkout/ --format wiremock --output mock
        """)

    @Argument(
      help: "The scenarios; checkout/ is every one below it.", completion: .scenarioNames,
      transform: ScenarioSelection.init(argument:))
    var scenarios: [ScenarioSelection] = []

    @Flag(help: "Export every scenario.")
    var all = false

    @Option(
      help: ArgumentHelp(
        "The format: \(ExportFormats.all.map(\.name).joined(separator: ", ")).", valueName: "name"),
      completion: .list(ExportFormats.all.map(\.name)))
    var format: String

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The file or the folder to write (default: standard output).", valueName: "path"),
      completion: .file())
    var output: String?

    @Option(
      help: ArgumentHelp(
        "Scheme and host for stubs that answer any host, such as https://api.shop.test.",
        valueName: "url"))
    var server: String?

    @Flag(help: "Write over files that have other content, and remove what an earlier export left.")
    var replace = false

    @Flag(help: "Write nothing if anything was changed or dropped; exit with 2.")
    var strict = false

    @Option(
      help: ArgumentHelp(
        "Write the whole report to this file, as a JSON array.", valueName: "path"),
      completion: .file(extensions: ["json"]))
    var report: String?

    @Flag(help: "List what was ignored, too.")
    var verbose = false

    @OptionGroup var catalog: CatalogOptions

    func checkUsage() throws {
      if scenarios.isEmpty != all {
        throw ValidationError(
          all ? "Name scenarios or give --all, not both." : "Name the scenarios, or give --all.")
      }
      if let server {
        let parts = URLParts(server)
        guard parts?.scheme != nil, parts?.host != nil, parts?.path == "/", parts?.query == []
        else {
          throw ValidationError(
            "--server takes scheme and host, such as https://api.shop.test, not \(TerminalText.quoted(server))."
          )
        }
      }
    }

    func run() throws {
      guard let format = ExportFormats.named(format) else {
        throw UsageError(
          "There is no format \(TerminalText.quoted(format)) to export; formats are "
            + ExportFormats.all.map(\.name).joined(separator: ", "))
      }
      if format.layout == .folder, output ?? "-" == "-" {
        throw UsageError("\(format.name) is a folder of files: name it with --output FOLDER.")
      }
      if format.layout == .folder, let output, Self.looksLikeFile(output) {
        let folder = (output as NSString).deletingPathExtension
        throw UsageError(
          "\(format.name) is a folder of files, and \(TerminalText.quoted(output)) looks like one file: "
            + "name the folder, as in --output \(TerminalText.quoted(folder)).")
      }
      try export(catalog.openForReading(), as: format)
    }

    private func export(_ catalog: Catalog, as format: any ExportFormat) throws {
      let output = output.flatMap {
        $0 == "-" ? nil : ExportJob.Output($0, at: CatalogLocator().resolve($0))
      }
      try report.map(OutputFile.init)?.requireOther(
        than: [catalog.url] + [output?.url].compactMap(\.self))
      let scenarios = try catalog.selected(all ? [.below("")] : scenarios, for: "export")
      var options = ExportOptions()
      options.server = server
      let job = ExportJob(
        from: catalog.url, as: format, options: options, to: output, replaces: replace)
      let progress = ProgressLine("Exporting")
      defer { progress.end() }
      let log = ReportLog()
      log.progress = { progress.show($0) }
      let prepared = try job.prepare(scenarios, isWhole: all, log: log)
      progress.end()
      let (result, summary) = (prepared.result, prepared.result.report.summary)
      try ReportOutput(path: report, isVerbose: verbose).show(result.report)
      if strict, result.report.hasLosses {
        Console.note("Nothing was written: \(summary), and --strict allows no loss.")
        throw ExitCode(2)
      }
      if output == nil {
        for file in result.files {
          try Console.write(String(decoding: file.content, as: UTF8.self))
        }
      }
      try job.write(prepared)
      note(prepared, format)
      let count = try ExportJob.secretCount(
        of: scenarios, ExceptionsFile(beside: catalog.url))
      guard count > 0 else { return }
      Console.note(
        "Careful: \(Plural.of(count, "secret")) of the catalog \(count == 1 ? "is" : "are") in the export; "
          + FollowUp.command("scan", in: catalog) + " lists them.")
    }

    private func note(_ prepared: ExportJob.Prepared, _ format: any ExportFormat) {
      let summary = prepared.result.report.summary
      let shown = output.flatMap { $0 == "-" ? nil : TerminalText.quoted($0) }
      switch (shown, format.layout) {
      case (nil, _): Console.note("Exported \(summary).")
      case (let shown?, .file): Console.note("Exported \(summary), to \(shown).")
      case (let shown?, .folder):
        let files = Plural.of(prepared.result.files.count, "file")
        Console.note("Exported \(summary), as \(files) in \(shown).")
      }
      guard let leftovers = prepared.leftovers, !leftovers.paths.isEmpty else { return }
      let files = Plural.of(leftovers.paths.count, "file")
      Console.note(
        "Removed \(files) of an earlier export: \(TerminalText.line(leftovers.list)).")
    }

    /// Whether a path ends like the file of a format, and is no folder.
    private static func looksLikeFile(_ path: String) -> Bool {
      let isThere = PathStatus(CatalogLocator().resolve(path).path) != nil
      guard !isThere, !path.hasSuffix("/") else { return false }
      return ["json", "har", "yaml", "yml", "zip", "txt", "sh"].contains(
        (path as NSString).pathExtension.lowercased())
    }
  }
}
