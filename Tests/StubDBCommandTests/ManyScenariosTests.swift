import Foundation
import StubDBTestSupport
import Testing

/// Commands on several scenarios, or on all of an area.
struct ManyScenariosTests {
  /// A sandbox with scenarios, each with one stub.
  private func box(_ names: String...) throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "todo.stubdb")
    for name in names {
      try box.must("add", name, "--key", "get", "--method", "GET", "--url", "/\(name)")
    }
    return box
  }

  private func names(_ box: Sandbox) throws -> [String] {
    try box.run("list").out.split(separator: "\n").map { line in
      String(line.prefix { $0 != " " })
    }
  }

  @Test func removeTakesNamesAndAreas() throws {
    let box = try box("a/one", "a/two", "b/one", "b/two", "c")
    #expect(
      try box.run("rm", "a/", "c")
        == CommandResult(
          err: "Removed 3 scenarios (3 stubs): a/one, a/two, c.\nTo bring it back: stubdb undo\n"))
    #expect(try names(box) == ["b/one", "b/two"])
    #expect(try box.run("rm", "b/one", "b/two").code == 0)
    #expect(try names(box) == [])
    let none = try box.run("rm", "b/")
    #expect(
      none.code == 1 && none.err.hasPrefix("Error: there is no scenario below \"b/\""), "\(none)")
  }

  @Test func removeRemovesAllOrNothing() throws {
    let box = try box("a/one", "b/one")
    try box.must("add", "a/base", "--url", "/base")
    try box.must("set", "b/one", "--include", "a/base")
    let refused = try box.run("rm", "a/")
    #expect(refused.code == 1)
    #expect(refused.err.contains("scenario a/base is included by b/one"), "\(refused)")
    let unknown = try box.run("rm", "a/one", "b/onn")
    #expect(unknown.code == 1, "\(unknown)")
    #expect(try names(box) == ["a/base", "a/one", "b/one"])
    // An includer that goes too is in nobody's way.
    #expect(try box.run("rm", "a/", "b/").code == 0)
  }

  /// A key that is misremembered must not cost two scenarios.
  @Test func removeTakesNoScenarioForAKey() throws {
    let box = try box("session", "login", "a/one")
    for words in [["login"], ["a/one", "login"]] {
      let refused = try box.run(executable: Sandbox.binary, arguments: ["rm", "session"] + words)
      #expect(refused.code == 1)
      let start =
        "Error: session has no stub login, but there is a scenario login; nothing was removed\n"
      #expect(refused.err.hasPrefix(start), "\(refused)")
    }
    #expect(try names(box) == ["a/one", "login", "session"])
    let refused = try box.run("rm", "session", "login").err
    let hint = try firstMatch(of: /To remove the scenarios: (.*)\n/, in: refused).1
    #expect(try box.shell(String(hint)).code == 0)
    #expect(try names(box) == ["a/one"])
  }

  @Test func removeSaysHowToBringBackWhatACommitHas() throws {
    let box = try box("a/one", "a/two", "b/one")
    try box.mustGit(["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "All"])
    try box.must("add", "b/new", "--url", "/new")
    let removed = try box.run("rm", "a/")
    let line = "To bring back what the last commit has: stubdb restore a/\n"
    #expect(removed.err.hasSuffix(line), "\(removed)")
    #expect(try names(box) == ["b/new", "b/one"])
    #expect(try box.shell("stubdb restore a/").err.contains("Restored a/two from HEAD.\n"))
    #expect(try names(box) == ["a/one", "a/two", "b/new", "b/one"])
    #expect(
      try box.run("rm", "b/one", "get").err.hasSuffix(
        "To bring back the whole scenario as the last commit has it: stubdb restore b/one\n"))
    let lost = "The last commit does not have b/new, which cannot be brought back from there.\n"
    let undo = "To bring it back: stubdb undo\n"
    #expect(try box.run("rm", "b/new").err == "Removed scenario b/new (1 stub).\n" + lost + undo)
    try box.must("add", "b/new", "--url", "/new")
    let both = try box.run("rm", "b/new", "a/one")
    #expect(
      both.err.hasSuffix(lost + "To bring back what the last commit has: stubdb restore a/one\n"),
      "\(both)")
    let refused = try box.run("restore", "a/one", "b/new").err
    #expect(refused.contains("; nothing was restored\n"), "\(refused)")
  }

  @Test func renameAndCopyMoveAreas() throws {
    let box = try box("a/one", "a/b/one", "c")
    try box.must("set", "c", "--include", "a/one")
    // Into itself, where each new name is an old one first.
    #expect(try box.run("mv", "a/", "a/b/").code == 0)
    #expect(try names(box) == ["a/b/b/one", "a/b/one", "c"])
    #expect(try box.run("mv", "a/b/", "a/").code == 0)
    #expect(try names(box) == ["a/b/one", "a/one", "c"])
    #expect(try box.run("show", "c").out.contains("a/one"))
    #expect(
      try box.run("cp", "a/", "c", "v2/").err
        == "Copied a/b/one to v2/b/one.\nCopied a/one to v2/one.\nCopied c to v2/c.\n")
    let taken = try box.run("mv", "a/", "v2/")
    #expect(taken.code == 1 && taken.err.contains("already has a scenario v2/"), "\(taken)")
    #expect(try names(box).contains("a/b/one"))
    let usage = try box.run("mv", "a/", "c")
    #expect(usage.code == 64 && usage.err.contains("end it with /, as c/"), "\(usage)")
  }

  @Test func tagTakesNamesAndAreas() throws {
    let box = try box("a/one", "a/two", "b")
    #expect(
      try box.run("tag", "a/", "b", "--add", "smoke").err
        == "Tags of a/one: smoke.\nTags of a/two: smoke.\nTags of b: smoke.\n")
    try box.must("tag", "b", "--remove", "smoke")
    try box.must("tag", "a/", "b", "--remove", "smoke")
    let none = try box.run("tag", "a/", "--remove", "smoke")
    #expect(
      none.err
        == "Error: none of the 2 scenarios has a tag \"smoke\"\nThey have no tags.\n", "\(none)")
  }

  // MARK: First steps

  @Test func initWithoutANameMakesNoSecondCatalog() throws {
    let box = try box()
    let second = try box.run("init")
    #expect(
      second
        == CommandResult(
          err: """
            Error: there is a catalog in this folder already: todo.stubdb
            To make another one, name it: stubdb init NAME.stubdb

            """, code: 1))
    #expect(try box.run("init", "other").code == 0)
  }

  @Test func theHelpListsTheCommandsByWhatTheyAreFor() throws {
    let box = try box()
    let help = try box.run("--help").out
    #expect(help.contains("\nBEGIN SUBCOMMANDS:\n  demo"), "\(help)")
    let misspelled = try box.run("hlep")
    #expect(misspelled.err.contains("Did you mean 'stubdb help'?"), "\(misspelled)")
  }

  @Test func matchColorsWhatIsExpectedAndWhatCame() throws {
    let box = try box("a/one")
    let report = try box.run("--color", "always", "match", "a/one", "POST", "/a/one").out
    #expect(report.contains("expected  \u{1B}[32mGET\u{1B}[0m\n"), "\(report)")
    #expect(report.contains("actual    \u{1B}[31mPOST\u{1B}[0m\n"), "\(report)")
  }
}
