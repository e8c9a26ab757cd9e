import Foundation
import StubDBCatalog
import StubDBEngine

/// Commands that are printed for the user to type next.
enum FollowUp {
  /// The command, quoted for a shell, so that it works as printed from the current folder.
  ///
  /// `words` are the subcommand and its arguments, not quoted. `--catalog` is added only if the command would not find
  /// this file without it; nil for a command without a catalog.
  static func command(_ words: [String], catalog: URL?) -> String {
    let option = catalog.map { isFound($0) ? [] : ["--catalog", CatalogLocator.display($0)] } ?? []
    return (["stubdb"] + words + option).map(ShellQuoting.quote).joined(separator: " ")
  }

  /// The same for an open catalog.
  static func command(_ words: String..., in catalog: Catalog) -> String {
    command(words, catalog: catalog.url)
  }

  /// A line with the running command and additional options, without secrets.
  ///
  /// `purpose` says what it is for, such as `Then again`.
  static func again(_ purpose: String, adding options: String...) -> String {
    let typed = TypedCommand(CommandLine.arguments.dropFirst())
    let command = (["stubdb"] + typed.words + options).map(ShellQuoting.quote)
    return "\(purpose)\(typed.conditions): \(command.joined(separator: " "))"
  }

  /// The report on an unmatched request; its commands name the catalog only if necessary.
  static func report(on event: ServeEvent, of run: ScenarioRun) -> UnmatchedReport {
    var report = run.report(on: event)
    report.commandsNameCatalog =
      !(report.catalog.map { isFound(URL(fileURLWithPath: $0)) } ?? true)
    return report
  }

  /// Whether a command in this folder finds the catalog without an option.
  private static func isFound(_ catalog: URL) -> Bool {
    (try? CatalogLocator().locate(nil))?.path == catalog.path
  }
}
