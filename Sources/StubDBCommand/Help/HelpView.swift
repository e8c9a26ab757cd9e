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
      let rows = command.commands.flatMap { command in
        row(
          ([command.commandName] + (command.aliases ?? [])).joined(separator: ", "),
          command.abstract ?? "")
      }
      paragraphs.append(["SUBCOMMANDS:"] + rows)
      let names = command.path.split(separator: " ")
      let help = (["stubdb", "help"] + names.dropFirst() + ["<subcommand>"]).joined(separator: " ")
      paragraphs.append(HelpText.wrapped("See '\(help)' for detailed help.", to: width, indent: 2))
    }
    return paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
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
