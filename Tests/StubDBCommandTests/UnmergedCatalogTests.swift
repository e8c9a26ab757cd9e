import Foundation
import StubDBTestSupport
import Testing

/// Merges that git did not do, or that git does not know to be finished, in real repositories.
struct UnmergedCatalogTests {
  private static let refused = CommandResult(
    err: """
      Error: git has not merged shop.stubdb: it may hold only one of the two versions, and \
      no conflicts to settle
      To merge them by meaning, without what was changed in the file since: stubdb git \
      install && git checkout --merge -- shop.stubdb
      To commit the file as it is: git add shop.stubdb

      """, code: 1)
  private static let merge = "stubdb git install && git checkout --merge -- shop.stubdb"

  /// Two branches that each changed the catalog; `right` is checked out.
  private func branches(
    left: [String], right: [String], in box: Sandbox, _ prepareLeft: () throws -> Void = {}
  ) throws {
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try prepareLeft()
    for (name, words) in [("left", left), ("right", right)] {
      if name == "right" { try box.mustGit(["checkout", "-q", "-b", "right", "main"]) }
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      try #require(result.code == 0, "\(result)")
      try box.commit(name)
    }
  }

  private func requireRefusal(in box: Sandbox) throws {
    for command in ["resolve", "check"] {
      #expect(try box.run(command) == Self.refused)
    }
  }

