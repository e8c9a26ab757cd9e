import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel
import StubDBPublishing

extension CompletionKind {
  /// The scenarios of the catalog that the completed command line works on.
  static var scenarioNames: CompletionKind {
    .custom { words, _, prefix in
      scenarios(for: words).map(\.name.rawValue).filter { $0.hasPrefix(prefix) }
    }
  }

  /// The keys of the scenario that the completed command line names.
  static var stubKeys: CompletionKind {
    .custom { words, _, prefix in
      let scenarios = scenarios(for: words)
      guard
        let name = scenarios.map(\.name).first(where: { words.contains($0.rawValue) }),
        let scenario = try? catalog(for: words).scenario(named: name)
      else { return [] }
      return scenario.stubs.map(\.key.rawValue).filter { $0.hasPrefix(prefix) }
    }
  }

  /// The tags of the catalog that the completed command line works on.
  static var tags: CompletionKind {
    .custom { words, _, prefix in
      Set(scenarios(for: words).flatMap(\.tags)).sorted().filter { $0.hasPrefix(prefix) }
    }
  }

  /// Likely search texts: tags and names of scenarios.
  static var searchTexts: CompletionKind {
    .custom { words, _, prefix in
      let scenarios = scenarios(for: words)
      let texts = Set(scenarios.flatMap(\.tags) + scenarios.map(\.name.rawValue))
      return texts.sorted().filter { $0.hasPrefix(prefix) }
    }
  }

  /// Empty if no catalog can be read, because completion cannot report errors.
  private static func scenarios(for words: [String]) -> [ScenarioSummary] {
    (try? catalog(for: words).scenarios()) ?? []
  }

  /// The catalog of the command line, relative to the folders of its `-C`.
  private static func catalog(for words: [String]) throws -> Catalog {
    var locator = CatalogLocator()
    for (option, folder) in zip(words, words.dropFirst()) where option == "-C" {
      locator.currentFolder = locator.resolve(folder + "/")
    }
    let beginning = "--catalog="
    let path =
      zip(words, words.dropFirst()).first { $0.0 == "--catalog" }?.1
      ?? words.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
    return try locator.open(path)
  }
}

/// The command line as shells complete it.
///
/// It adds what ``CommandLineWords`` and ``CommandPath`` accept and the argument parser does not complete: the options
/// before the command, and the other names of commands.
struct CompletedCommandLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: RootCommand.configuration.commandName,
    subcommands: RootCommand.configuration.subcommands
      + RootCommand.configuration.subcommands.flatMap { $0.underAliases })

  @OptionGroup var catalog: CatalogOptions
}

extension ParsableCommand {
  /// The command under its alias; empty if it has none.
  fileprivate static var underAliases: [any ParsableCommand.Type] {
    configuration.aliases.isEmpty ? [] : [CommandAlias<Self>.self]
  }
}

/// A command under its first alias.
struct CommandAlias<Command: ParsableCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Command.configuration.aliases.first,
      abstract: Command.configuration.abstract)
  }

  @OptionGroup var command: Command
}
