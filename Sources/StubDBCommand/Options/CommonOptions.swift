import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBJobs
import StubDBPublishing

/// The options that every command has.
struct CommonOptions: ParsableArguments {
  /// Their heading in the help.
  static let title = "Common options"

  @Option(
    name: .customShort("C", allowingJoined: true),
    help: ArgumentHelp(
      "Run as if stubdb were started in this folder; repeatable, each from the one before.",
      valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  @Option(
    name: .customLong("color"),
    help: ArgumentHelp("When to use colors.", valueName: "when"))
  var color: ColorChoice = .auto

  @Flag(help: "Do not show long output in a pager.")
  var noPager = false

  /// Changes to the folders of `-C`.
  func enterFolders() throws {
    for folder in folders {
      guard FileManager.default.changeCurrentDirectoryPath(folder) else {
        throw CommandError(
          "cannot work in the folder \(TerminalText.quoted(folder)) of -C: "
            + String(cString: strerror(errno)))
      }
    }
  }
}

extension ColorChoice: ExpressibleByArgument {
  // The parser would find them out by looking for conformances, which takes a tenth of the time of a short command.
  package static var allValueStrings: [String] { allCases.map(\.rawValue) }
  package static var allValueDescriptions: [String: String] { [:] }
  package var defaultValueDescription: String { rawValue }
}

/// A command with the common options.
protocol CommonCommand: ParsableCommand {
  var common: CommonOptions { get }
  /// Whether the output may be long, and is shown in a pager on a terminal.
  static var isPaged: Bool { get }
  /// Throws if options contradict each other or something is missing.
  ///
  /// In place of the argument parser's `validate`, which would report the consequence of an unknown option and not the
  /// option.
  func checkUsage() throws
}

extension CommonCommand {
  static var isPaged: Bool { false }
  func checkUsage() throws {}
}

/// A command that works on a catalog.
protocol CatalogCommand: CommonCommand {
  var catalog: CatalogOptions { get }
}

extension CatalogCommand {
  var common: CommonOptions { catalog.common }
}

/// A command that may change its catalog.
protocol WritingCommand: CatalogCommand {
  var writing: WritingOptions { get }
}

extension WritingCommand {
  var catalog: CatalogOptions { writing.catalog }
}

/// The options of a command that may change its catalog.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Keep no copy of what is replaced, for stubdb undo.")
  var noUndo = false

  @OptionGroup var catalog: CatalogOptions
}

/// The option that selects the catalog.
struct CatalogOptions: ParsableArguments {
  @Option(
    name: .customLong("catalog"),
    help: ArgumentHelp(
      "The catalog file, or to read one, its name in stubdb.lock (default: $STUBDB_CATALOG, else the "
        + "*.stubdb here or above).",
      valueName: "path"),
    completion: .file(extensions: ["stubdb"]))
  var path: String?

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  /// Opens the catalog for a command that changes it.
  func open() throws -> Catalog {
    let catalog = try CatalogLocator().open(path)
    DamageNote.showBeforeEdit(of: catalog)
    return catalog
  }

  /// Opens the catalog for a command that does not change it, which may be a published one by its name in `stubdb.lock`.
  func openForReading() throws -> Catalog {
    try CatalogLocator().open(path, isReading: true)
  }

  /// Where the catalog is or was, for a command that asks git about the file.
  func locateForGit() throws -> URL { try CatalogLocator().locateForGit(path) }

  /// Reads the catalog once.
  func read<Value>(_ body: (Catalog) throws(CatalogError) -> Value) throws -> Value {
    try CatalogLocator().read(path, body)
  }
}
