import Foundation
import StubDBTestSupport
import Testing

struct SetTests {
  @Test func setChangesWhatIsNamed() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run(
        "set", "session/signed-in", "me", "--status", "404", "--delay", "2s", "--json",
        #"{"error":"gone"}"#, "--priority", "1", "--summary", "nobody", "--required", "--then",
        "cycle", "--when-header", "Accept: text/plain", "--header", "X-A: 1")
        == CommandResult(err: "Changed stub me of session/signed-in.\n"))
    #expect(
      try box.run("show", "session/signed-in", "me").out == """
        me  nobody; priority 1; required
          GET https://api.shop.test/v1/me
            header Accept is "text/plain"
          -> status 404 after 2s
             X-A: 1
             {"error":"gone"}

        """)
    #expect(
      try box.run("set", "session/signed-in", "me", "--method", "PUT", "--url", "/v2/me").code == 0)
    #expect(try box.run("show", "session/signed-in", "me").out.contains("  PUT /v2/me\n"))
  }

  @Test func setSaysWhenAStubWasRecorded() throws {
    let box = try Sandbox.shop()
    let document =
      #"{"key": "feed", "recorded": {"at": "2025-01-01", "from": "https://api.shop.test"}}"#
    #expect(try box.run("add", "session/signed-in", "--file", "-", input: document).code == 0)
    #expect(
      try box.run("set", "session/signed-in", "feed", "--recorded", "2026-11-21T09:30:00Z").code
        == 0)
    #expect(
      try box.run("show", "session/signed-in", "feed").out.hasPrefix(
        "feed  recorded 2026-11-21T09:30:00Z from https://api.shop.test\n"))
    #expect(
      try box.run("set", "session/signed-in", "feed", "--recorded", "yesterday").err.hasPrefix(
        "Error: --recorded: \"yesterday\" is not a date or a date-time"))
  }

  @Test func setOfASequenceNeedsToKnowWhichResponse() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("set", "checkout/paid", "charge", "--status", "500")
        == CommandResult(
          err: """
            Error: Stub charge has 2 responses; choose one with --response 1 to 2, or \
            append one with --then-response.
              See 'stubdb set --help' for more information.

            """, code: 64))
    #expect(
      try box.run("set", "checkout/paid", "charge", "--response", "2", "--status", "500").code == 0)
    let shown = try box.run("show", "checkout/paid", "charge").out
    #expect(shown.contains("1. status 402") && shown.contains("2. status 500"))
    #expect(
      try box.run("set", "checkout/paid", "charge", "--response", "3", "--status", "1").code == 64)
  }

  @Test func setOfAScenario() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("set", "checkout/paid", "--summary", "", "--no-include", "session/signed-in")
        == CommandResult(err: "Changed checkout/paid.\n"))
    #expect(
      try box.run("list", "checkout").out == "checkout/paid  1  checkout,smoke\n")
    #expect(
      try box.run("set", "checkout/paid", "--no-include", "session/signed-in")
        == CommandResult(
          err: """
            Error: checkout/paid does not include session/signed-in
            It includes nothing.

            """, code: 1))
    #expect(try box.run("set", "checkout/paid", "--include", "session/signed-in").code == 0)
    #expect(
      try box.run("set", "checkout/paid", "--include", "session/signed-in")
        == CommandResult(err: "Nothing to change in checkout/paid.\n"))
    let dangling = try box.run("set", "checkout/paid", "--include", "session/signed-out")
    #expect(dangling.code == 1)
    #expect(dangling.err.contains("session/signed-out"))
  }

  @Test func setWithoutAnythingToSetIsAUsageError() throws {
    let box = try Sandbox.shop()
    #expect(try box.run("set", "checkout/paid").code == 64)
    #expect(try box.run("set", "checkout/paid", "charge").code == 64)
    #expect(try box.run("set", "checkout/paid", "--status", "404").code == 64)
    #expect(try box.run("set", "checkout/paid", "charge", "--include", "a/b").code == 64)
  }

  @Test func tagAddsAndRemoves() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("tag", "checkout/paid", "--add", "slow", "--add", "bank", "--remove", "smoke")
        == CommandResult(err: "Tags of checkout/paid: bank, checkout, slow.\n"))
    #expect(try box.run("list", "--tag", "bank").out.hasPrefix("checkout/paid"))
    #expect(
      try box.run("tag", "checkout/paid", "--remove", "smoke")
        == CommandResult(
          err: """
            Error: scenario checkout/paid has no tag "smoke"
            It has: bank, checkout, slow

            """, code: 1))
    #expect(try box.run("tag", "checkout/paid").code == 64)
    #expect(try box.run("tag", "checkout/paid", "--add", "").code == 64)
  }

  @Test func renameTakesIncludesAlong() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("rename", "session/signed-in", "session/ada")
        == CommandResult(err: "Renamed session/signed-in to session/ada.\n"))
    #expect(try box.run("show", "checkout/paid").out.contains("includes: session/ada\n"))
    #expect(
      try box.run("rename", "session/ada", "session/ada")
        == CommandResult(err: "session/ada has that name already; nothing was changed.\n"))
    let taken = try box.run("rename", "session/ada", "checkout/paid")
    #expect(taken.code == 1)
    #expect(taken.err.contains("checkout/paid"))
    #expect(try box.run("rename", "session/ada", "not a name").code == 64)
    #expect(
      try box.run("rename", "session/adda", "x/y").err.hasSuffix("Did you mean session/ada?\n"))
  }

  @Test func renameOfAStubKeepsItsPlace() throws {
    let box = try Sandbox.shop()
    _ = try box.run("add", "session/signed-in", "--key", "other", "--url", "/o")
    #expect(
      try box.run("rename", "session/signed-in", "--key", "me", "who")
        == CommandResult(err: "Renamed stub me of session/signed-in to who.\n"))
    #expect(
      try box.run("rename", "session/signed-in", "--key", "who", "who").err
        == "The stub who of session/signed-in has that key already; nothing was changed.\n")
    let shown = try box.run("show", "session/signed-in").out
    #expect(shown.contains("\nwho\n  GET"))
    #expect(try box.run("rename", "session/signed-in", "--key", "who", "other").code == 1)
    #expect(try box.run("rename", "session/signed-in", "--key", "who", "").code == 64)
  }

  /// For Swift both texts are equal; for a request, and in the file, they are not.
  @Test(arguments: [
    (["--when-header", "X-A: é"], ["--when-header", "X-A: e\u{301}"]),
    (["--when-header", "X-A: 1"], ["--when-header", "x-a: 1"]),
    (["--when-query", "é=é"], ["--when-query", "e\u{301}=e\u{301}"]),
    (["--when-body", "é"], ["--when-body", "e\u{301}"]),
    (["--when-body-json", #"{"é": ["é"]}"#], ["--when-body-json", #"{"é": ["e\#u{301}"]}"#]),
    (["--when-body-json", #"{"é": 1}"#], ["--when-body-json", #"{"e\#u{301}": 1}"#]),
    (["--header", "X: é"], ["--header", "X: e\u{301}"]),
    (["--header", "X-Foo: 1"], ["--header", "x-foo: 1"]),
    (["--summary", "é"], ["--summary", "e\u{301}"]),
  ])
  func setWritesAnotherCompositionOfTheSameLetters(_ first: [String], _ second: [String]) throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    func set(_ options: [String]) throws -> String {
      try box.run(executable: Sandbox.binary, arguments: ["set", "b", "k"] + options).err
    }
    func document(_ options: [String]) throws -> [UInt8] {
      try box.must("add", "b", "--key", "k", "--method", "POST", "--url", "/a")
      _ = try set(options)
      let text = try box.run("show", "b", "--json").out
      try box.must("rm", "b", "--force")
      return Array(text.utf8)
    }
    let expected = try document(second)
    #expect(try document(first) != expected)
    try box.must("add", "b", "--key", "k", "--method", "POST", "--url", "/a")
    for options in [first, second] {
      #expect(try set(options).hasPrefix("Changed stub k of b.\n"))
      #expect(try set(options).hasPrefix("Nothing to change in stub k of b.\n"))
    }
    #expect(try Array(box.run("show", "b", "--json").out.utf8) == expected)
  }

  @Test func copyMakesASecondOne() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("copy", "session/signed-in", "session/copy")
        == CommandResult(err: "Copied session/signed-in to session/copy.\n"))
    #expect(
      try box.run("show", "session/copy", "--json").out
        == ShopDocuments.signedIn.replacing("session/signed-in", with: "session/copy"))
    #expect(try box.run("copy", "session/signed-in", "session/copy").code == 1)
  }

  @Test func removeDoesNotAskWithoutATerminal() throws {
    let box = try Sandbox.shop()
    _ = try box.run("add", "session/signed-in", "--key", "other", "--url", "/o")
    #expect(
      try box.run("remove", "session/signed-in", "me", "mee").err
        == "Error: there is no stub \"mee\" in scenario session/signed-in\nDid you mean me?\n")
    #expect(
      try box.run("remove", "session/signed-in", "me", "other")
        == CommandResult(
          err: "Removed stubs me, other of session/signed-in.\nTo bring it back: stubdb undo\n"))
    #expect(
      try box.run("remove", "checkout/paid")
        == CommandResult(
          err: "Removed scenario checkout/paid (1 stub).\nTo bring it back: stubdb undo\n"))
    #expect(try box.run("list").out == "session/signed-in  0\n")
  }

  @Test func whatOthersIncludeIsNotRemoved() throws {
    let box = try Sandbox.shop()
    let result = try box.run("remove", "session/signed-in", "--force")
    #expect(
      result
        == CommandResult(
          err: """
            Error: scenario session/signed-in is included by checkout/paid
            To take it out there first:
              stubdb set checkout/paid --no-include session/signed-in

            """, code: 1))
    #expect(try box.run("list", "session").out == "session/signed-in  1\n")
    for line in result.err.split(separator: "\n").suffix(1) {
      #expect(try box.shell(String(line)).code == 0)
    }
    #expect(try box.run("remove", "session/signed-in").code == 0)
  }

  @Test func upgradeOfTheNewestFormatChangesNothing() throws {
    let box = try Sandbox.shop()
    let file = box.folder.appendingPathComponent("shop.stubdb")
    let before = try Data(contentsOf: file)
    #expect(
      try box.run("upgrade") == CommandResult(err: "shop.stubdb is in the newest format.\n"))
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func aCopyNeedsAnotherName() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("copy", "checkout/paid", "checkout/paid")
        == CommandResult(
          err: """
            Error: the copy of scenario checkout/paid has the same name
            To give it another one: stubdb copy checkout/paid checkout/paid-copy

            """, code: 1))
  }
}
