import ArgumentParser
import Foundation
import StubDBJobs
import Testing

@testable import StubDBCommand

struct HelpTests {
  /// All commands with their subcommands, such as `git install`.
  static let all = RootCommand.configuration.subcommands.flatMap { command in
    let name = command.configuration.commandName ?? ""
    return [name]
      + command.configuration.subcommands.map { "\(name) \($0.configuration.commandName ?? "")" }
  }

  private static let commands = [[]] + all.map { $0.split(separator: " ").map(String.init) }

  /// What `help` prints for a command; tests below compare this with real runs.
  static func help(_ names: [String], width: Int) -> String {
    RootCommand.helpMessage(for: CommandPath(names).command, columns: width) + "\n"
  }

  @Test func everyCommandIsInAGroup() {
    let help = Self.help([], width: 80)
    #expect(RootCommand.configuration.ungroupedSubcommands.isEmpty)
    for group in ["BEGIN", "LOOK", "CHANGE", "RECORD AND IMPORT", "SHARE", "SERVE"] {
      #expect(help.contains("\n\(group) SUBCOMMANDS:\n"))
    }
  }

  @Test func aFlagAndTheOneThatSwitchesItOffAreOneEntry() throws {
    let help = Self.help(["serve"], width: 80)
    #expect(
      help.contains(
        """
          --read-only/--no-read-only
                                  Refuse changes of the catalog, or allow them
        """), "\(help)")
    #expect(help.components(separatedBy: "Refuse changes of the catalog").count == 2)
    let add = Self.help(["set"], width: 80)
    #expect(
      add.contains("--template/--no-template\n") && add.contains("--required/--no-required\n"))
  }

  @Test func topicsAreNamedAsCommandsAre() throws {
    let box = try Sandbox()
    let list = CommandResult(out: Self.help(["list"], width: 40))
    for words in [["help", "list"], ["list", "--help"], ["help", "ls"], ["list", "-h"]] {
      let help = try box.run(
        executable: Sandbox.binary, arguments: words, environment: ["COLUMNS": "40"])
      #expect(help == list, "\(words)")
    }
    let install = CommandResult(out: Self.help(["git", "install"], width: 80))
    #expect(try box.run("git", "install", "--help") == install)
    let git = CommandResult(out: Self.help(["git"], width: 80))
    #expect(try box.run("help", "git") == git && box.run("git") == git)
    #expect(try box.run("help", "Git") == git && box.run("help", "GIT", "Install") == install)
    let all = CommandResult(out: Self.help([], width: 80))
    #expect(try box.run("help") == all && box.run("--help") == all)
  }

  @Test(arguments: [
    (["help", "lsit"], "'stubdb help list'"),
    (["help", "git", "instal"], "'stubdb help git install'"),
    (["git", "instal"], "'stubdb git install'"), (["lst"], "'stubdb list'"),
  ])
  func whatDoesNotExistGetsTheNearest(words: [String], advice: String) throws {
    let box = try Sandbox()
    let result = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(result.code == 64 && result.out == "")
    #expect(result.err.contains("Did you mean \(advice)?"), "\(result)")
  }

  @Test func aTopicOfNothingIsAnError() throws {
    let box = try Sandbox()
    #expect(try box.run("help", "nope").code == 64)
    #expect(try box.run("help", "list", "checkout/paid").code == 64)
    #expect(try box.run("git", "nope").err.contains("The commands of stubdb git are: install, "))
  }

  @Test func everyCommandHasTheCommonOptions() throws {
    let plain = [
      ["ca"], ["cache"], ["git"], ["key"], ["remote"], ["git", "merge-driver"],
      ["git", "textconv"],
      ["git", "pre-commit"],
    ]
    for command in Self.commands.dropFirst() where !plain.contains(command) {
      let help = Self.help(command, width: 80)
      let common = try #require(help.components(separatedBy: "COMMON OPTIONS:\n").last)
      for option in ["-C <folder>", "--color <when>", "--no-pager"] {
        #expect(common.contains("\n  \(option)") || common.hasPrefix("  \(option)"), "\(command)")
      }
    }
  }
}

