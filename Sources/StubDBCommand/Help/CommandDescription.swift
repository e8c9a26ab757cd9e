import ArgumentParser
import Foundation

/// What the argument parser knows about a command: the source of help and of the manual pages.
struct CommandDescription: Decodable {
  /// An argument, option or flag.
  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      /// As it is typed, such as `--tag`.
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
  }

  var commandName: String
  var superCommands: [String]?
  var shouldDisplay: Bool
  var aliases: [String]?
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandDescription]?
  var arguments: [Argument]?

  /// The root command and, through it, all others.
  static func root() throws -> CommandDescription {
    struct Tool: Decodable {
      var command: CommandDescription
    }
    return try JSONDecoder().decode(Tool.self, from: Data(RootCommand._dumpHelp().utf8)).command
  }

  /// The command with these names, from this one on; this one where there is none.
  func command(_ names: [String]) -> CommandDescription {
    guard let name = names.first, let next = subcommands?.first(where: { $0.commandName == name })
    else { return self }
    return next.command(Array(names.dropFirst()))
  }

  /// What is typed, such as `stubdb git install`.
  var path: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

  /// The subcommands that people type, in the order of the help.
  var commands: [CommandDescription] {
    // The parser's own `help` is one that every command line has.
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  /// The arguments, a list for each heading, in the order of the help.
  var sections: [(title: String, arguments: [Argument])] {
    let shown = (arguments ?? []).filter(\.shouldDisplay)
    let common = shown.filter { $0.sectionTitle == CommonOptions.title }
    let own = shown.filter { $0.sectionTitle != CommonOptions.title }
    let sections = [
      ("Arguments", own.filter(\.isPositional)), ("Options", own.filter { !$0.isPositional }),
      (CommonOptions.title, common),
    ]
    return sections.filter { !$0.1.isEmpty }
  }

  /// How it is typed, in pieces that belong on one line: its own arguments, without what all have.
  var synopsis: [String] {
    let own = (arguments ?? []).filter {
      $0.shouldDisplay && $0.sectionTitle != CommonOptions.title && !$0.isGeneral
    }
    let few = 12
    let shown = own.count <= few ? own : own.filter { $0.isPositional || !$0.isOptional }
    return (shown.count < own.count ? ["[<options>]"] : []) + shown.map(\.synopsis)
      + (commands.isEmpty ? [] : ["<subcommand>"])
  }
}

extension CommandDescription.Argument {
  /// Whether it has no name of its own on the command line.
  var isPositional: Bool { kind == "positional" }

  /// Whether it is one that the argument parser gives to every command.
  var isGeneral: Bool { preferredName.map { ["help", "version"].contains($0.name) } ?? false }

  /// All its names with the value, such as `-l, --limit <limit>`.
  var label: String {
    let names = names ?? []
    let ordered = names.filter { $0.kind == "short" } + names.filter { $0.kind != "short" }
    return isPositional ? value : ordered.map(\.typed).joined(separator: ", ") + valueSuffix
  }

  /// What it does, its values and its default.
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

  /// As it is typed, in brackets where it may be left out.
  var synopsis: String {
    let name = isPositional ? value : (preferredName?.typed ?? "") + valueSuffix
    let text = name + (isRepeating ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }

  private var value: String { "<\(valueName ?? "")>" }
  private var valueSuffix: String { kind == "option" ? " \(value)" : "" }
}
