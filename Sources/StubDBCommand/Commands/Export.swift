import ArgumentParser
import Foundation
import StubDBEditing
import StubDBFormats
import StubDBModel
import StubDBPublishing

extension RootCommand {
  /// Writes scenarios in other tools' formats.
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

        A name that ends in / stands for every scenario below it, and --all for the whole catalog.

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
      var options = ExportOptions()
      options.server = server
      try ExportJob(
        catalog: try catalog.openForReading(), format: format, options: options, command: self
      )
      .run()
    }

    /// Whether a path ends like the file of a format, and is no folder.
    private static func looksLikeFile(_ path: String) -> Bool {
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(
        atPath: CatalogLocator().resolve(path).path, isDirectory: &isFolder)
      guard !isThere, !path.hasSuffix("/") else { return false }
      return ["json", "har", "yaml", "yml", "zip", "txt", "sh"].contains(
        (path as NSString).pathExtension.lowercased())
    }
  }
}
