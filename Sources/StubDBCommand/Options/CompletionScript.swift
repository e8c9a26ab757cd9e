import ArgumentParser

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
