import Foundation
import Testing

/// Catalogs in real repositories, set up by `stubdb git install`.
struct GitMergeTests {
  /// A repository that is set up, with the binary at a path that has a space and is not on the PATH.
  private func installed() throws -> Sandbox {
    let box = try Sandbox.repository()
    let program = box.folder.appendingPathComponent(".git/a program's folder/stubdb")
    try FileManager.default.createDirectory(
      at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: program, withDestinationURL: Sandbox.binary)
    let result = try box.run(executable: program, arguments: ["git", "install"])
    try #require(result.code == 0, "\(result)")
    try box.commit("Let git merge catalogs")
    return box
  }

  @Test func aMergeWithoutConflictIsTheSameInBothDirections() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.must("add", "checkout/paid", "--key", "refund", "--url", "/v1/refunds")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("set", "session/signed-in", "me", "--text", "Grace")
    try box.must("add", "orders/new", "--key", "list", "--url", "/v1/orders")
    try box.commit("Right")
    try box.mustGit(["checkout", "-q", "-b", "one", "left"], ["merge", "-q", "right"])
    try box.mustGit(["checkout", "-q", "-b", "two", "right"], ["merge", "-q", "left"])
    let one = try box.git("rev-parse", "one:shop.stubdb")
    #expect(try box.git("rev-parse", "two:shop.stubdb") == one)
    #expect(
      try box.run("diff", "--rev", "main").out == """
        ~ checkout/paid
          + refund  any method /v1/refunds
        + orders/new (1 stub)
        ~ session/signed-in
          ~ me
              /responses/0/status  + 401
              /responses/0/text  "Ada" → "Grace"

        """)
    #expect(try box.git("status", "--porcelain").out == "")
  }

  @Test func aConflictIsKeptUntilItIsSettled() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("set", "session/signed-in", "me", "--status", "503")
    try box.must("tag", "checkout/paid", "--add", "merged")
    try box.commit("Right")
    try box.mustGit(["checkout", "-q", "left"])

    let merge = try box.git("merge", "right")
    #expect(merge.code == 1)
    #expect(
      merge.err.contains(
        "CONFLICT (stubdb): shop.stubdb: session/signed-in me /responses/0/status\n"), "\(merge)")
    #expect(try box.git("status", "--porcelain").out == "UU shop.stubdb\n")
    let check = try box.run("check")
    #expect(check.code == 2 && check.out.hasPrefix("session/signed-in me /responses/0/status: "))
    #expect(try box.run("list", "--tag", "merged").out.hasPrefix("checkout/paid"))
    // A test must not play one side of it, not even through a scenario that includes it.
    let match = try box.run("match", "checkout/paid", "GET", "https://api.shop.test/v1/me")
    #expect(match.code == 1 && match.err.contains("stubdb resolve session/signed-in"), "\(match)")
    // Commands that change all values do not skip values in conflicts.
    for command in [["mirror", "texts"], ["scan"], ["redact", "--findings"]] {
      let refused = try box.run(executable: Sandbox.binary, arguments: command)
      #expect(
        refused.code == 1 && refused.err.contains("To see and settle them first: stubdb resolve\n"),
        "\(refused)")
    }
    try FileManager.default.copyItem(
      at: box.folder.appendingPathComponent("shop.stubdb"),
      to: box.folder.appendingPathComponent("m.stubdb"))
    for command in [["mirror", "texts"], ["scan"], ["redact", "--findings"]] {
      let refused = try box.run(
        executable: Sandbox.binary, arguments: command + ["--catalog", "m.stubdb"])
      #expect(refused.err.hasSuffix("first: stubdb resolve --catalog m.stubdb\n"), "\(refused)")
    }
    let other = try box.run("resolve", "--catalog", "m.stubdb")
    #expect(other.err.contains("resolve session/signed-in --edit --catalog m.stubdb\n"), "\(other)")
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("m.stubdb"))

    #expect(
      try box.run("resolve")
        == CommandResult(
          out: """
            session/signed-in me /responses/0/status
                base    200, the default
                ours    401
                theirs  503

            """,
          err: """
            1 conflict in shop.stubdb.
            To take their version of it: stubdb resolve session/signed-in me /responses/0/status \
            --theirs
            To keep ours: stubdb resolve session/signed-in me /responses/0/status --ours
            To edit the scenario: stubdb resolve session/signed-in --edit

            """, code: 2))
    #expect(
      try box.run(
        "resolve", "session/signed-in", "me", "/responses/0/status", "--theirs")
        == CommandResult(
          err: """
            Settled 1 conflict with their version.
            shop.stubdb has no more conflicts. With git: git add shop.stubdb

            """))
    #expect(try box.run("show", "session/signed-in", "--json").out.contains("\"status\": 503"))
    #expect(try box.run("check").code == 0)
    try box.commit("Merge right")
    #expect(try box.git("status", "--porcelain").out == "")
  }

  @Test func aMergeOfBinaryFilesIsNoMerge() throws {
    let box = try Sandbox.repository()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("add", "in/left", "--url", "/left")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("add", "in/right", "--url", "/right")
    try box.commit("Right")
    #expect(try box.git("merge", "left").code == 1)
    for command in ["resolve", "check"] {
      #expect(
        try box.run(command)
          == CommandResult(
            err: """
              Error: git has not merged shop.stubdb: it may hold only one of the two versions, and \
              no conflicts to settle
              To merge them by meaning, without what was changed in the file since: stubdb git \
              install && git checkout --merge -- shop.stubdb
              To commit the file as it is: git add shop.stubdb

              """, code: 1))
    }
    let line = "stubdb git install && git checkout --merge -- shop.stubdb"
    #expect(try box.shell(line, environment: Sandbox.gitEnvironment).code == 0)
    #expect(try box.run("list").out.contains("in/left"))
    #expect(try box.run("list").out.contains("in/right"))
    let check = try box.run("check")
    #expect(check.code == 0, "\(check)")
    #expect(check.err.contains("unmerged until you type: git add shop.stubdb\n"))
    try box.commit("Merge left")
    #expect(try !box.run("check").err.contains("unmerged"))
  }

  @Test func aConflictIsSettledInAnEditor() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("remove", "session/signed-in", "me", "--force")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("set", "session/signed-in", "me", "--status", "503")
    try box.commit("Right")
    try box.mustGit(["checkout", "-q", "left"])
    #expect(try box.git("merge", "right").code == 1)
    let list = try box.run("resolve", "--json")
    #expect(
      list.code == 2 && list.out.contains("\"theirs\"") && !list.out.contains("\"ours\""))
    let editor = try box.write(
      "editor", "#!/bin/sh\nsed -i.bak s/503/418/ \"$1\"\n", executable: true)
    let edited = try box.run(
      "resolve", "session/signed-in", "--edit", environment: ["EDITOR": editor.path])
    #expect(edited.code == 0 && edited.err.contains("ours removed it, theirs changed it"))
    #expect(try box.run("show", "session/signed-in", "--json").out.contains("\"status\": 418"))
    #expect(try box.run("resolve").code == 0)
  }

  @Test func tenCommitsAreRebased() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "topic"])
    for number in 0..<10 {
      try box.must("add", "orders/many", "--key", "order-\(number)", "--url", "/v1/\(number)")
      try box.commit("Add order \(number)")
    }
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.must("add", "orders/many", "--key", "all", "--url", "/v1/all")
    try box.commit("Change main")
    try box.mustGit(["checkout", "-q", "topic"], ["rebase", "-q", "main"])
    let log = try box.git("log", "--format=%s", "main..topic")
    #expect(log.out.split(separator: "\n").count == 10)
    let keys = try box.run("show", "orders/many", "--json").out
      .split(separator: "\n").filter { $0.contains("\"key\"") }.count
    #expect(keys == 11)
    #expect(try box.run("show", "session/signed-in", "--json").out.contains("\"status\": 401"))
  }

  @Test func cherryPickAndStashMergeInAWorktreeAndASubfolder() throws {
    let box = try installed()
    try FileManager.default.createDirectory(
      at: box.folder.appendingPathComponent("a folder/Fixtures"), withIntermediateDirectories: true)
    try box.mustGit(
      ["mv", "shop.stubdb", "a folder/Fixtures/shop.stubdb"], ["commit", "-qm", "Move"])
    try box.mustGit(["worktree", "add", "-q", "-b", "other", "../other"])
    let file = "a folder/Fixtures/shop.stubdb"
    try box.must(
      "add", "orders/new", "--key", "list", "--url", "/v1/orders", "--catalog",
      "../other/\(file)")
    try box.mustGit(["-C", "../other", "commit", "-qam", "Add orders"])
    try box.must("set", "session/signed-in", "me", "--status", "401", "--catalog", file)
    try box.mustGit(["stash", "-q"])
    try box.must("tag", "checkout/paid", "--add", "tagged", "--catalog", file)
    try box.commit("Tag")
    try box.mustGit(["stash", "pop", "-q"])
    try box.commit("Pop")
    try box.mustGit(["cherry-pick", "other"])
    let list = try box.run("list", "--catalog", file)
    #expect(list.out.contains("orders/new") && list.out.contains("tagged"))
    #expect(
      try box.run("show", "session/signed-in", "--json", "--catalog", file).out
        .contains("\"status\": 401"))
  }

  @Test func aConflictThatWasCommittedStaysOne() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("tag", "checkout/paid", "--add", "left")
    try box.must("set", "session/signed-in", "me", "--summary", "Left")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("set", "session/signed-in", "me", "--summary", "Right")
    try box.commit("Right")
    #expect(try box.git("merge", "left").code == 1)
    try box.commit("Merge without a look")
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("tag", "checkout/paid", "--add", "main")
    try box.commit("Main")
    #expect(try box.git("merge", "right").code == 1)
    let list = try box.run("resolve")
    #expect(list.out.hasPrefix("session/signed-in me /summary\n"), "\(list)")
    let wrong = try box.run("resolve", "session/signed-in", "/tags", "--ours")
    #expect(wrong.code == 1 && wrong.err.contains("It has: session/signed-in me /summary"))
    try box.must("resolve", "--all", "--ours")
    try box.commit("Merge")
    #expect(try box.run("check").code == 0)
    #expect(try box.run("show", "session/signed-in", "--json").out.contains("\"Right\""))
  }

  @Test func withoutTheSetUpNothingIsDamaged() throws {
    let box = try installed()
    try box.must("git", "uninstall")
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("tag", "checkout/paid", "--add", "left")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("tag", "checkout/paid", "--add", "main")
    try box.commit("Main")
    let merge = try box.git("merge", "left")
    let said = merge.out + merge.err
    #expect(merge.code == 1 && said.contains("Cannot merge binary files: shop.stubdb"), "\(merge)")
    #expect(try box.run("check").err.contains("git has not merged shop.stubdb"))
    try box.mustGit(["merge", "--abort"])
    try box.must("git", "install")
    try box.mustGit(["merge", "-q", "left"])
    #expect(try box.run("list", "--tag", "left", "--tag", "main").out.hasPrefix("checkout/paid"))
  }

  @Test func bothBranchesRenamedAScenarioAndOneCommandSettlesIt() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("rename", "session/signed-in", "session/left")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("rename", "session/signed-in", "session/right")
    try box.commit("Right")
    #expect(try box.git("merge", "left").code == 1)
    let list = try box.run("resolve")
    #expect(list.out.hasPrefix("session/signed-in /scenario\n"), "\(list)")
    try box.must("resolve", "--all", "--theirs")
    #expect(try box.run("resolve").code == 0)
    #expect(try box.run("list", "session").out.hasPrefix("session/left"))
    // Scenarios that include it are updated.
    #expect(try box.run("show", "checkout/paid", "--json").out.contains("\"session/left\""))
    #expect(try box.run("check").code == 0)
  }

  @Test func aVersionThatDoesNotGoWithTheRestIsRefusedWithACommandThatWorks() throws {
    let box = try installed()
    try box.must("add", "a/part", "--url", "/part")
    try box.must("add", "a/whole", "--url", "/whole")
    try box.commit("Base")
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("remove", "a/part", "--force")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    let document = #"{"scenario": "a/whole", "includes": ["a/part"], "stubs": []}"#
    try box.write(".git/whole.json", document)
    try box.must("add", "--file", ".git/whole.json", "--replace")
    try box.commit("Right")
    #expect(try box.git("merge", "left").code == 1)
    let refused = try box.run("resolve", "a/part", "--theirs")
    #expect(refused.code == 1, "\(refused)")
    #expect(
      refused.err.contains(
        "nothing was settled: scenario a/whole includes a/part, which would no longer exist"))
    let line = try #require(
      refused.err.split(separator: "\n").first { $0.contains("This works: stubdb ") })
    let words = try #require(line.split(separator: "This works: stubdb ").last)
      .split(separator: " ").map(String.init)
    #expect(words == ["resolve", "--all", "--theirs"])
    #expect(try box.run(executable: Sandbox.binary, arguments: words).code == 0)
    #expect(try box.run("resolve").code == 0)
    #expect(try box.run("check").code == 0)
  }

  /// Both recipes of docs/sharing.md for a clone without the set-up, line by line as printed there.
  @Test(arguments: [0, 1]) func theRecipesForAMergeWithoutTheSetUpWork(recipe: Int) throws {
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/sharing.md"), encoding: .utf8)
    let chapter = try #require(page.split(separator: "## What happens without the set-up").last)
    let commands = chapter.split(separator: "```sh\n").dropFirst()
      .map { $0.prefix { $0 != "`" } }
    let box = try Sandbox.repository()
    try box.write(".gitattributes", "*.stubdb -text diff=stubdb merge=stubdb\n")
    try box.commit("Let git merge catalogs")
    try box.mustGit(["checkout", "-q", "-b", "refunds"])
    try box.must("tag", "checkout/paid", "--add", "left")
    try box.commit("Left")
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("tag", "checkout/paid", "--add", "right")
    try box.commit("Right")
    #expect(try box.git("merge", "refunds").code == 1)
    let path = "\(Sandbox.binary.deletingLastPathComponent().path):/usr/local/bin:/usr/bin:/bin"
    let result = try box.run(
      executable: URL(fileURLWithPath: "/bin/sh"),
      arguments: ["-e", "-c", String(try #require(commands.dropFirst(recipe).first))],
      environment: Sandbox.gitEnvironment.merging(["PATH": path]) { $1 })
    #expect(result.code == 0, "\(result)")
    #expect(try box.git("status", "--porcelain").out == "")
    #expect(try box.git("log", "-1", "--format=%s").out == "Merge branch 'refunds'\n")
    #expect(try box.run("list", "--tag", "left", "--tag", "right").out.hasPrefix("checkout/paid"))
  }

  @Test func bothBranchesAddedTheFile() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    for (branch, path) in [("left", "/left"), ("right", "/right")] {
      try box.mustGit(["checkout", "-q", "-B", branch, "main"])
      try box.must("init", "new.stubdb")
      try box.must("add", "a/\(branch)", "--url", path, "--catalog", "new.stubdb")
      try box.commit("Add a catalog")
    }
    try box.mustGit(["merge", "-q", "left"])
    #expect(
      try box.run("list", "--catalog", "new.stubdb").out.split(separator: "\n").map {
        $0.split(separator: " ")[0]
      } == ["a/left", "a/right"])
  }

  @Test func aFileThatCannotBeReadStopsTheMergeAndLosesNothing() throws {
    let box = try installed()
    try box.mustGit(["checkout", "-q", "-b", "broken"])
    try box.write("shop.stubdb", "not a catalog")
    try box.commit("Break it")
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("tag", "checkout/paid", "--add", "kept")
    try box.commit("Tag")
    let merge = try box.git("merge", "broken")
    #expect(merge.code != 0 && merge.err.contains("stubdb cannot merge shop.stubdb"), "\(merge)")
    #expect(try box.run("list", "--tag", "kept").out.hasPrefix("checkout/paid"))
  }
}
