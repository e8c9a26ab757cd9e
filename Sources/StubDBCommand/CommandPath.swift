import ArgumentParser
import StubDBJobs
import StubDBSupport

/// A command as typed, such as `git install`, with the words that follow.
struct CommandPath {
  /// The names of the command, without `stubdb`; empty for the root command.
  private(set) var names: [String] = []
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

  /// The words that show the help of the command.
  var help: String { (["stubdb"] + names + ["--help"]).joined(separator: " ") }

  /// The command, parsed by itself; nil if the root command has to parse the words.
  ///
  /// The root command finds the same. Parsing the whole tree takes twice the time, and only help and errors need it.
  func parsed() -> (any ParsableCommand)? {
    guard command.configuration.subcommands.isEmpty,
      let parsed = try? command.parseAsRoot(Array(rest)), type(of: parsed) == command
    else { return nil }
    return parsed
  }

  /// Throws if the next word, or the topic of `help`, should be a command and is not.
  ///
  /// The argument parser reports an unexpected argument, and shows the help of all commands for an unknown topic.
  func requireCommand() throws(UsageError) {
    if names.isEmpty, rest.first == "help" {
      if let error = HelpSearch.error(for: Array(rest)) { throw error }
      let topic = CommandPath(rest.dropFirst().filter { !$0.hasPrefix("-") })
      if let word = topic.rest.first { throw topic.noCommand(word, after: "stubdb help") }
    } else if !command.configuration.subcommands.isEmpty, let word = rest.first,
      !word.hasPrefix("-")
    {
      throw noCommand(word, after: "stubdb")
    }
  }

  /// The names of all commands, and their aliases.
  static var commandNames: [String] {
    RootCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .flatMap { names(of: $0) }
  }

  /// Commands by the words for them in other tools.
  static let wordsOfOthers = [
    "cat": "show", "clean": "prune", "clear": "prune", "create": "add", "del": "remove",
    "delete": "remove", "find": "search", "get": "show", "grep": "search", "lint": "check",
    "new": "add", "revert": "restore", "run": "play", "start": "serve", "status": "diff",
    "validate": "check", "version": "--version", "view": "show",
  ]

  /// The error for an unknown command, with the nearest name, or with the one for a word of other tools.
  private func noCommand(_ word: String, after beginning: String) -> UsageError {
    let known = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let all = known.flatMap(Self.names)
    guard !known.isEmpty else {
      let command = (["stubdb"] + names).joined(separator: " ")
      return UsageError("\(command) has no commands of its own. See '\(command) --help'.")
    }
    var text =
      "There is no command \(TerminalText.quoted((names + [word]).joined(separator: " ")))."
    let other = Self.wordsOfOthers[word].flatMap { names.isEmpty || all.contains($0) ? $0 : nil }
    // The parser adds `help`, and has no help on it.
    if let nearest = other
      ?? (all + (beginning == "stubdb" ? ["help"] : [])).nearest(to: word)
    {
      text += " Did you mean '\(([beginning] + names + [nearest]).joined(separator: " "))'?"
    } else {
      let whose = names.isEmpty ? "" : " of stubdb \(names.joined(separator: " "))"
      text +=
        " The commands\(whose) are: \(known.map { Self.names(of: $0)[0] }.joined(separator: ", "))."
    }
    return UsageError(text)
  }

  /// The name of a subcommand, and its aliases.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName ?? ""] + command.configuration.aliases
  }
}
