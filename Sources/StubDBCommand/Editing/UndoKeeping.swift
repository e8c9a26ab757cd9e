import ArgumentParser
import Foundation
import StubDBCatalogEditing
import StubDBJobs
import StubDBLock
import StubDBPublishing
import StubDBSupport

/// What commands keep for `stubdb undo`.
enum UndoKeeping {
  /// The variable that switches it off with `never`.
  static let variable = "STUBDB_UNDO"

  /// The folder below which each catalog has its own: beside the objects of the cache, and one for each user of a shared
  /// cache; nil without a folder for caches.
  static var root: URL? {
    let cache = try? ObjectCache(environment: ProcessInfo.processInfo.environment)
    return cache?.folder.appendingPathComponent("undo-\(getuid())", isDirectory: true)
  }

  /// Keeps what the commands of this process replace, unless the user or the command does not want it.
  ///
  /// Commands that git calls write its temporary files, of which git has the earlier versions.
  static func begin(for command: any ParsableCommand, of path: CommandPath) {
    if path.names.first == "git" { return }
    let isRefused = (command as? any WritingCommand)?.writing.noUndo == true
    // A copy would keep the secrets that are taken out.
    let takesOut = command is RootCommand.Redact
    UndoSettings.use {
      let environment = ProcessInfo.processInfo.environment
      guard let root else { return nil }
      let words = TypedCommand(CommandLine.arguments.dropFirst()).words.map(ShellWord.quoted)
      let line = (["stubdb"] + words).joined(separator: " ")
      return UndoSettings(
        root: root, command: TerminalText.line(TerminalText.shortened(line, limit: 300)),
        keeps: !isRefused && !takesOut && environment[variable] != "never")
    }
  }
}
