import ArgumentParser
import StubDBJobs
import StubDBSupport

/// What `stubdb help` says about a topic or a word that is no command.
enum HelpSearch {
  /// The word that lists the topics.
  private static let list = "topics"

  /// The words after `stubdb`, where `help` is asked for a command, with its name as it is written: in small letters.
  static func withNames(_ words: [String]) -> [String] {
    guard words.first == "help" else { return words }
    let small = words.map { $0.hasPrefix("-") ? $0 : $0.lowercased() }
    let count = { (words: [String]) in
      CommandPath(words.dropFirst().filter { !$0.hasPrefix("-") }).names.count
    }
    return count(small) > count(words) ? small : words
  }

  /// The help for the words after `stubdb`; nil if they ask for something else, or if nothing mentions them.
  static func answer(to words: [String], columns: Int, style: Style) -> String? {
    let rest = words.dropFirst().filter { !$0.hasPrefix("-") }
    guard words.first == "help", !rest.isEmpty, CommandPath(rest).names.isEmpty, rest != ["help"]
    else { return nil }
    let name = rest.joined(separator: "-").lowercased()
    if let page = HelpPages.all.first(where: { $0.name == name }) {
      return MarkdownText.rendered(page.text, columns: columns, heading: style.bold)
    }
    if name == list {
      let rows = HelpPages.all.map { (type: "stubdb help \($0.name)", about: $0.summary) }
      return text(of: [("Topics", rows)], columns, style)
    }
    var index = HelpIndex()
    add(subcommandsOf: RootCommand.self, after: "stubdb", to: &index)
    for page in HelpPages.all {
      index.add(topic: page.name, summary: page.summary, text: page.text)
    }
    let places = index.places(of: rest.joined(separator: " "))
    guard !places.isEmpty else { return nil }
    return text(of: places, columns, style)
      + "To read more: stubdb help COMMAND, or the line of a topic.\n"
  }

  /// The error for words that no help mentions; nil if they ask for something else.
  static func error(for words: [String]) -> UsageError? {
    let rest = words.dropFirst().filter { !$0.hasPrefix("-") }
    guard words.first == "help", !rest.isEmpty, CommandPath(rest).names.isEmpty, rest != ["help"]
    else { return nil }
    let word = rest.joined(separator: " ")
    let known = CommandPath.commandNames + HelpPages.all.map(\.name)
    let advice =
      (CommandPath.wordsOfOthers[word] ?? known.nearest(to: word))
      .map { "Did you mean 'stubdb help \($0)'?" }
      ?? "'stubdb help \(list)' lists the topics, and 'stubdb help' the commands."
    return UsageError(
      "There is no command and no topic \(TerminalText.quoted(word)), and no help mentions it. "
        + advice)
  }

  private static func text(
    of places: [(title: String, rows: [HelpIndex.Row])], _ columns: Int, _ style: Style
  ) -> String {
    var text = ""
    for (title, rows) in places where !rows.isEmpty {
      let indent = min((rows.map { $0.type.columns }.max() ?? 0) + 4, columns / 2)
      text += "\(style.bold(title))\n"
      for row in rows { text += entry(row, indent, columns) }
      text += "\n"
    }
    return text
  }

  /// A name and what it is about, which begins at `indent` and goes on there in further lines.
  private static func entry(_ row: HelpIndex.Row, _ indent: Int, _ columns: Int) -> String {
    var about: [String] = []
    for word in row.about.split(separator: " ").map(String.init) {
      if let last = about.last, last.columns + 1 + word.columns <= columns - indent {
        about[about.count - 1] = "\(last) \(word)"
      } else {
        about.append(word)
      }
    }
    let name = "  \(row.type)"
    let (space, gap) = (String(repeating: " ", count: indent), indent - name.columns)
    guard gap >= 2, !about.isEmpty else {
      return ([name] + about.map { space + $0 }).joined(separator: "\n") + "\n"
    }
    about[0] = name + String(repeating: " ", count: gap) + about[0]
    return about.joined(separator: "\n\(space)") + "\n"
  }

  private static func add(
    subcommandsOf command: any ParsableCommand.Type, after name: String, to index: inout HelpIndex
  ) {
    for next in command.configuration.subcommands where next.configuration.shouldDisplay {
      let (path, configuration) = (
        "\(name) \(next.configuration.commandName ?? "")", next.configuration
      )
      index.add(
        command: path, abstract: configuration.abstract, discussion: configuration.discussion,
        help: RootCommand.helpMessage(for: next, columns: 1_000))
      add(subcommandsOf: next, after: path, to: &index)
    }
  }
}
