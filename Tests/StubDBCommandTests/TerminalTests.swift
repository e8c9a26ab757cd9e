import Foundation
import StubDBJobs
import Testing

@testable import StubDBCommand

struct TerminalTests {
  private static let question = "Remove scenario checkout/paid (1 stub)? [y/N] "

  @Test func removeAsksOnATerminal() throws {
    let box = try Sandbox.shop()
    let no = try box.runOnTerminal("remove", "checkout/paid", typing: "n\n")
    #expect(no.code == 1)
    #expect(no.screen.contains(Self.question))
    #expect(no.screen.hasSuffix("Nothing was removed.\n") && !no.screen.contains("Error"))
    #expect(try box.run("list", "checkout").out.hasPrefix("checkout/paid"))

    let yes = try box.runOnTerminal("remove", "checkout/paid", typing: "y\n")
    #expect(yes.code == 0)
    #expect(yes.screen.contains(Self.question))
    #expect(
      yes.screen.hasSuffix(
        "Removed scenario checkout/paid (1 stub).\nTo bring it back: stubdb undo\n"))
    #expect(try box.run("list", "checkout").out == "")
  }

  @Test func whatCannotBeRemovedIsRefusedBeforeAsking() throws {
    let box = try Sandbox.shop()
    let result = try box.runOnTerminal("remove", "session/signed-in", typing: "n\n")
    #expect(result.code == 1 && result.screen.contains("is included by checkout/paid"))
    #expect(!result.screen.contains("[y/N]"))
  }

  @Test func removeWithForceDoesNotAsk() throws {
    let box = try Sandbox.shop()
    let result = try box.runOnTerminal("remove", "checkout/paid", "--force")
    #expect(
      result.screen
        == "Removed scenario checkout/paid (1 stub).\nTo bring it back: stubdb undo\n")
  }

  @Test func anInvalidDocumentCanBeOpenedAgain() throws {
    let box = try Sandbox.shop()
    let editor = try box.write(
      "editor",
      """
      #!/bin/sh
      if [ -e second ]; then sed 's/oops/summary/' "$1" > t; else touch second
      sed 's/"stubs"/"oops": "x", "stubs"/' "$1" > t; fi
      cp t "$1"
      """, executable: true)
    let result = try box.runOnTerminal(
      "edit", "session/signed-in", typing: "y\n", environment: ["EDITOR": editor.path])
    #expect(result.code == 0)
    #expect(result.screen.contains("Open it again? [y/N] "))
    #expect(result.screen.hasSuffix("Saved session/signed-in in shop.stubdb.\n"))
    #expect(try box.run("list", "session").out == "session/signed-in  1    x\n")
  }

  @Test func colourIsForTerminalsWithoutNoColor() throws {
    let box = try Sandbox.shop()
    let escape: Character = "\u{1B}"
    #expect(try box.runOnTerminal("show", "checkout/paid").screen.contains(escape))
    #expect(try box.runOnTerminal("list").screen.contains("SCENARIO"))
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let result = try box.runOnTerminal("show", "checkout/paid", environment: environment)
      #expect(!result.screen.contains(escape))
    }
    for words in [["--color", "never"], ["--no-pager", "--color=never"]] {
      let result = try box.runOnTerminal(words: ["show", "checkout/paid"] + words)
      #expect(!result.screen.contains(escape))
    }
    for arguments in [["show", "checkout/paid"], ["list"], ["show", "no/such"], ["check"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: arguments)
      #expect(!(result.out + result.err).contains(escape))
    }
  }

  @Test func jsonOnATerminalHasNoCharacterThatItObeys() throws {
    let box = try Sandbox.shop()
    let text = "a\u{202E}b\u{9B}31m \u{E9}"
    try box.must("add", "texts/hostile", "--url", "https://api.shop.test/text", "--text", text)
    let shown = try box.runOnTerminal("show", "texts/hostile", "--json", "--no-pager")
    #expect(shown.screen.contains("\"a\\u202eb\\u009b31m \u{E9}\""), "\(shown)")
    // A file has the canonical form.
    #expect(try box.run("show", "texts/hostile", "--json").out.contains(text))
  }

  @Test func colorsAreForcedByTheOptionBeforeTheEnvironment() throws {
    let box = try Sandbox.shop()
    func isColored(_ words: String..., environment: [String: String]) throws -> Bool {
      let result = try box.run(
        executable: Sandbox.binary, arguments: words + ["show", "checkout/paid"],
        environment: environment)
      #expect(result.code == 0, "\(result)")
      return result.out.contains("\u{1B}")
    }
    #expect(try isColored("--color", "always", environment: ["NO_COLOR": "1", "TERM": "dumb"]))
    #expect(try isColored(environment: ["CLICOLOR_FORCE": "1", "TERM": "dumb"]))
    #expect(try !isColored(environment: ["CLICOLOR_FORCE": "0"]))
    #expect(try !isColored(environment: ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]))
    #expect(try !isColored("--color=never", environment: ["CLICOLOR_FORCE": "1"]))
    #expect(try box.run("list", "--color", "blue").code == 64)
  }

  @Test func aReaderThatLeavesEndsItQuietly() throws {
    let box = try Sandbox.shop()
    let body = String(repeating: "x", count: 4_000_000)
    try box.write("big.txt", body)
    _ = try box.run("add", "a/big", "--key", "k", "--url", "/", "--body-file", "big.txt")
    let script = "'\(Sandbox.binary.path)' show a/big --json | head -c 20"
    let result = try box.run(
      executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    #expect(result == CommandResult(out: "{\n  \"scenario\": \"a/b"))
  }

  @Test(arguments: [
    ("é", 1), ("☀", 1), ("漢", 2), ("⌚", 2), ("⏳", 2), ("⚡", 2), ("✅", 2), ("⭐", 2), ("🇩🇪", 2),
    ("🟢", 2),
    ("🫠", 2),
  ])
  func wideCharactersTakeTwoColumns(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test func namesOfFilesCannotSteerTheTerminal() throws {
    let box = try Sandbox()
    let name = "\u{1B}[31mred\u{202E}.stubdb"
    let isSafe = { (text: String) in
      !text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{7}" }
    }
    for words in [
      ["init", name], ["add", "a/b", "--url", "/"], ["show", "a/c"], ["rename", "a/c", "a/d"],
      ["check"], ["init", "b.stubdb"],
    ] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(isSafe(result.out + result.err), "\(words): \(result)")
    }
    let listed = try box.run("list")
    #expect(isSafe(listed.err), "\(listed)")
    // The options that are printed work in bash.
    let option = try #require(
      listed.err.split(separator: "\n").first { $0.contains("--catalog $'") })
    let result = try box.run(
      executable: URL(fileURLWithPath: "/bin/bash"),
      arguments: ["-c", "'\(Sandbox.binary.path)' list \(option)"])
    #expect(result == CommandResult(out: "a/b  1\n"))
  }

  @Test func namesInADamagedCatalogCannotSteerTheTerminal() throws {
    let box = try Sandbox.shop()
    let file = box.folder.appendingPathComponent("shop.stubdb")
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data("tablescenarioscenario".utf8)))
    bytes.replaceSubrange(
      (place.lowerBound + 5)..<(place.lowerBound + 13), with: Data("\u{1B}]0;OWN\u{7}".utf8))
    try bytes.write(to: file)
    for words in [["list"], ["show", "checkout/paid"], ["check"], ["rename", "a", "b"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 1 && result.err.contains("\\u{1B}]0;OWN\\u{7}"), "\(result)")
      #expect(!(result.out + result.err).unicodeScalars.contains("\u{1B}"), "\(words)")
    }
  }
}
