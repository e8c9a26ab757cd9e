import ArgumentParser
import Foundation

/// The manual page of a command, made from the argument parser's description.
///
/// In the macros of man(7), which groff and mandoc read: https://man7.org/linux/man-pages/man7/man.7.html
struct ManualPage {
  private let command: CommandDescription
  private let seeAlso: [String]

  /// Writes the pages of all commands to a folder, which is created if necessary.
  static func writeAll(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(CommandDescription.root(), seeAlso: [], to: folder)
  }

  private static func write(
    _ command: CommandDescription, seeAlso: [String], to folder: URL
  ) throws {
    let page = ManualPage(command: command, seeAlso: seeAlso)
    let file = folder.appendingPathComponent("\(page.name).1")
    try Data(page.text.utf8).write(to: file, options: .atomic)
    for subcommand in command.commands {
      try write(subcommand, seeAlso: seeAlso + [page.name], to: folder)
    }
  }

  /// A name such as `stubdb-git-install`.
  private var name: String { command.path.replacing(" ", with: "-") }

  private var text: String {
    var lines = [
      ".TH \(Self.escaped(name.uppercased())) 1 \"\" \"stubdb \(RootCommand.configuration.version)\"",
      ".SH NAME",
      "\(Self.escaped(name)) \\- \(Self.escaped(command.abstract ?? ""))",
      ".SH SYNOPSIS",
      ".B \(Self.escaped(command.path))",
    ]
    if !command.synopsis.isEmpty {
      lines.append(Self.escaped(command.synopsis.joined(separator: " ")))
    }
    if let discussion = command.discussion, !discussion.isEmpty {
      lines += [".SH DESCRIPTION"] + Self.description(discussion)
    }
    for section in command.sections {
      lines.append(".SH \(Self.escaped(section.title.uppercased()))")
      for argument in section.arguments {
        lines += Self.entry(argument.label, argument.explanation)
      }
    }
    if !command.commands.isEmpty { lines.append(".SH COMMANDS") }
    for subcommand in command.commands {
      let names = [subcommand.path.replacing(" ", with: "-") + "(1)"] + (subcommand.aliases ?? [])
      lines += Self.entry(names.joined(separator: ", "), subcommand.abstract ?? "")
    }
    if !seeAlso.isEmpty {
      let pages = seeAlso.map { ".BR \(Self.escaped($0)) (1)" }
      lines += [".SH SEE ALSO"] + pages
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A label with its description indented below.
  private static func entry(_ label: String, _ text: String) -> [String] {
    [".TP", "\\fB\(escaped(label))\\fR", escaped(text)]
  }

  /// Paragraphs, with examples kept as written.
  private static func description(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let wasExample = isExample
      isExample = line.hasPrefix("  ")
      if isExample && !wasExample { lines += [".RS 4", ".nf"] }
      if wasExample && !isExample { lines += [".fi", ".RE"] }
      switch line {
      case "": lines.append(".PP")
      case _ where isExample: lines.append(escaped(String(line.dropFirst(2))))
      default: lines.append(escaped(line))
      }
    }
    return lines + (isExample ? [".fi", ".RE"] : [])
  }

  /// The text escaped for roff, with a minus and straight quotes that can be copied to a shell.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
        result +=
          "\\[u\(String(repeating: "0", count: max(0, 4 - hexadecimal.count)))\(hexadecimal)]"
      }
    }
    // A line that begins with a dot would be a macro.
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
