import Foundation
import Testing

@testable import StubDBCommand

struct HelpTests {
  private static let commands =
    [[]] + CommandPath.all.map { $0.split(separator: " ").map(String.init) }

  /// A word that is longer than the line cannot be helped.
  private func tooLong(_ line: Substring, _ width: Int) -> Bool {
    line.count > width && line.split(separator: " ").contains { $0.count < width / 2 }
      && !line.contains("'") && line.split(separator: " ").count > 1
  }

  @Test(arguments: commands)
  func fitsAnyTerminal(command: [String]) throws {
    let box = try Sandbox()
    for width in [40, 72] {
      let help = try box.run(
        executable: Sandbox.binary, arguments: ["help"] + command,
        environment: ["COLUMNS": String(width)])
      #expect(help.code == 0 && help.err == "")
      let lines = help.out.split(separator: "\n")
      #expect(lines.filter { tooLong($0, width) } == [], "at \(width) columns")
      let examples = lines.drop { !$0.hasPrefix("Example") }.dropFirst()
        .prefix { !$0.hasPrefix("USAGE") }
      // What is broken can still be copied: a line goes on behind a backslash, or below its command.
      for (line, next) in zip(examples, examples.dropFirst()) where line.hasSuffix("\\") {
        #expect(next.hasPrefix("    "))
      }
    }
  }

  @Test func topicsAreNamedAsCommandsAre() throws {
    let box = try Sandbox()
    #expect(try box.run("help", "list") == box.run("list", "--help"))
    #expect(try box.run("help", "ls") == box.run("list", "-h"))
    #expect(try box.run("help", "git", "install") == box.run("git", "install", "--help"))
    #expect(try box.run("help") == box.run("--help"))
    #expect(try box.run("help", "git") == box.run("git"))
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
    let plain = [["git"], ["git", "merge-driver"], ["git", "textconv"], ["git", "pre-commit"]]
    let box = try Sandbox()
    for command in Self.commands.dropFirst() where !plain.contains(command) {
      let help = try box.run(executable: Sandbox.binary, arguments: ["help"] + command).out
      let common = try #require(help.components(separatedBy: "COMMON OPTIONS:\n").last)
      for option in ["-C <folder>", "--color <when>", "--no-pager"] {
        #expect(common.contains("\n  \(option)") || common.hasPrefix("  \(option)"), "\(command)")
      }
    }
  }
}
