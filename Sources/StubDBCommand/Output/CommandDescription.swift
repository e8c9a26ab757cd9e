import ArgumentParser
import Foundation
import StubDBModel
import StubDBSupport

/// The argument parser's description of a command, from which help and manual pages are made.
struct CommandDescription: Decodable {
  /// An argument, option or flag.
  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      /// The name as typed, such as `--tag`.
      var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool
    var sectionTitle: String?
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var preferredName: Name?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?
    var discussion: String?
    /// The name that switches a flag off; nil if it has none.
    var inverse: Name?

    /// The flag that the argument parser adds to every command.
    fileprivate static let version = Argument(
      kind: "flag", shouldDisplay: true, isOptional: true, isRepeating: false,
      names: [Name(kind: "long", name: "version")],
      preferredName: Name(kind: "long", name: "version"), valueName: "version",
      abstract: "Show the version.")
  }

  var commandName: String
  var superCommands: [String]?
  var shouldDisplay: Bool
  var aliases: [String]?
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandDescription]?
  var arguments: [Argument]?

  /// The root command, which contains all others.
  static func root() throws -> CommandDescription { try description(of: RootCommand.self) }

  /// One command; costs much less than describing all of them.
  static func of(_ path: CommandPath) throws -> CommandDescription {
    var result = try description(of: path.command)
    if !path.names.isEmpty {
      result.superCommands = [RootCommand._commandName] + path.names.dropLast()
      // Every command has it from the root command.
      let help = result.arguments?.firstIndex { $0.names?.contains { $0.name == "help" } == true }
      let hasVersion =
        result.arguments?.contains { $0.names?.contains { $0.name == "version" } == true } == true
      if !hasVersion { result.arguments?.insert(.version, at: help ?? 0) }
    }
    return result
  }

  private static func description(
    of command: any ParsableCommand.Type
  ) throws -> CommandDescription {
    struct Tool: Decodable {
      var command: CommandDescription
    }
    return try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }

  /// The subcommand with these names; self for an empty list.
  func command(_ names: [String]) -> CommandDescription {
    guard let name = names.first, let next = subcommands?.first(where: { $0.commandName == name })
    else { return self }
    return next.command(Array(names.dropFirst()))
  }

  /// The command as typed, such as `stubdb git install`.
  var path: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

  /// The visible subcommands, in the order of the help.
  var commands: [CommandDescription] {
    // The parser adds `help` to every command.
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  /// The arguments, grouped by heading, in the order of the help.
  var sections: [(title: String, arguments: [Argument])] {
    let shown = Self.joined((arguments ?? []).filter(\.shouldDisplay))
    let common = shown.filter { $0.sectionTitle == CommonOptions.title }
    let own = shown.filter { $0.sectionTitle != CommonOptions.title }
    let sections = [
      ("Arguments", own.filter(\.isPositional)), ("Options", own.filter { !$0.isPositional }),
      (CommonOptions.title, common),
    ]
    return sections.filter { !$0.1.isEmpty }
  }

  /// The arguments, each flag with the one that switches it off.
  private static func joined(_ arguments: [Argument]) -> [Argument] {
    arguments.reduce(into: []) { result, argument in
      if let last = result.last, last.kind == "flag", argument.kind == "flag",
        let (name, inverse) = last.preferredName.flatMap({ name in
          argument.preferredName.map { (name, $0) }
        }), inverse.name == "no-\(name.name)"
      {
        result[result.count - 1].inverse = inverse
      } else {
        result.append(argument)
      }
    }
  }

  /// The usage in pieces that are not broken: the command's own arguments, without the common ones.
  var synopsis: [String] {
    let own = Self.joined(arguments ?? []).filter {
      $0.shouldDisplay && $0.sectionTitle != CommonOptions.title && !$0.isGeneral
    }
    let few = 12
    let shown = own.count <= few ? own : own.filter { $0.isPositional || !$0.isOptional }
    return (shown.count < own.count ? ["[<options>]"] : []) + shown.map(\.synopsis)
      + (commands.isEmpty ? [] : ["<subcommand>"])
  }
}

