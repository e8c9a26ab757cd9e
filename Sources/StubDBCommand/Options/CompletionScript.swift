import ArgumentParser

/// The command line as shells complete it.
///
/// The scripts that the argument parser makes of ``RootCommand`` lack what ``CommandLineWords`` and ``CommandPath`` accept
/// besides: the options before the command, and the other names of commands.
struct CompletedCommandLine: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: RootCommand.configuration.commandName,
    version: RootCommand.configuration.version,
    subcommands: RootCommand.configuration.subcommands
      + RootCommand.configuration.subcommands.flatMap { $0.underAliases })

  @OptionGroup var catalog: CatalogOptions

  /// The script that these arguments request; nil if they request none.
  static func script(for words: [String]) -> String? {
    guard words.first?.hasPrefix("--generate-completion-script") == true else { return nil }
    do {
      _ = try parseAsRoot(words)
      return nil
    } catch {
      guard exitCode(for: error).isSuccess else { return nil }
      return completingHelp(in: message(for: error))
    }
  }

  /// Offers the commands after `stubdb help`, for which the argument parser offers nothing.
  private static func completingHelp(in script: String) -> String {
    let names = RootCommand.configuration.subcommands.filter {
      $0.configuration.shouldDisplay
    }.compactMap { $0.configuration.commandName }.joined(separator: " ")
    if script.hasPrefix("#compdef") {
      return script.replacing("'*:subcommands:'\n", with: "'*:subcommands:(\(names))'\n")
    }
    if script.hasPrefix("#!/bin/bash") {
      let end = "    __stubdb_offer_flags_options -1\n}\n\ncomplete "
      let offer = """
            [[ "${positional_number}" -eq 1 ]] && COMPREPLY+=($(compgen -W '\(names)' -- "${cur}"))

        """
      return script.replacing(end, with: end.replacing("}", with: offer + "}"))
    }
    let condition = "__stubdb_should_offer_completions_for_positional \"stubdb help\" -eq 1"
    return script + "\ncomplete -c 'stubdb' -n '\(condition)' -fa '\(names)'"
  }
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
      commandName: Command.configuration.aliases.first, _superCommandName: "stubdb",
      abstract: Command.configuration.abstract)
  }

  @OptionGroup var command: Command
}
