import ArgumentParser
import StubDBModel

/// The names of the subcommands.
enum CommandNames {
  /// Every name, in the order of the help.
  static var all: [String] {
    RootCommand.configuration.subcommands.map(name)
  }

  /// Every name, and those of the commands below them, such as `git install`.
  static var withInner: [String] {
    RootCommand.configuration.subcommands.flatMap { command in
      let inner = command.configuration.subcommands.map { "\(name(of: command)) \(name(of: $0))" }
      return [name(of: command)] + inner
    }
  }

  /// What is typed for a command, such as `git install`; nil where it is not one of ours.
  static func path(
    of command: any ParsableCommand.Type,
    among commands: [any ParsableCommand.Type] = RootCommand.configuration.subcommands
  ) -> String? {
    for candidate in commands {
      if candidate == command { return name(of: candidate) }
      if let path = path(of: command, among: candidate.configuration.subcommands) {
        return "\(name(of: candidate)) \(path)"
      }
    }
    return nil
  }

  /// The name of a subcommand.
  static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? command._commandName
  }

  /// What to say where the first argument is meant to be a command and is none; nil where it is
  /// something else.
  static func failure(for argument: String?) -> UsageFailure? {
    guard let argument, !argument.hasPrefix("-"), argument != "help", !all.contains(argument) else {
      return nil
    }
    let advice = all.nearest(to: argument).map { "Did you mean 'stubdb \($0)'?" }
    return UsageFailure(
      "There is no command \(Printable.quoted(argument)). "
        + (advice ?? "The commands are: \(all.joined(separator: ", ")).")
    )
  }
}
