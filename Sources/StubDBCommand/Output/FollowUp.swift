import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSupport

/// Commands that are printed for the user to type next.
enum FollowUp {
  /// How each command begins: `stubdb`, and `-C` if the user is in another folder.
  ///
  /// All paths after it are relative to the current folder.
  static var programWords: [String] { ["stubdb"] + StartFolder.option }

  /// The same, quoted for a shell.
  static var program: String { text(programWords) }

  /// The command, quoted for a shell, so that it works as printed in the user's folder.
  ///
  /// `words` are the subcommand and its arguments, not quoted. `--catalog` is added only if the command would not find
  /// this file without it; nil for a command without a catalog.
  static func command(_ words: [String], catalog: URL? = nil) -> String {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return text(programWords + words[..<end] + option(for: catalog) + words[end...])
  }

  /// The same for a command on names and keys, which may begin with `-`.
  static func command(
    _ name: String, on arguments: [String], _ options: [String] = [], catalog: URL? = nil
  ) -> String {
    text(programWords + [name] + CommandWords.arranged(arguments, options + option(for: catalog)))
  }

  private static func option(for catalog: URL?) -> [String] {
    catalog.map { catalog in
      isFound(catalog)
        ? []
        : ["--catalog", PublishedCatalog.name(of: catalog) ?? CatalogLocator.relativePath(catalog)]
    } ?? []
  }

  private static func text(_ words: [String]) -> String {
    words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// The same for an open catalog.
  static func command(_ words: String..., in catalog: Catalog) -> String {
    command(words, catalog: catalog.url)
  }

  /// The command that shows a stub that a loaded scenario has, perhaps of another catalog: the whole scenario if the key
  /// looks like a secret, which is not printed.
  static func show(
    _ key: String, of origin: ScenarioName, in catalog: Catalog, besides loaded: LoadedScenario
  ) -> String {
    var (name, url) = (origin, catalog.url)
    if let reference = ScenarioReference(origin.rawValue), let catalog = reference.catalog,
      let other = loaded.otherCatalogs.first(where: { $0.name == catalog })
    {
      (name, url) = (reference.name, URL(fileURLWithPath: other.path))
    }
    let isShown = SecretDisplay.text(key) == key
    return command("show", on: [name.rawValue] + (isShown ? [key] : []), catalog: url)
  }

  /// A command of git on the file, such as `add`.
  static func git(_ words: String..., on file: URL) -> String {
    git(words + [CatalogLocator.relativePath(file)])
  }

  /// The same for a list of words.
  static func git(_ words: [String]) -> String { text(["git"] + StartFolder.option + words) }

  /// A line with the running command and additional options, without secrets.
  ///
  /// `purpose` says what it is for, such as `Then again`.
  static func again(_ purpose: String, adding options: String...) -> String {
    again(purpose, adding: options)
  }

  /// The same for a list of options, and without some that were typed.
  static func again(
    _ purpose: String, adding options: [String], leavingOut names: Set<String> = []
  ) -> String {
    var typed = TypedCommand(CommandLine.arguments.dropFirst())
    typed.change(adding: options, leavingOut: names)
    return "\(purpose)\(typed.conditions): \(text(["stubdb"] + typed.words))"
  }

  /// The report on an unmatched request; its commands name the catalog only if necessary.
  static func report(on event: ServeEvent, of run: ScenarioRun) -> UnmatchedReport {
    var report = run.report(on: event)
    report.programWords = programWords
    guard let catalog = report.catalog.map({ URL(fileURLWithPath: $0) }) else {
      report.commandsNameCatalog = false
      return report
    }
    report.commandsNameCatalog = !isFound(catalog)
    report.catalog = PublishedCatalog.name(of: catalog) ?? report.catalog
    return report
  }

  /// Whether a command in this folder finds the catalog without an option.
  private static func isFound(_ catalog: URL) -> Bool {
    (try? CatalogLocator().locate(nil))?.path == catalog.path
  }
}

extension TerminalText {
  /// The path of a file: relative if it is below the current folder.
  ///
  /// A published catalog that is read from the cache has its name in `stubdb.lock`, with which it was chosen.
  static func path(_ url: URL) -> String {
    PublishedCatalog.name(of: url) ?? line(CatalogLocator.relativePath(url))
  }
}

/// The folder of the user, if `-C` made another one the current folder.
enum StartFolder {
  /// Its path; nil if it is the current folder.
  @TaskLocal static var path: String?

  /// A path as a program without `-C` needs it: absolute if the user is in another folder.
  static func path(to file: String) -> String {
    option.isEmpty ? file : CatalogLocator().resolve(file).path
  }

  /// `-C` with the current folder, for a command to be typed; empty if the user is there already.
  static var option: [String] {
    let current = FileManager.default.currentDirectoryPath
    guard let path, path != current else { return [] }
    let prefix = path == "/" ? path : path + "/"
    return [
      "-C",
      path != "" && current.hasPrefix(prefix) ? String(current.dropFirst(prefix.count)) : current,
    ]
  }
}
