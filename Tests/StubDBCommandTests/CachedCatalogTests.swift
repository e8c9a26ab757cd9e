import Foundation
import StubDBTestSupport
import Testing

/// Commands on a published catalog that is only read, from the cache.
struct CachedCatalogTests {
  /// A project that pulled a catalog without a file for it.
  private func project() throws -> Sandbox {
    let ada = try Sandbox.shop()
    let box = try Sandbox()
    let store = box.folder.deletingLastPathComponent().appendingPathComponent("store")
    let url = "file://\(store.path)/shop"
    let pushed = try ada.run("push", url)
    try #require(pushed.code == 0, "\(pushed)")
    let pulled = try box.run("pull", url)
    try #require(pulled.code == 0, "\(pulled)")
    return box
  }

  @Test(arguments: [
    ["match", "session/signed-in", "GET", "https://api.shop.test/v1/me"], ["check"], ["scan"],
    ["list"], ["show", "checkout/paid"], ["diff", "checkout/paid", "session/signed-in"],
  ])
  func whatOnlyReadsWorks(words: [String]) throws {
    let box = try project()
    let result = try box.run(
      executable: Sandbox.binary, arguments: words + ["--catalog", "shop"])
    #expect(result.code == 0, "\(result)")
  }

  @Test(arguments: [
    ["check"], ["scan"], ["search", "zebra"], ["show", "none"], ["check", "none"],
    ["match", "session/signed-in", "GET", "https://api.shop.test/v1/none"],
  ])
  func messagesHaveTheNameWithWhichItWasChosen(words: [String]) throws {
    let box = try project()
    let result = try box.run(executable: Sandbox.binary, arguments: words + ["--catalog", "shop"])
    let text = result.out + result.err
    #expect(text.contains("shop") && !text.contains("/sha256/"), "\(result)")
  }

  @Test func commandsToTypeHaveTheName() throws {
    let box = try project()
    let request = ["match", "session/signed-in", "GET", "https://api.shop.test/v1/none"]
    let missed = try box.run(
      executable: Sandbox.binary, arguments: request + ["--catalog", "shop"])
    let again = try firstMatch(of: /compare it again:\n *(stubdb match .*)\n/, in: missed.out).1
    #expect(again.hasSuffix(" --catalog shop"))
    #expect(try box.shell(String(again)) == missed)
    let unknown = try box.run("show", "none", "--catalog", "shop")
    let list = try firstMatch(of: /it has: (stubdb list .*)\n/, in: unknown.err).1
    #expect(list == "stubdb list --catalog shop")
    #expect(try box.shell(String(list)).code == 0)
  }

  @Test func theSummaryOfACheckNamesTheCatalog() throws {
    #expect(
      try project().run("check", "--catalog", "shop").err.hasPrefix("No problems in shop: "))
    #expect(try project().run("scan", "--catalog", "shop").err == "No secrets in shop.\n")
  }

  @Test func requestsArePlayed() throws {
    let box = try project()
    try box.write("me.http", "GET https://api.shop.test/v1/me\n")
    let played = try box.run("play", "session/signed-in", "me.http", "--catalog", "shop")
    #expect(played.code == 0, "\(played)")
  }

  /// The two commands that are printed work, one after the other.
  @Test(arguments: [
    ["add", "a/b", "--url", "/x"], ["mirror", "texts"],
    ["set", "session/signed-in", "me", "--status", "401"],
  ])
  func whatWritesSaysHowToHaveAFile(words: [String]) throws {
    let box = try project()
    let refused = try box.run(
      executable: Sandbox.binary, arguments: words + ["--catalog", "shop"])
    #expect(refused.code == 1)
    let hints = try firstMatch(
      of: /this command needs a file of yours\nTo edit it: (.*)\nThen: (.*)\n/, in: refused.err)
    for command in [hints.1, hints.2] {
      let result = try box.shell(String(command))
      #expect(result.code == 0, "\(result)")
    }
  }

  @Test(arguments: [["log"], ["diff"]])
  func whatAsksGitSaysWhereTheHistoryIs(words: [String]) throws {
    let box = try project()
    let refused = try box.run(executable: Sandbox.binary, arguments: words + ["--catalog", "shop"])
    #expect(
      refused
        == CommandResult(
          err: """
            Error: the catalog shop is not in git here: it is read from the cache
            To see what was published: stubdb remote log shop

            """, code: 1))
    #expect(try box.shell("stubdb remote log shop").code == 0)
  }

  @Test func adviceIsForAReader() throws {
    let box = try project()
    #expect(try box.run("list", "--catalog", "shp").err.hasSuffix("Did you mean shop?\n"))
    #expect(
      try box.run("list").err.contains("To read shop, which stubdb.lock names: --catalog shop\n"))
    let push = try box.run("push")
    #expect(
      push.err.contains(
        "To edit shop, which stubdb.lock names: stubdb pull shop --path shop.stubdb\n"), "\(push)")
    #expect(!push.err.contains("To read"))
    try box.must("key", "create")
    let trusted = try box.run("key", "trust", "shop")
    #expect(
      trusted.err.hasSuffix(
        "stubdb pull refuses shop from now on unless one of its trusted keys signed it.\n"),
      "\(trusted)")
    #expect(try box.run("pull").code == 1)
  }
}