  private func names(in box: Sandbox) throws -> [String] {
    try box.run("list").out.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test func aSetUpThatComesWithTheMergeIsTooLateForIt() throws {
    let box = try Sandbox.repository()
    try branches(
      left: ["add", "a/left", "--url", "/left"], right: ["add", "a/right", "--url", "/right"],
      in: box
    ) { try box.must("git", "install") }
    // Git reads the attributes of the working tree, which gets them by this merge.
    #expect(try box.git("merge", "left").code == 1)
    #expect(try box.run("git", "status").code == 0)
    try requireRefusal(in: box)
    #expect(try box.shell(Self.merge, environment: Sandbox.gitEnvironment).code == 0)
    #expect(try names(in: box).prefix(2) == ["a/left", "a/right"])
    #expect(try box.run("check").code == 0)
  }

  @Test func settingTheCloneUpAfterwardsMergesNothing() throws {
    let box = try Sandbox.repository()
    try box.write(".gitattributes", "*.stubdb -text diff=stubdb merge=stubdb\n")
    try box.commit("Let git merge catalogs")
    try branches(
      left: ["add", "a/left", "--url", "/left"], right: ["add", "a/right", "--url", "/right"],
      in: box)
    #expect(try box.git("merge", "left").code == 1)
    try requireRefusal(in: box)
    try box.must("git", "install")
    try requireRefusal(in: box)
    // The other side alone is no merge either, and an edit makes none of it.
    try box.mustGit(["checkout", "-q", "--theirs", "shop.stubdb"])
    try requireRefusal(in: box)
    try box.must("add", "a/later", "--url", "/later")
    try requireRefusal(in: box)
    #expect(try box.shell(Self.merge, environment: Sandbox.gitEnvironment).code == 0)
    #expect(try names(in: box).prefix(2) == ["a/left", "a/right"])
    #expect(try box.run("resolve").code == 0)
  }

  /// Where every difference is a conflict, the result of a merge may equal one of the versions.
  @Test func aConflictThatWasSettledWithOurVersionIsAMerge() throws {
    for isSetUp in [true, false] {
      let box = try Sandbox.repository()
      if isSetUp { try box.must("git", "install") }
      try box.commit(allowingNothing: "Set up")
      try branches(
        left: ["set", "session/signed-in", "me", "--status", "401"],
        right: ["set", "session/signed-in", "me", "--status", "503"], in: box)
      #expect(try box.git("merge", "left").code == 1)
      if !isSetUp {
        try requireRefusal(in: box)
        #expect(try box.shell(Self.merge, environment: Sandbox.gitEnvironment).code == 0)
      }
      #expect(try box.run("resolve").code == 2)
      try box.must("resolve", "--all", "--ours")
      #expect(
        try box.git("hash-object", "shop.stubdb") == box.git("rev-parse", ":2:shop.stubdb"))
      for command in ["resolve", "check"] {
        let result = try box.run(command)
        #expect(result.code == 0, "\(result)")
        #expect(
          result.err.contains("git lists shop.stubdb as unmerged until you type: git add"))
      }
    }
  }

  @Test func aMergeByHandCountsByItsContent() throws {
    let box = try Sandbox.repository()
    try branches(
      left: ["add", "a/left", "--url", "/left"], right: ["add", "a/right", "--url", "/right"],
      in: box)
    #expect(try box.git("merge", "left").code == 1)
    for (stage, name) in [("1", "base"), ("3", "theirs")] {
      let line = "git show :\(stage):shop.stubdb > ../\(name).stubdb"
      #expect(try box.shell(line, environment: Sandbox.gitEnvironment).code == 0)
    }
    try box.must("merge", "../base.stubdb", "shop.stubdb", "../theirs.stubdb")
    #expect(try box.run("check").code == 0)
  }

  @Test func aRemovalOnOneSideWaitsForADecision() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Set up")
    try branches(
      left: ["tag", "checkout/paid", "--add", "left"],
      right: ["tag", "checkout/paid", "--add", "right"],
      in: box)
    try box.mustGit(["rm", "-q", "shop.stubdb"], ["commit", "-qm", "Remove it"])
    #expect(try box.git("merge", "left").code == 1)
    let check = try box.run("check")
    #expect(
      check
        == CommandResult(
          err: """
            Error: one branch removed shop.stubdb and the other one changed it; git waits for a decision
            To keep it: git add shop.stubdb
            To remove it: git rm shop.stubdb

            """, code: 1))
  }

  /// Each command that a conflict prints works as printed.
  @Test func theCommandsOfAConflictSettleIt() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Set up")
    try branches(
      left: ["set", "session/signed-in", "me", "--status", "401"],
      right: ["set", "session/signed-in", "me", "--status", "503"], in: box)
    try box.write("sub/note", "")
    let merge = try box.git("merge", "left", in: "sub")
    #expect(merge.code == 1)
    let seen = try #require(line(after: "To see them: ", in: merge.err))
    #expect(
      try box.shell(seen, in: "sub").out.hasPrefix("session/signed-in me /responses/0/status"))
    let check = try box.run("check")
    let see = try #require(line(after: "to see how, and settle it: ", in: check.out))
    let list = try box.shell(see)
    #expect(list.code == 2, "\(list)")
    let conflict = try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    for (beginning, status) in [
      ("To take their version of it: ", "401"), ("To keep ours: ", "503"),
      ("To edit the scenario: ", "503"),
    ] {
      let command = try #require(line(after: beginning, in: list.err))
      let result = try box.shell(command, environment: ["EDITOR": "true"])
      #expect(result.code == 0, "\(result)")
      #expect(
        try box.run("show", "session/signed-in", "--json").out.contains("\"status\": \(status)"))
      #expect(try box.run("resolve").code == 0)
      try conflict.write(to: box.folder.appendingPathComponent("shop.stubdb"))
    }
    let match = try box.run("match", "session/signed-in", "GET", "https://api.shop.test/v1/me")
    let shown = try #require(line(after: "to see it: ", in: match.err))
    #expect(try box.shell(shown, in: "sub").out == list.out)
  }

  private func line(after beginning: String, in text: String) -> String? {
    text.split(separator: "\n").compactMap { line in
      line.range(of: beginning).map { String(line[$0.upperBound...]) }
    }.first
  }
}

extension Sandbox {
  /// Commits everything, or nothing.
  fileprivate func commit(allowingNothing subject: String) throws {
    try mustGit(["add", "-A"], ["commit", "-q", "--allow-empty", "-m", subject])
  }
}
