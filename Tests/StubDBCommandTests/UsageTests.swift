import Foundation
import StubDBTestSupport
import Testing

struct UsageTests {
  private static let commands = [
    "init", "add", "list", "show", "match", "search", "check", "edit", "set", "tag", "rename",
    "copy", "remove", "upgrade", "schema", "demo", "import", "export",
  ]

  @Test(arguments: commands)
  func helpHasExamplesAndFitsATerminal(command: String) throws {
    let help = HelpTests.help([command], width: 80)
    #expect(help.hasPrefix("OVERVIEW: "))
    #expect(help.contains("\n  stubdb \(command)"))
    let long = help.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("USAGE") }
    #expect(long == [])
  }

  @Test func withoutACommandThereIsHelp() throws {
    let box = try Sandbox()
    let result = try box.run()
    #expect(result.code == 0 && result.err == "")
    for command in Self.commands {
      let line = try Regex("\n  \(command)[ ,]", as: Substring.self)
      try firstMatch(of: line, in: result.out)
    }
  }

  @Test func versionIsANumber() throws {
    let box = try Sandbox()
    #expect(try box.run("--version") == CommandResult(out: "0.1.0\n"))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["--version", "list --version", "--generate-completion-script zsh"])
  func whatCannotBeWrittenIsNotPassedOver(words: String) throws {
    let result = try Sandbox().shell("stubdb \(words) >/dev/full")
    #expect(result.code == 1)
    #expect(result.err.hasPrefix("Error: cannot write to standard output: "), "\(result)")
  }

  @Test func aCommandThatDoesNotExistGetsTheNearest() throws {
    let box = try Sandbox()
    #expect(
      try box.run("lsit")
        == CommandResult(
          err: """
            Error: There is no command "lsit". Did you mean 'stubdb list'?
              See 'stubdb --help' for more information.

            """, code: 64))
    #expect(try box.run("delete", "a/b").err.contains("Did you mean 'stubdb remove'?"))
    #expect(
      try box.run("frobnicate").err.hasPrefix(
        "Error: There is no command \"frobnicate\". The commands are: demo, init, add, "))
    let help = try box.run(executable: Sandbox.binary, arguments: ["help", "hlep"])
    #expect(help.code == 64 && !help.err.contains("help help"), "\(help)")
  }

  @Test func usageErrorsExitWith64() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("list", "--jsno")
        == CommandResult(
          err: """
            Error: Unknown option '--jsno'. Did you mean '--json'?
            Usage: stubdb list [<prefix>] [--tag <tag> ...] [--json] [--catalog <path>] [-C <folder> ...] [--color <when>] [--no-pager]
              See 'stubdb list --help' for more information.

            """, code: 64))
    // As match takes them.
    let words = try box.run("add", "a/b", "GET", "https://x.test/a?b", "--status", "201")
    #expect(
      words.err.contains("stubdb add a/b --method GET --url 'https://x.test/a?b', with the"),
      "\(words)")
    // What the command itself misses is only a consequence.
    let unknown = "Error: Unknown option '--urll'. Did you mean '--url'?\n"
    #expect(try box.run("add", "a/b", "--urll", "https://x.test/").err.hasPrefix(unknown))
    #expect(try box.run("add", "a/b", "--urll=/", "--status", "200").err.hasPrefix(unknown))
    #expect(
      try box.run("set", "a/b", "k", "--bogus").err.hasPrefix("Error: Unknown option '--bogus'"))
    #expect(try box.run("add", "a/b", "--urll").err.hasPrefix("Error: Unknown option '--urll'"))
    #expect(
      try box.run("add", "a/b", "x.json").err.hasPrefix("Error: Unexpected argument 'x.json'\n"))
    #expect(
      try box.run("add", "x.json").err.hasPrefix("Error: To add what is in a file: --file x.json\n")
    )
    #expect(try box.run("show").code == 64)
    #expect(try box.run("show", "not a name").code == 64)
    #expect(try box.run("add", "a/b").code == 64)
    #expect(try box.run("add", "--url", "/").code == 64)
    #expect(try box.run("add", "a/b", "--file", "x.json", "--key", "k").code == 64)
    #expect(try box.run("rename", "a/b").code == 64)
  }

  @Test func wordsThatACommandDoesNotTakeGetAdvice() throws {
    let box = try Sandbox.shop()
    for (words, message) in [
      (
        "restore checkout/paid HEAD~1",
        "The value 'HEAD~1' is invalid for '<scenario>': it is no scenario name. The revision is --rev 'HEAD~1'."
      ),
      ("add a/b -u me:secret", "Unknown option '-u'"),
      ("add a/b -ume:secret", "Unknown option '-u'"),
      ("add a/b -status 404", "Unknown option '-status'. Did you mean '--status'?"),
      ("version", #"There is no command "version". Did you mean 'stubdb --version'?"#),
      (
        "help shwo",
        #"There is no command and no topic "shwo", and no help mentions it. Did you mean 'stubdb help show'?"#
      ),
      ("hlep", #"There is no command "hlep". Did you mean 'stubdb help'?"#),
      ("cache clear", #"There is no command "cache clear". Did you mean 'stubdb cache prune'?"#),
      (
        "init s3://stubs/shop",
        #""s3://stubs/shop" is a URL; a catalog is made as a file, such as shop.stubdb, and published with stubdb push."#
      ),
      (
        "mirror https://h.test/x",
        #""https://h.test/x" is a URL; a mirror is a folder of this machine."#
      ),
    ] {
      let result = try box.run(
        executable: Sandbox.binary, arguments: words.split(separator: " ").map(String.init))
      #expect(
        result.code == 64 && result.err.hasPrefix("Error: \(message)\n"), "\(words): \(result)")
    }
  }

  @Test func theCommandForTagsWorksAsPrinted() throws {
    let box = try Sandbox.shop()
    try box.must("init", "other.stubdb")
    let words = ["tag", "checkout/paid", "two words", "--catalog", "shop.stubdb", "--", "-x"]
    let refused = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(refused.code == 64)
    let line = try #require(
      refused.err.components(separatedBy: "\n").first?.components(separatedBy: "to add them: ").last
    )
    #expect(
      try box.shell(line)
        == CommandResult(err: "Tags of checkout/paid: -x, checkout, smoke, two words.\n"))
    let empty = try box.run("tag", "checkout/paid", "", "--catalog", "shop.stubdb")
    #expect(empty.code == 64)
    #expect(
      empty.err.hasPrefix("Error: A tag is not empty and has no control characters.\n"), "\(empty)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScripts(shell: String) throws {
    let box = try Sandbox()
    let result = try box.run("--generate-completion-script", shell)
    #expect(result.code == 0 && result.err == "")
    for command in Self.commands { #expect(result.out.contains(command)) }
  }

  /// What adding and setting share has a default only if something is added.
  @Test func helpOfSetNamesNoDefaults() throws {
    let help = try Sandbox().run("set", "--help").out
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("a new response has 200") && help.contains("a new stub has 5"))
    #expect(!help.contains("(default: 200)") && !help.contains("(default: 5)"))
  }

  /// The words of a command line, and what bash offers for the last one.
  static let completions: [([String], String)] = [
    (["rm", "che"], "checkout/paid\n"),
    (["cp", "che"], "checkout/paid\n"),
    (["rm", "checkout/paid", ""], "charge\n"),
    (["ls", "--tag", "sm"], "smoke\n"),
    (["--catalog", "shop.stubdb", "show", "checkout/paid", "c"], "charge\n"),
    (["-C", ".", "--color", "never", "show", "che"], "checkout/paid\n"),
    (["-C", ".", "res"], "restore\nresolve\n"),
    (["--no-pager", "mv", "che"], "checkout/paid\n"),
    (["--catalog", "sh"], "shop.stubdb\n"),
    (["--color", "n"], "never\n"),
    (["git", "st"], "status\n"),
  ]

  @Test(arguments: completions) func bashOffers(words: [String], offered: String) throws {
    let box = try Sandbox.shop()
    let words = ["stubdb"] + words
    let script = """
      eval "$(stubdb --generate-completion-script bash)"
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_LINE="${COMP_WORDS[*]}"
      COMP_CWORD=\(words.count - 1)
      COMP_POINT=${#COMP_LINE}
      _stubdb stubdb "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      for word in "${COMPREPLY[@]}"; do echo "$word"; done
      """
    try box.write("complete.bash", script)
    let result = try box.shell("bash complete.bash")
    #expect(result == CommandResult(out: offered))
  }

  @Test func scenarioNamesAndKeysAreCompleted() throws {
    let box = try Sandbox.shop()
    let fish = ["SAP_SHELL": "fish"]
    let names = try box.run(
      "---completion", "show", "--", "positional@0", "2", "3", "stubdb", "show", "che",
      environment: fish)
    #expect(names.out == "checkout/paid\n")
    let keys = try box.run(
      "---completion", "show", "--", "positional@1", "3", "0", "stubdb", "show", "checkout/paid",
      "", environment: fish)
    #expect(keys.out == "charge\n")
    let tags = try box.run(
      "---completion", "list", "--", "--tag", "3", "2", "stubdb", "list", "--tag", "sm",
      environment: fish)
    #expect(tags.out == "smoke\n")
    let texts = try box.run(
      "---completion", "search", "--", "positional@0", "4", "2", "stubdb", "-C", "work", "search",
      "ch", environment: fish, in: "..")
    #expect(texts.out == "checkout\ncheckout/paid\n")
  }

  /// A text without a colon, which is not a header field, may be a secret.
  @Test(arguments: [
    ["add", "a/b", "--url", "/x", "-H", "Authorization Bearer s3cr3tvalue"],
    ["add", "a/b", "--url", "/x", "-HAuthorization s3cr3tvalue"],
    ["add", "a/b", "--url", "/x", "--header", "s3cr3tvalue"],
    ["set", "a/b", "k", "--when-header=s3cr3tvalue"],
    ["match", "a/b", "GET", "https://h.test/", "-H", "s3cr3tvalue"],
  ])
  func aRefusedHeaderFieldIsNotRepeated(words: [String]) throws {
    let box = try Sandbox.shop()
    let result = try box.run(executable: Sandbox.binary, arguments: words)
    #expect(result.code == 64)
    #expect(!result.err.contains("s3cr3tvalue"), "\(result)")
    let option = words.last?.hasPrefix("-H") == true || words.contains("-H") ? "-H" : "header"
    #expect(result.err.contains(option))
    #expect(
      result.err.contains(": write it as 'Name: value'; there is no colon in what was given\n"))
  }
}
