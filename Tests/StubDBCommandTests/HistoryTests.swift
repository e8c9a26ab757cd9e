import Foundation
import StubDBDocuments
import Testing

struct HistoryTests {
  /// What git and its helpers say, warnings for each file for example, may fill the pipe of errors
  /// before there is any output.
  @Test(.timeLimit(.minutes(10))) func aChattyGitDoesNotStopTheCommand() throws {
    let box = try Sandbox.repository()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let folder = try box.write(
      "chatty/git",
      """
      #!/bin/sh
      head -c 1000000 /dev/zero | tr '\\0' x >&2
      PATH='\(path)'
      exec git "$@"
      """, executable: true
    ).deletingLastPathComponent()
    let log = try box.run("log", environment: ["PATH": "\(folder.path):\(path)"])
    #expect(log.code == 0 && log.out.contains("Add the shop's stubs"))
    #expect(try box.run("diff", environment: ["PATH": "\(folder.path):\(path)"]).code != 1)
  }

  /// Settings of the user that change what `git log` prints.
  @Test(arguments: [
    ["i18n.logOutputEncoding", "UTF-16"], ["log.showSignature", "true"], ["log.showRoot", "false"],
    ["color.ui", "always"], ["diff.relative", "true"], ["log.decorate", "full"],
    ["format.pretty", "raw"], ["log.date", "relative"], ["log.follow", "true"],
    ["core.quotePath", "true"], ["diff.mnemonicPrefix", "true"], ["core.abbrev", "4"],
    ["log.diffMerges", "off"], ["diff.renames", "false"], ["diff.noprefix", "true"],
  ])
  func theUsersConfigurationDoesNotChangeTheLog(setting: [String]) throws {
    let box = try Sandbox.repository()
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.commit("Größer")
    let plain = try box.run("log")
    #expect(plain.out.contains("Größer") && plain.out.contains("Add the shop's stubs"))
    #expect(plain.out.contains("\n\n") && !plain.out.hasSuffix("\n\n"))
    try box.mustGit(["config"] + setting)
    #expect(try box.run("log") == plain)
  }

  /// A repository whose catalog and one of whose scenarios were renamed on the way.
  private func history() throws -> Sandbox {
    let box = try Sandbox.repository()
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.commit("Refuse the session")
    try box.must("rename", "session/signed-in", "session/refused")
    try box.commit("Say what it is")
    try box.mustGit(["mv", "shop.stubdb", "renamed.stubdb"], ["commit", "-qm", "Move the file"])
    try box.must("tag", "checkout/paid", "--add", "late")
    try box.must("set", "session/refused", "me", "--text", "Grace")
    try box.commit("Tag and rewrite")
    return box
  }

