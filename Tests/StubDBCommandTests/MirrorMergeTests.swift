import Foundation
import StubDBTestSupport
import Testing

/// Mirrors after merges in real repositories: git merges the catalog by meaning, and its mirror as text.
struct MirrorMergeTests {
  private static let document = "texts/session/signed-in.json"
  private static let next = "stubdb mirror texts && git add texts"

  /// A merge of two branches, of which `left` is checked out.
  private func merge(
    left: [String], right: [String], setsUp: Bool = true
  ) throws -> Sandbox {
    let box = try Sandbox.repository()
    try setsUp
      ? box.must("git", "install", "--mirror", "texts") : box.must("mirror", "texts")
    try box.commit("Mirror the stubs")
    for (name, words) in [("right", right), ("left", left)] {
      try box.mustGit(["checkout", "-q", "-b", name, "main"])
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      try #require(result.code == 0, "\(result)")
      if !setsUp { try box.must("mirror", "texts") }
      try box.commit(name)
    }
    #expect(try box.git("merge", "right").code == 1)
    return box
  }

  /// A merge of two branches that each added a stub to one scenario.
  private func mergeOfAdditions(setsUp: Bool = true) throws -> Sandbox {
    let box = try merge(
      left: ["add", "session/signed-in", "--key", "left", "--url", "/left"],
      right: ["add", "session/signed-in", "--key", "right", "--url", "/right"], setsUp: setsUp)
    let status = try box.git("status", "--porcelain").out
    #expect(status.contains("UU \(Self.document)\n"), "\(status)")
    #expect(try box.read(Self.document).contains("\n<<<<<<< "))
    return box
  }

  @Test func aMirrorThatGitCouldNotMergeFollowsTheMergedCatalog() throws {
    let box = try mergeOfAdditions()
    #expect(
      try box.run("resolve")
        == CommandResult(
          err: """
            No conflicts in shop.stubdb.
            git has not merged the mirror texts: \(Self.next)

            """))
    let check = try box.run("mirror", "texts", "--check")
    #expect(check.code == 2)
    #expect(
      check.err == """
        texts is not in step with shop.stubdb: 1 difference.
        To write the catalog's side: stubdb mirror texts

        """)
    #expect(
      try box.run("mirror", "texts")
        == CommandResult(
          out: "updated  \(Self.document)\n",
          err: """
            texts is in step with shop.stubdb: 2 scenarios.
            git lists \(Self.document) as unmerged until you type: git add texts

            """))
    #expect(try box.shell(Self.next, environment: Sandbox.gitEnvironment).code == 0)
    try box.mustGit(["commit", "-q", "--no-edit"])
    #expect(try box.git("status", "--porcelain").out == "")
    #expect(try box.run("mirror", "texts", "--check").code == 0)
    let text = try box.read(Self.document)
    #expect(text.contains("/left") && text.contains("/right"))
  }

  @Test func theHookSaysWhatResolveSays() throws {
    let box = try mergeOfAdditions()
    let stopped = try box.git("commit", "-q", "-a", "--no-edit")
    #expect(stopped.code == 1)
    #expect(
      stopped.err.hasSuffix("To write the catalog's side: \(Self.next)\nThen commit again\n"),
      "\(stopped)")
    #expect(try box.shell(Self.next, environment: Sandbox.gitEnvironment).code == 0)
    try box.mustGit(["commit", "-q", "-a", "--no-edit"])
    #expect(try box.run("mirror", "texts", "--check").code == 0)
  }

  @Test func aDocumentThatWasMergedByHandIsAnEdit() throws {
    let box = try mergeOfAdditions()
    let merged =
      #"{"scenario": "session/signed-in", "stubs": [{"key": "mine", "request": {"url": "/mine"}}]}"#
    try box.write(Self.document, merged)
    let refused = try box.run("mirror", "texts")
    #expect(refused.code == 1)
    #expect(
      refused.err.contains("To take them into the catalog: stubdb mirror texts --from-text\n"),
      "\(refused)")
    #expect(try box.read(Self.document) == merged)
  }

  @Test func nothingIsWrittenOverWhileTheCatalogIsNotMerged() throws {
    let box = try mergeOfAdditions(setsUp: false)
    let before = try box.read(Self.document)
    let refused = try box.run("mirror", "texts")
    #expect(refused.code == 1)
    // A document with the marks of a conflict cannot be taken into the catalog.
    #expect(!refused.err.contains("--from-text"), "\(refused)")
    #expect(try box.read(Self.document) == before)
  }

  @Test func theDocumentOfARemovedScenarioGoesWithIt() throws {
    let box = try merge(
      left: ["remove", "checkout/paid", "--force"],
      right: ["set", "checkout/paid", "charge", "--response", "1", "--status", "409"])
    // Git leaves the other branch's version in the folder, without marks.
    #expect(try box.read("texts/checkout/paid.json").contains("409"))
    let settled = try box.run("resolve", "--all", "--ours")
    #expect(
      settled.err.hasSuffix(
        """
        shop.stubdb has no more conflicts. With git: git add shop.stubdb
        git has not merged the mirror texts: \(Self.next)

        """), "\(settled)")
    #expect(try box.run("mirror", "texts").out == "removed  texts/checkout/paid.json\n")
    try box.mustGit(["add", "shop.stubdb", "texts"], ["commit", "-q", "--no-edit"])
    #expect(try box.run("mirror", "texts", "--check").code == 0)
  }
}