extension CommandDescription {
  /// What is wrong with the first option that the command does not have, or with an argument too many.
  func unknownWord(in words: some Sequence<String>) -> String? {
    let options = (arguments ?? []).filter { !$0.isPositional }.flatMap { argument in
      (argument.names ?? []).map { (name: $0.typed, takesValue: argument.kind == "option") }
    }
    let places = (arguments ?? []).filter(\.isPositional)
    var (isValue, count) = (false, 0)
    for word in words {
      if isValue {
        isValue = false
      } else if word == "--" {
        return nil
      } else if word.hasPrefix("--") {
        let name = String(word.prefix { $0 != "=" })
        guard let option = options.first(where: { $0.name == name }) else {
          let names = options.map(\.name).filter { $0.hasPrefix("--") }
          return "Unknown option '\(name)'."
            + OptionAdvice.text(
              on: name, of: commandName, among: names,
              takesScenario: places.first?.valueName == "scenario")
        }
        isValue = option.takesValue && name == word
      } else if word.hasPrefix("-"), word != "-" {
        // A value or further letters may follow a short option; of one that is unknown nothing is.
        guard let option = options.first(where: { word.hasPrefix($0.name) }) else {
          let isLong = options.contains { $0.name == "-\(word)" }
          // What follows the letter may be a secret, as in curl's -uNAME:PASSWORD.
          return isLong
            ? "Unknown option '\(word)'. Did you mean '-\(word)'?"
            : "Unknown option '\(word.prefix(2))'."
        }
        isValue = option.takesValue && option.name == word
      } else {
        count += 1
        if count > places.count, !places.contains(where: \.isRepeating) {
          return "Unexpected argument '\(word)'" + OptionAdvice.text(onExtra: word, of: commandName)
        }
      }
    }
    return nil
  }
}

extension CommandDescription.Argument {
  /// Whether it is positional.
  var isPositional: Bool { kind == "positional" }

  /// Whether the argument parser adds it to every command.
  var isGeneral: Bool { preferredName.map { ["help", "version"].contains($0.name) } ?? false }

  /// All names with the value, such as `-l, --limit <limit>`.
  var label: String {
    let names = names ?? []
    let ordered = names.filter { $0.kind == "short" } + names.filter { $0.kind != "short" }
    if let inverse { return ordered.map(\.typed).joined(separator: ", ") + "/" + inverse.typed }
    return isPositional ? value : ordered.map(\.typed).joined(separator: ", ") + valueSuffix
  }

  /// The description, with possible values and the default.
  var explanation: String {
    let values = (allValues ?? []).joined(separator: ", ")
    let notes = [
      values.isEmpty ? nil : "values: \(values)", defaultValue.map { "default: \($0)" },
    ].compactMap(\.self).joined(separator: "; ")
    return [abstract ?? "", discussion ?? "", notes.isEmpty ? "" : "(\(notes))"].filter {
      !$0.isEmpty
    }
    .joined(separator: " ")
  }

  /// The argument as typed, in brackets if it is optional.
  var synopsis: String {
    let inverse = inverse.map { "|\($0.typed)" } ?? ""
    let name = isPositional ? value : (preferredName?.typed ?? "") + inverse + valueSuffix
    let text = name + (isRepeating ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }

  private var value: String { "<\(valueName ?? "")>" }
  private var valueSuffix: String { kind == "option" ? " \(value)" : "" }
}

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

  /// The command, parsed by itself; nil if the root command has to parse the words.
  ///
  /// The root command finds the same. Parsing all of the tree takes twice the time, and only help and errors need it.
  func parsed() -> (any ParsableCommand)? {
    guard command.configuration.subcommands.isEmpty,
      let parsed = try? command.parseAsRoot(Array(rest)), type(of: parsed) == command
    else { return nil }
    return parsed
  }

  /// The error if the next word should be a command but is not; nil if it is something else.
  var failure: UsageError? {
    guard !command.configuration.subcommands.isEmpty, let word = rest.first, !word.hasPrefix("-")
    else { return nil }
    return noCommand(word, after: "stubdb")
  }

  /// The commands that other tools call by another word.
  private static let wordsOfOthers = [
    "cat": "show", "clean": "prune", "clear": "prune", "create": "add", "del": "remove",
    "delete": "remove", "find": "search",
    "get": "show", "grep": "search", "lint": "check", "ls": "list", "new": "add",
    "revert": "restore", "run": "play", "start": "serve", "status": "diff", "undo": "restore",
    "validate": "check", "version": "--version", "view": "show",
  ]

  /// The error for an unknown command, with the nearest name, or with the one for a word of other tools.
  func noCommand(_ word: String, after beginning: String) -> UsageError {
    let known = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let name = TerminalText.quoted((names + [word]).joined(separator: " "))
    var text = "There is no command \(name)."
    let other = Self.wordsOfOthers[word].flatMap { meant in
      names.isEmpty || known.flatMap(Self.names).contains(meant) ? meant : nil
    }
    // The parser knows `help` by itself, and no help on it.
    let all = known.flatMap(Self.names) + (names.isEmpty && beginning == "stubdb" ? ["help"] : [])
    if let nearest = other ?? all.nearest(to: word) {
      text += " Did you mean '\(([beginning] + names + [nearest]).joined(separator: " "))'?"
    } else if !known.isEmpty {
      let whose = names.isEmpty ? "" : " of stubdb \(names.joined(separator: " "))"
      text +=
        " The commands\(whose) are: \(known.map { Self.names(of: $0)[0] }.joined(separator: ", "))."
    }
    return UsageError(text)
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
