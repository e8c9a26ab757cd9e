import Foundation
import Testing

@testable import StubDBCommand

struct HelpTests {
  private static let commands =
    [[]] + CommandPath.all.map { $0.split(separator: " ").map(String.init) }

  /// Made once, because the parser describes all commands together.
  private static let root = Result { try CommandDescription.root() }

  /// What `help` prints for a command; tests below compare this with real runs.
  static func help(_ names: [String], width: Int) throws -> String {
    HelpView(try root.get().command(names), width: width).text
  }

  /// Whether a line is too long; one with a word that is longer than the line is not.
  private func tooLong(_ line: Substring, _ width: Int) -> Bool {
    line.count > width && line.split(separator: " ").contains { $0.count < width / 2 }
      && !line.contains("'") && line.split(separator: " ").count > 1
  }

  @Test(arguments: commands)
  func fitsAnyTerminal(command: [String]) throws {
    for width in [40, 72] {
      let lines = try Self.help(command, width: width).split(separator: "\n")
      #expect(lines.filter { tooLong($0, width) } == [], "at \(width) columns")
      let examples = lines.drop { !$0.hasPrefix("Example") }.dropFirst()
        .prefix { !$0.hasPrefix("USAGE") }
      // Broken examples can still be copied: a line continues after a backslash, or below its command.
      for (line, next) in zip(examples, examples.dropFirst()) where line.hasSuffix("\\") {
        #expect(next.hasPrefix("    "))
      }
    }
  }

  @Test func aFlagAndTheOneThatSwitchesItOffAreOneEntry() throws {
    let help = try Self.help(["serve"], width: 80)
    #expect(
      help.contains(
        """
          --read-only/--no-read-only
                                  Refuse changes of the catalog, or allow them
        """), "\(help)")
    #expect(help.components(separatedBy: "Refuse changes of the catalog").count == 2)
    let add = try Self.help(["set"], width: 80)
    #expect(
      add.contains("--template/--no-template\n") && add.contains("--required/--no-required\n"))
  }

  @Test func topicsAreNamedAsCommandsAre() throws {
    let box = try Sandbox()
    let list = CommandResult(out: try Self.help(["list"], width: 40))
    for words in [["help", "list"], ["list", "--help"], ["help", "ls"], ["list", "-h"]] {
      let help = try box.run(
        executable: Sandbox.binary, arguments: words, environment: ["COLUMNS": "40"])
      #expect(help == list, "\(words)")
    }
    let install = CommandResult(out: try Self.help(["git", "install"], width: 80))
    #expect(try box.run("git", "install", "--help") == install)
    let git = CommandResult(out: try Self.help(["git"], width: 80))
    #expect(try box.run("help", "git") == git && box.run("git") == git)
    let all = CommandResult(out: try Self.help([], width: 80))
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
      let help = try Self.help(command, width: 80)
      let common = try #require(help.components(separatedBy: "COMMON OPTIONS:\n").last)
      for option in ["-C <folder>", "--color <when>", "--no-pager"] {
        #expect(common.contains("\n  \(option)") || common.hasPrefix("  \(option)"), "\(command)")
      }
    }
  }
}