/// `stubdb help` on what is no command.
struct HelpTopicTests {
  private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs")

  private func help(_ word: String, _ columns: Int = 80) throws -> CommandResult {
    try Sandbox().run("help", word, environment: ["COLUMNS": "\(columns)"])
  }

  /// The pages of topics that have another name.
  private static let pages = [
    "documents": "scenarios", "environment": "command-line", "exit-codes": "command-line",
    "ledger": "coverage", "mirrors": "mirror",
  ]

  @Test(arguments: HelpPages.all.map(\.name))
  func topicsAreThePages(name: String) throws {
    let page = Self.docs.appendingPathComponent("\(Self.pages[name] ?? name).md")
    let topic = try #require(HelpPages.all.first { $0.name == name })
    #expect(
      try String(contentsOf: page, encoding: .utf8).contains(topic.text), "run scripts/embed-files")
    let shown = try help(name)
    #expect(shown.code == 0 && shown.err == "")
    // Code is as it is; nothing else is wider than the terminal, or a link.
    let wide = shown.out.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("    ") }
    #expect(wide == [], "\(wide)")
    let texts = shown.out.split(separator: "\n").filter { !$0.hasPrefix("    ") }
    #expect(texts.filter { $0.contains("](") || $0.hasPrefix("<") } == [])
  }

  @Test func aTopicIsNoCommand() {
    let commands = Set(CommandPath.commandNames)
    #expect(HelpPages.all.filter { commands.contains($0.name) }.isEmpty)
  }

  @Test func topicsAreListed() throws {
    let list = try help("topics", 200)
    #expect(list.code == 0 && list.out.contains("  stubdb help sweeps "), "\(list)")
  }

  @Test(arguments: [40, 80]) func whatTopicsAreAboutIsWhole(columns: Int) throws {
    let list = try help("topics", columns).out
    let words = list.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for page in HelpPages.all {
      #expect(words.contains("stubdb help \(page.name) \(page.summary)"), "\(list)")
    }
    #expect(list.split(separator: "\n").filter { $0.count > columns } == [])
  }

  @Test func severalWordsAreATopicOrSearched() throws {
    let box = try Sandbox()
    #expect(try box.run("help", "exit", "codes").out == help("exit-codes").out)
    #expect(try box.run("help", "usage", "ledger").out.contains("  stubdb help ledger "))
  }

  @Test func whatNothingMentionsIsAnErrorThatSaysWhatThereIs() throws {
    let unknown = try help("zebra")
    #expect(
      unknown.err.hasPrefix(
        """
        Error: There is no command and no topic "zebra", and no help mentions it. \
        'stubdb help topics' lists the topics
        """), "\(unknown)")
    #expect(try help("ageign").err.contains("Did you mean 'stubdb help ageing'?"))
  }

  @Test func pagesBecomePlainText() {
    let page = """
      ## Title

      On this page: [One](#one)

      A **bold** word, `a|b [x](y)` and a [link](page.md#x) that go on.

      * an item
        of two lines

      | name | rule | no value |
      |---|---|---|
      | `a\\|b` | text | yes |

      ![an image](images/x.png)

      <details><summary>more</summary>

      ```sh
      hidden
      ```

      </details>

      <!-- file: x -->
      ```json
      { }
      ```
      """
    #expect(
      MarkdownText.rendered(page, columns: 30) { $0 } == """
        Title

        A bold word, a|b [x](y) and a
        link that go on.

        * an item of two lines

          a|b
              rule: text
              no value: yes

            { }

        """)
  }

  @Test func aWordIsFoundInCommandsOptionsAndTopics() throws {
    let found = try help("priority", 200)
    #expect(found.code == 0, "\(found)")
    #expect(found.out.contains("  stubdb set --priority"), "\(found)")
    #expect(found.out.contains("  stubdb help matching"), "\(found)")
    #expect(!found.out.contains("Retry-After"), "an example is no option")
    #expect(found.out.hasSuffix("or the line of a topic.\n"))
    let commands = try help("findings", 200).out
    #expect(commands.contains("  stubdb redact "), "\(commands)")
    #expect(try help("zebra").code == 64)
  }
}
