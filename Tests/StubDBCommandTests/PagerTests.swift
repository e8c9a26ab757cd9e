import Foundation
import Testing

struct PagerTests {
  /// A pager that marks its input.
  private static let marking = "sed 's/^/P:/'"

  @Test func longOutputGoesThroughIt() throws {
    let box = try Sandbox.repository()
    try box.must("tag", "checkout/paid", "--add", "new")
    let commands = [
      ["list"], ["show", "checkout/paid"], ["search", "checkout"], ["log"], ["diff"], ["schema"],
      ["check", "--json"], ["help"], ["help", "git", "install"], ["show", "--help"],
    ]
    let environment = ["STUBDB_PAGER": Self.marking]
    let paged = try box.runOnTerminal(commands: commands, environment: environment)
    let plain = try box.runOnTerminal(
      commands: commands.map { $0 + ["--no-pager"] }, environment: environment)
    for (words, (paged, plain)) in zip(commands, zip(paged, plain)) {
      #expect(paged.screen != "" && paged.code == 0)
      let lines = paged.screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.filter { !$0.hasPrefix("P:") } == [], "\(words): \(paged.screen)")
      #expect(plain.screen == paged.screen.replacing("P:", with: ""), "\(words)")
    }
  }

  @Test func theVariableOfStubdbComesBeforePAGER() throws {
    let box = try Sandbox.shop()
    let general = try box.runOnTerminal(
      "list", "--color", "never", environment: ["PAGER": Self.marking])
    #expect(general.screen.hasPrefix("P:SCENARIO"))
    for none in ["", "cat"] {
      let screen = try box.runOnTerminal(
        "list", "--color", "never", environment: ["PAGER": Self.marking, "STUBDB_PAGER": none]
      ).screen
      #expect(screen.hasPrefix("SCENARIO"))
    }
    let dumb = try box.runOnTerminal(
      "list", "--color", "never", environment: ["PAGER": Self.marking, "TERM": "dumb"])
    #expect(dumb.screen.hasPrefix("SCENARIO"))
  }

  @Test func leavingItEarlyIsNoError() throws {
    let box = try Sandbox.shop()
    try box.write("big.txt", String(repeating: "0123456789\n", count: 100_000))
    try box.must("add", "a/big", "--key", "k", "--url", "/", "--body-file", "big.txt")
    let result = try box.runOnTerminal(
      "show", "a/big", "--json", environment: ["STUBDB_PAGER": "head -n 1"])
    #expect(result.screen == "{\n")
    #expect(result.code == 0)
  }

  @Test func leavingItEarlyKeepsTheExitCode() throws {
    let box = try Sandbox.shop()
    let stubs = (0..<4_000).map {
      #"{ "key": "stub-number-\#($0)", "request": { "path": "/\#($0)" } }"#
    }
    for name in ["a/one", "a/two"] {
      let kept = name == "a/one" ? stubs[...] : stubs[..<1]
      try box.write(
        "many.json", #"{ "scenario": "\#(name)", "stubs": [\#(kept.joined(separator: ","))] }"#)
      try box.must("add", "--file", "many.json")
    }
    let result = try box.runOnTerminal(
      "diff", "a/one", "a/two", "--exit-code", "--color", "never",
      environment: ["STUBDB_PAGER": "head -n 1"])
    #expect(result.screen.split(separator: "\n").count == 1)
    #expect(result.code == 2)
  }

  @Test func itKeepsTheExitCodeAndTheNotes() throws {
    let box = try Sandbox.shop()
    let environment = ["STUBDB_PAGER": Self.marking]
    try box.must("copy", "checkout/paid", "checkout/other")
    try box.must("set", "checkout/other", "charge", "--response", "1", "--status", "409")
    let diff = try box.runOnTerminal(
      "diff", "checkout/paid", "checkout/other", "--exit-code", environment: environment)
    #expect(diff.code == 2 && diff.screen.hasPrefix("P:"))
    // The error of a command that fails before it prints anything goes to the terminal itself.
    let failure = try box.runOnTerminal("show", "no/such", environment: environment)
    #expect(failure.code == 1 && !failure.screen.contains("P:"))
    let nothing = try box.runOnTerminal("search", "zebra", environment: environment)
    #expect(nothing.code == 2)
    #expect(nothing.screen == "Nothing in shop.stubdb contains \"zebra\".\n")
  }

  @Test func oneThatCannotBeRunIsSaid() throws {
    let box = try Sandbox.shop()
    let result = try box.runOnTerminal(
      "list", "--color", "never", environment: ["STUBDB_PAGER": "/no/such/pager"])
    #expect(result.code == 1)
    #expect(result.screen.contains("Error: the pager \"/no/such/pager\" cannot be run"))
    #expect(result.screen.contains("--no-pager"))
  }

  @Test func pipesHaveNone() throws {
    let box = try Sandbox.shop()
    let result = try box.run("list", environment: ["STUBDB_PAGER": Self.marking])
    #expect(result.out.hasPrefix("checkout/paid"))
  }

  @Test func linesFitTheTerminalAndAreWholeInPipes() throws {
    let box = try Sandbox.shop()
    let summary = String(repeating: "long words ", count: 20) + "end"
    try box.must("set", "checkout/paid", "--summary", summary)
    try box.must("tag", "checkout/paid", "--add", String(repeating: "t", count: 60))
    try box.must("add", "a/b", "--key", "k", "--url", "/日本/" + String(repeating: "語", count: 60))
    let old = try box.run("show", "checkout/paid", "--json").out
    try box.must("copy", "checkout/paid", "checkout/other")
    try box.must("set", "checkout/other", "--summary", summary.replacing("end", with: "over"))
    let commands = [
      ["list"], ["search", "end"], ["search", "語"],
      ["diff", "checkout/paid", "checkout/other"],
    ]
    for words in commands {
      for width in [40, 80] {
        let screen = try box.runOnTerminal(
          words: words + ["--color", "never"], environment: ["COLUMNS": String(width)]
        ).screen
        let wide = screen.split(separator: "\n").filter { line in
          line.reduce(0) { $0 + ($1.isASCII || $1 == "…" || $1 == "→" ? 1 : 2) } > width
        }
        #expect(wide == [] || words[0] == "diff" && width == 40, "\(words) at \(width)")
      }
      #expect(try !box.run(executable: Sandbox.binary, arguments: words).out.contains("…"))
    }
    #expect(try box.run("search", "end").out.contains(summary))
    #expect(try box.run("search", "end", "--json").out.contains(summary))
    #expect(try box.run("list").out.contains(summary))
    #expect(try box.run("diff", "checkout/paid", "checkout/other").out.contains("over"))
    #expect(old.contains(summary))
  }

  @Test func namesAreCutLast() throws {
    let box = try Sandbox.shop()
    let name = "checkout/paid-with-a-card-of-another-person"
    try box.must("copy", "checkout/paid", name)
    try box.must("set", name, "--summary", "Somebody else pays for the order")
    try box.must("tag", name, "--add", "payments-of-others")
    func line(_ width: Int) throws -> String? {
      try box.runOnTerminal(
        words: ["list", "--color", "never"], environment: ["COLUMNS": String(width)]
      ).screen.split(separator: "\n").first { $0.hasPrefix("checkout/paid-") }.map(String.init)
    }
    #expect(try line(80) == name + "    1+1  checkout,paym…  Somebody el…")
    #expect(try line(48) == name)
    #expect(try line(40) == name.prefix(39) + "…")
  }

  @Test func longBodiesAreCutOnATerminalOnly() throws {
    let box = try Sandbox.shop()
    let lines = (1...30).map { "line \($0)" } + [String(repeating: "w", count: 500)]
    try box.must("add", "a/b", "--key", "k", "--url", "/x", "--text", lines.joined(separator: "\n"))
    let piped = try box.run("show", "a/b", "k").out
    let ending = lines.suffix(2).map { "     \($0)\n" }.joined()
    #expect(piped.hasSuffix(ending))
    let shown = try box.runOnTerminal("show", "a/b", "k", "--color", "never").screen
    #expect(
      shown.hasSuffix(
        "     line 12\n     … 19 more lines, 731 bytes in all; --json shows everything\n"))
  }

  /// A pager that ends without reading has shown nothing; the text is printed without it.
  @Test(arguments: ["true", "exit 0", "false"])
  func whatThePagerDoesNotReadIsPrinted(pager: String) throws {
    let box = try Sandbox.shop()
    let result = try box.runOnTerminal(
      "list", "--color", "never", environment: ["STUBDB_PAGER": pager])
    #expect(result.screen.hasPrefix("SCENARIO"), "\(result)")
    #expect(result.code == 0)
    try box.write("big.txt", String(repeating: "0123456789\n", count: 20_000))
    try box.must("add", "a/big", "--key", "k", "--url", "/", "--body-file", "big.txt")
    let big = try box.runOnTerminal("show", "a/big", "--json", environment: ["STUBDB_PAGER": pager])
    #expect(big.screen.count > 200_000 && big.screen.hasPrefix("{\n"))
  }
}
