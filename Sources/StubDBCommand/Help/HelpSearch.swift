import ArgumentParser
import StubDBJobs

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
    var index = HelpIndex()
    add(subcommandsOf: RootCommand.self, after: "stubdb", to: &index)
    for page in HelpPages.all {
      index.add(topic: page.name, summary: page.summary, text: page.text)
    }
    let places = index.places(of: word)
    guard !places.isEmpty else { return nil }
    var text = ""
    for (title, rows) in places where !rows.isEmpty {
      var table = Table([.left, .left], names: 1)
      for row in rows { table.add(["  \(row.type)", row.about]) }
      text += "\(style.bold(title))\n\(table.text(fitting: columns))\n"
    }
    return text + "To read more: stubdb help COMMAND, or the line of a topic.\n"
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
