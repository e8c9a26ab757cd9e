import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBDocuments
import StubDBGit
import StubDBJSON
import StubDBJobs
import StubDBPublishing

struct GitTextconv: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "textconv",
    abstract: "Print all scenarios of a catalog as canonical text; git calls it.",
    shouldDisplay: false)

  @Argument(help: "The file, under any name.")
  var file: String

  // Git would show nothing if this failed, so errors are part of the text.
  func run() throws {
    let url = CatalogLocator().resolve(file)
    // The file is empty for a version that does not exist.
    if url.isEmptyFile { return }
    do {
      let snapshot = try CatalogSnapshot(contentsOf: url)
      if !snapshot.conflicts.isEmpty { try Console.write(Self.text(snapshot.conflicts)) }
      for scenario in snapshot.scenarios {
        if let scenario = try snapshot.scenario(named: scenario.name) {
          try Console.write(ScenarioDocument.encode(scenario))
        }
      }
    } catch let error as CatalogError {
      // The file has a random name that git made up.
      let message = error.message.replacing(url.path, with: "of this revision")
      try Console.line("(stubdb cannot show this: \(TerminalText.line(message)))")
    }
  }

  private static func text(_ conflicts: [Conflict]) -> String {
    OrderedJSON.object([("conflicts", .array(conflicts.map(\.json)))]).text
  }
}
