import ArgumentParser
import StubDBJobs
import StubDBSupport

/// What `stubdb help` says about a topic or a word that is no command.
enum HelpSearch {
  /// The help for the words after `stubdb`; nil if they ask for something else, or if nothing mentions the word.
  static func answer(to words: [String], columns: Int, style: Style) -> String? {
    let rest = words.dropFirst().filter { !$0.hasPrefix("-") }
    guard words.first == "help", rest.count == 1, let word = rest.first,
      CommandPath([word]).names.isEmpty, word != "help"
    else { return nil }
    if let page = HelpPages.all.first(where: { $0.name == word }) {
      return MarkdownText.rendered(page.text, columns: columns, heading: style.bold)
    }
    let places = places(of: word)
    guard !places.isEmpty else { return nil }
    var text = ""
    for (title, rows) in places where !rows.isEmpty {
      var table = Table([.left, .left], names: 1)
      for row in rows { table.add(["  \(row.type)", row.about]) }
      text += "\(style.bold(title))\n\(table.text(fitting: columns))\n"
    }
    return text + "To read more: stubdb help COMMAND, or the line of a topic.\n"
  }

  /// A line to type, and what it is about.
  private typealias Row = (type: String, about: String)

  private static func places(of word: String) -> [(title: String, rows: [Row])] {
    var (commands, options): ([Row], [Row]) = ([], [])
    for (name, command) in allCommands(of: RootCommand.self, after: "stubdb") {
      let configuration = command.configuration
      let about = "\(name) \(configuration.abstract) \(configuration.discussion)"
      if mentions(about, word) { commands.append((name, configuration.abstract)) }
      for option in optionLines(of: command) where mentions(option.type + " " + option.about, word)
      {
        options.append(("\(name) \(option.type)", option.about))
      }
    }
    let topics = HelpPages.all.filter { mentions("\($0.name) \($0.text)", word) }.map { page in
      let count = page.text.split(separator: "\n").count { mentions(String($0), word) }
      return ("stubdb help \(page.name)", "\(page.summary) (\(Plural.of(count, "line")))")
    }
    // Options that all commands have would be a list of all commands.
    let common = Dictionary(grouping: options, by: \.about).filter { $0.value.count > 20 }.keys
    options.removeAll { common.contains($0.about) }
    let all = [("Commands", commands), ("Options", options), ("Topics", topics)]
    return all.contains { !$0.1.isEmpty } ? all.map { (title: $0.0, rows: $0.1) } : []
  }

  private static func allCommands(
    of command: any ParsableCommand.Type, after name: String
  ) -> [(name: String, command: any ParsableCommand.Type)] {
    command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { next in
      let path = "\(name) \(next.configuration.commandName ?? "")"
      return [(path, next)] + allCommands(of: next, after: path)
    }
  }

  /// The options of a command and what they do, from its help: each is a line if that is wide enough, or two.
  private static func optionLines(of command: any ParsableCommand.Type) -> [Row] {
    var rows: [Row] = []
    let lines = RootCommand.helpMessage(for: command, columns: 1_000).split(separator: "\n")
    // Examples above have options, too.
    for line in lines.drop(while: { !$0.hasPrefix("USAGE") }) {
      let text = line.drop { $0 == " " }
      if text.startIndex == line.startIndex { continue }
      if text.hasPrefix("-") {
        let end = text.firstRange(of: "  ")?.lowerBound ?? text.endIndex
        rows.append((String(text[..<end]), String(text[end...].drop { $0 == " " })))
      } else if let last = rows.indices.last, rows[last].about.isEmpty {
        rows[last].about = String(text)
      }
    }
    return rows
  }

  /// Whether a word of a text begins with the word, in any case.
  private static func mentions(_ text: String, _ word: String) -> Bool {
    let (text, word) = (text.lowercased(), word.lowercased())
    let isWord = word.allSatisfy { $0.isLetter || $0.isNumber }
    return isWord
      ? text.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(word) }
      : text.contains(word)
  }
}
