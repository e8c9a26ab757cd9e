import ArgumentParser
import Foundation
import StubDBDocuments
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBMirror
import StubDBPublishing

extension RootCommand {
  struct Schema: CommonCommand {
    static let isPaged = true
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Print the JSON Schema of a scenario document.",
      discussion: """
        An editor that knows the schema completes and checks documents while you write them.

        --vscode prints what goes into .vscode/settings.json; every editor with the language server of \
        VS Code for JSON takes the same setting. Without patterns it names the mirrors that git \
        tracks here, and files that end in .stubdb.json.

        Examples:
          stubdb schema > stubdb.schema.json
          stubdb schema --vscode
          stubdb schema --vscode 'Tests/Stubs/**/*.json'
          stubdb show checkout/paid --json     a document to begin with
        """)

    @Flag(help: "Print the setting by which VS Code uses the schema for documents.")
    var vscode = false

    @Argument(
      help: ArgumentHelp(
        "With --vscode, the files that are documents, from the top of the project.",
        valueName: "pattern"))
    var patterns: [String] = []

    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    /// Where the setting finds the schema, from the top of the project.
    private static let place = ".vscode/stubdb.schema.json"

    func checkUsage() throws {
      if !vscode, let pattern = patterns.first {
        throw ValidationError(
          "\(TerminalText.quoted(pattern)) says for which files; that goes with --vscode.")
      }
    }

    func run() throws {
      guard vscode else { return try Console.write(DocumentSchema.text) }
      let association: [(String, OrderedJSON)] = [
        ("fileMatch", .strings(patterns.isEmpty ? usualPatterns : patterns)),
        ("url", .string("./\(Self.place)")),
      ]
      try Console.write(
        OrderedJSON.object([("json.schemas", .array([.object(association)]))]).text)
      Console.note(
        "This goes into .vscode/settings.json. To put the schema beside it, at the top of the project: "
          + "mkdir -p .vscode && stubdb schema > \(Self.place)")
    }

    /// Mirrors that git tracks, without the contents in them, and the ending of documents by themselves.
    private var usualPatterns: [String] {
      let repository = try? GitRepository(
        containing: CatalogLocator().currentFolder, for: .setup)
      let markers = (try? repository?.tracked("**/\(MirrorMarker.fileName)")) ?? []
      let folders = markers.map { ($0 as NSString).deletingLastPathComponent }
      return folders.flatMap { folder in
        let start = folder.isEmpty ? "" : folder + "/"
        return ["\(start)**/*.json", "!\(start)**/*.files/**"]
      } + ["*.stubdb.json"]
    }
  }
}
