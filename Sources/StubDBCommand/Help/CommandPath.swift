import ArgumentParser
import StubDBModel
import StubDBSupport

/// A command as typed, such as `git install`, with the words that follow.
struct CommandPath {
  /// The names of the command, without `stubdb`; empty for the root command.
  private(set) var names: [String] = []
  /// The command.
  private(set) var command: any ParsableCommand.Type = RootCommand.self
  /// The words after the names.
  private(set) var rest: ArraySlice<String>

  /// Follows the words as long as they name commands or aliases.
  init(_ words: some Sequence<String>) {
    rest = Array(words)[...]
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: {
        Self.names(of: $0).contains(word)
      })
    {
      names.append(Self.names(of: next)[0])
      command = next
      rest.removeFirst()
    }
  }

  /// The error if the next word should be a command but is not; nil if it is something else.
  var failure: UsageFailure? {
    guard !command.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-")
    else { return nil }
    return noCommand(word, after: "stubdb")
  }

  /// The error for an unknown command, with the nearest name.
  func noCommand(_ word: String, after beginning: String) -> UsageFailure {
    let known = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let name = Printable.quoted((names + [word]).joined(separator: " "))
    var text = "There is no command \(name)."
    if let nearest = known.flatMap(Self.names).nearest(to: word) {
      text += " Did you mean '\(([beginning] + names + [nearest]).joined(separator: " "))'?"
    } else if !known.isEmpty {
      let whose = names.isEmpty ? "" : " of stubdb \(names.joined(separator: " "))"
      text +=
        " The commands\(whose) are: \(known.map { Self.names(of: $0)[0] }.joined(separator: ", "))."
    }
    return UsageFailure(text)
  }

  /// All commands with their subcommands, such as `git install`, in the order of the help.
  static var all: [String] {
    RootCommand.configuration.subcommands.flatMap { command in
      let name = names(of: command)[0]
      return [name] + command.configuration.subcommands.map { "\(name) \(names(of: $0)[0])" }
    }
  }

  /// The words that show its help.
  var help: String { (["stubdb"] + names + ["--help"]).joined(separator: " ") }

  /// The name of a subcommand, and its aliases.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    let configuration = command.configuration
    return [configuration.commandName ?? command._commandName] + configuration.aliases
  }
}
