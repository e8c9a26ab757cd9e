internal import StubDBSupport

/// The help of all commands and topics, to be searched for a word.
package struct HelpIndex {
  /// A line to type, and what it is about.
  package typealias Row = (type: String, about: String)

  private var commands: [(row: Row, text: String)] = []
  private var options: [Row] = []
  private var topics: [(name: String, summary: String, text: String)] = []

  package init() {}

  /// Adds a command; `help` is what the argument parser prints for it, in lines that are not broken.
  package mutating func add(
    command name: String, abstract: String, discussion: String, help: String
  ) {
    commands.append(((name, abstract), "\(name) \(abstract) \(discussion)"))
    options += Self.options(in: help).map { ("\(name) \($0.type)", $0.about) }
  }

  /// Adds a page of the manual.
  package mutating func add(topic name: String, summary: String, text: String) {
    topics.append((name, summary, text))
  }

  /// What mentions the word; empty if nothing does.
  package func places(of word: String) -> [(title: String, rows: [Row])] {
    let commands = commands.filter { Self.mentions($0.text, word) }.map(\.row)
    var options = options.filter { Self.mentions($0.type + " " + $0.about, word) }
    let topics = topics.filter { Self.mentions("\($0.name) \($0.text)", word) }.map { topic in
      let count = topic.text.split(separator: "\n").count { Self.mentions(String($0), word) }
      return ("stubdb help \(topic.name)", "\(topic.summary) (\(Plural.of(count, "line")))")
    }
    // Options that all commands have would be a list of all commands.
    let common = Dictionary(grouping: options, by: \.about).filter { $0.value.count > 20 }.keys
    options.removeAll { common.contains($0.about) }
    let all = [("Commands", commands), ("Options", options), ("Topics", topics)]
    return all.contains { !$0.1.isEmpty } ? all.map { (title: $0.0, rows: $0.1) } : []
  }

  /// The options of a command and what they do, from its help: each is a line if that is wide enough, or two.
  private static func options(in help: String) -> [Row] {
    var rows: [Row] = []
    // Examples above have options, too.
    for line in help.split(separator: "\n").drop(while: { !$0.hasPrefix("USAGE") }) {
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