  /// One branch renames the scenario while the other changes it.
  @Test func logFollowsAScenarioThroughBothSidesOfAMerge() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Merge by meaning")
    try box.mustGit(["checkout", "-qb", "names"])
    try box.must("rename", "session/signed-in", "session/ada")
    try box.commit("Say who")
    try box.mustGit(["checkout", "-q", "-"])
    try box.must("set", "session/signed-in", "me", "--status", "203")
    try box.commit("Another status")
    try box.mustGit(["merge", "-q", "--no-edit", "names"])
    let log = try box.run("log", "session/ada").out
    #expect(log.contains("Say who") && log.contains("Another status"))
    #expect(log.contains("Add the shop's stubs"))
    #expect(try box.run("diff", "names").err.contains("stubdb diff --rev names"))
  }

  @Test func logFollowsTheFileAndTheScenario() throws {
    let box = try history()
    let log = try box.run("log", "session/refused")
    #expect(log.code == 0 && log.err == "")
    let subjects = log.out.split(separator: "\n").filter { $0.contains("  Ada  ") }
      .map { $0.components(separatedBy: "  Ada  ")[1] }
    #expect(
      subjects == [
        "Tag and rewrite", "Say what it is", "Refuse the session", "Add the shop's stubs",
      ])
    #expect(log.out.contains("2026-11-20"))
    #expect(log.out.contains("  ~ session/signed-in → session/refused\n"))
    #expect(log.out.contains("/responses/0/status  + 401\n"))
    #expect(!log.out.contains("checkout/paid"))
    #expect(
      try box.run("log", "chekout")
        == CommandResult(
          err: "No commit changed a scenario chekout.\nDid you mean checkout/paid?\n"))
    let all = try box.run("log", "--limit", "1")
    #expect(all.out.contains("  ~ checkout/paid\n  ~ session/refused\n    ~ me\n"), "\(all)")
  }

  @Test func logAsJSON() throws {
    let box = try history()
    let log = try box.run("log", "session/refused", "--json", "--limit", "2")
    let commits = try #require(
      JSONSerialization.jsonObject(with: Data(log.out.utf8)) as? [[String: Any]])
    #expect(commits.map { $0["subject"] as? String } == ["Tag and rewrite", "Say what it is"])
    #expect(Set(commits[0].keys) == ["commit", "author", "date", "subject", "changes"])
    let changes = try #require(commits[1]["changes"] as? [[String: Any]])
    #expect(changes.map { $0["change"] as? String } == ["renamed"])
  }

  @Test func aMergeShowsOnlyWhatItsParentsHaveNot() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Set up")
    try box.mustGit(["checkout", "-q", "-b", "side"])
    try box.must("add", "orders/side", "--url", "/side")
    try box.must("tag", "checkout/paid", "--add", "side")
    try box.commit("Side")
    try box.mustGit(["checkout", "-q", "main"])
    try box.must("add", "orders/main", "--url", "/main")
    try box.must("set", "checkout/paid", "charge", "--response", "1", "--status", "409")
    try box.commit("Main")
    try box.mustGit(["merge", "-q", "side"])
    let log = try box.run("log")
    #expect(!log.out.contains("Merge branch"))
    #expect(log.out.contains("+ orders/side") && log.out.contains("+ orders/main"))
  }

  @Test func restoreBringsBackOneScenario() throws {
    let box = try Sandbox.repository()
    try box.must("set", "session/signed-in", "me", "--status", "401")
    try box.must("remove", "checkout/paid", "--force")
    try box.must("remove", "session/signed-in", "--force")
    try box.commit("Remove all")
    let early = try box.run("restore", "checkout/paid", "--rev", "HEAD~1")
    #expect(
      early
        == CommandResult(
          err: """
            Error: checkout/paid includes session/signed-in, which the catalog no longer has
            To bring it back first: stubdb restore session/signed-in --rev 'HEAD~1'

            """, code: 1))
    try box.must("restore", "session/signed-in", "--rev", "HEAD~1")
    try box.must("restore", "checkout/paid", "--rev", "HEAD~1")
    #expect(try box.run("diff", "--rev", "HEAD~1").code == 0)
    let missing = try box.run("restore", "checkout/payd", "--rev", "HEAD~1")
    #expect(missing.code == 1 && missing.err.contains("Did you mean checkout/paid?"), "\(missing)")
  }

  @Test func aScenarioThatIsNamedTwiceIsRestoredOnce() throws {
    let box = try Sandbox.repository()
    try box.must("remove", "checkout/paid", "--force")
    let restored = try box.run("restore", "checkout/", "checkout/paid", "checkout/paid")
    #expect(
      restored == CommandResult(err: "Restored checkout/paid from HEAD.\n", code: 0), "\(restored)")
  }

  @Test func aScenarioThatARevisionDoesNotHaveIsLookedForInTheLog() throws {
    let box = try Sandbox.repository()
    try box.must("add", "a/b", "--url", "/x")
    try box.commit("Add a/b")
    #expect(
      try box.run("restore", "a/b", "--rev", "HEAD~1")
        == CommandResult(
          err: """
            Error: there is no scenario a/b in HEAD~1 of shop.stubdb
            If an earlier commit had it, this shows which: stubdb log a/b

            """, code: 1))
    #expect(try box.shell("stubdb log a/b").out.contains("Add a/b"))
  }

  /// Bringing a version back loses nothing: what cannot be played is brought back too, and reported.
  @Test func restoreBringsBackWhatCannotBePlayedAndSaysSo() throws {
    let box = try Sandbox.repository()
    try box.insertUnchecked(
      #"{"key": "z", "responses": [{"template": true, "text": "{{math 1 'plus' 2}}"}]}"#,
      into: "a/b")
    try box.commit("Add a/b")
    try box.must("remove", "a/b", "--force")
    let warning =
      "Written, but stub z of a/b cannot be played: /stubs/0/responses/0/text: template: "
    let restored = try box.run("restore", "a/b")
    #expect(restored.code == 0)
    #expect(restored.err.contains("Restored a/b from HEAD.\n" + warning))
    #expect(
      try box.run("restore", "a/b") == CommandResult(err: "a/b is already as in HEAD.\n"))
    #expect(
      try box.run("restore", "a/b", "--as", "a/c").err.hasPrefix("Restored a/b from HEAD as a/c.\n")
    )
    let merged = try box.shell(
      "stubdb init base.stubdb && stubdb init ours.stubdb"
        + " && stubdb merge base.stubdb ours.stubdb shop.stubdb")
    #expect(merged.code == 0 && merged.err.contains(warning), "\(merged)")
    #expect(try box.run("show", "a/b", "z", "--catalog", "ours.stubdb").code == 0)
  }
}
