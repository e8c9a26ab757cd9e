import ArgumentParser
import Foundation

/// The help of a command, laid out for a width.
struct HelpView {
  private let command: CommandDescription
  private let width: Int

  /// The largest width, because wider lines are hard to read.
  private static let maximumWidth = 100
  private static let minimumWidth = 20

  /// The help for a number of columns; 80 if neither `COLUMNS` nor a terminal gives one.
  init(_ command: CommandDescription, width: Int? = Terminal.width()) {
    self.command = command
    self.width = min(max(width ?? 80, Self.minimumWidth), Self.maximumWidth)
  }

  /// The help, with a line end.
  var text: String {
    var paragraphs = [HelpText.wrapped("OVERVIEW: \(command.abstract ?? "")", to: width)]
    if let discussion = command.discussion, !discussion.isEmpty {
      paragraphs.append(HelpText(width: width).lines(of: discussion))
    }
    paragraphs.append(usage)
    for section in command.sections {
      let rows = section.arguments.flatMap { row($0.label, $0.explanation) }
      paragraphs.append(["\(section.title.uppercased()):"] + rows)
    }
    if !command.commands.isEmpty {
      for group in groups {
        let rows = group.commands.flatMap { command in
          row(
            ([command.commandName] + (command.aliases ?? [])).joined(separator: ", "),
            command.abstract ?? "")
        }
        paragraphs.append(["\(group.title.uppercased()):"] + rows)
      }
      let names = command.path.split(separator: " ")
      let help = (["stubdb", "help"] + names.dropFirst() + ["<subcommand>"]).joined(separator: " ")
      paragraphs.append(HelpText.wrapped("See '\(help)' for detailed help.", to: width, indent: 2))
    }
    return paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// The subcommands by what they are for; those of all commands but the root one in one group.
  private var groups: [(title: String, commands: [CommandDescription])] {
    guard (command.superCommands ?? []).isEmpty else { return [("Subcommands", command.commands)] }
    let byName = Dictionary(command.commands.map { ($0.commandName, $0) }) { first, _ in first }
    return RootCommand.groups.map { group in
      (group.title, group.commands.compactMap { byName[$0._commandName] })
    }
  }

  /// The usage of the command.
  private var usage: [String] {
    HelpText.wrapped(
      pieces: ["USAGE: \(command.path)"] + command.synopsis, to: width, hanging: 7)
  }

  /// A label with its description beside or below it.
  private func row(_ label: String, _ explanation: String) -> [String] {
    let column = width >= 60 ? 26 : 8
    let lines = HelpText.wrapped(explanation, to: width, indent: column)
    let labels = HelpText.wrapped(label, to: width, indent: 2)
    guard let first = lines.first, let last = labels.last else { return labels }
    guard last.count + 2 <= column else { return labels + lines }
    let beside = last + String(repeating: " ", count: column - last.count) + first.dropFirst(column)
    return labels.dropLast() + [beside] + lines.dropFirst()
  }
}

/// Wraps help texts to the width of the terminal.
///
/// Lines that begin with two spaces are examples. They are kept if they fit. Otherwise an explanation moves below its
/// command, and the command is broken between words with `\` at the line ends, so that it can still be pasted into a
/// shell.
struct HelpText {
  let width: Int

  private static let exampleIndent = 2
  private static let continuationIndent = 6

  /// The text in lines.
  func lines(of text: String) -> [String] {
    var result: [String] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    while let line = lines.popFirst() {
      guard line.hasPrefix("  ") else {
        result += line.isEmpty ? [""] : Self.wrapped(line, to: width)
        continue
      }
      var written = [line]
      while written.last?.hasSuffix(" \\") == true, let next = lines.popFirst() {
        written.append(next)
      }
      result += example(written)
    }
    return result
  }

  /// The words on lines no longer than the width, except for longer words.
  static func wrapped(_ text: String, to width: Int, indent: Int = 0) -> [String] {
    let pieces = text.split(separator: " ").map(String.init)
    let lines = wrapped(pieces: pieces, to: width - indent, hanging: 0)
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }

  /// Unbreakable pieces on lines; all lines but the first are indented.
  static func wrapped(
    pieces: [String], to width: Int, hanging: Int, ending: String = ""
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    for (index, piece) in pieces.enumerated() {
      let reserved = index == pieces.count - 1 ? 0 : ending.count
      if line.isEmpty {
        line = piece
      } else if line.count + 1 + piece.count + reserved <= width {
        line += " " + piece
      } else {
        lines.append(line + ending)
        line = String(repeating: " ", count: hanging) + piece
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// An example as written if it fits, rearranged otherwise.
  private func example(_ written: [String]) -> [String] {
    if written.allSatisfy({ $0.count <= width }) { return written }
    let joined = written.map { line in
      Self.trimmed(line.hasSuffix(" \\") ? String(line.dropLast(2)) : line)
    }.joined(separator: " ")
    let (command, comment) = written.count == 1 ? Self.parts(joined) : (joined, nil)
    let pieces = Self.shellWords(command)
    let indent = String(repeating: " ", count: Self.exampleIndent)
    let lines = Self.wrapped(
      pieces: pieces, to: width - Self.exampleIndent,
      hanging: Self.continuationIndent - Self.exampleIndent, ending: " \\")
    let below = comment.map {
      Self.wrapped($0, to: width, indent: Self.continuationIndent)
    }
    return lines.map { indent + $0 } + (below ?? [])
  }

  /// A command and its explanation, which three or more spaces separate.
  private static func parts(_ line: String) -> (command: String, comment: String?) {
    guard let gap = line.firstRange(of: "   ") else { return (line, nil) }
    return (String(line[..<gap.lowerBound]), trimmed(String(line[gap.upperBound...])))
  }

  /// The words of a shell command with their quotes; the whole command if a quote is not closed.
  static func shellWords(_ command: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    for character in command {
      if character == " " && quote == nil {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      word.append(character)
      if quote == character {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
    }
    if quote != nil { return [command] }
    return word.isEmpty ? words : words + [word]
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
