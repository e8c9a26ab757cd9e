import Foundation
import StubDBTestSupport
import Testing

struct GitHookTests {
  private static let secret = "q7Zt3Vw9" + "KxB2mN5p" + "Rs8Yd4Fg"

  private func mirroredRepository() throws -> Sandbox {
    let box = try Sandbox.repository()
    try box.must("git", "install", "--mirror", "texts", "--scan")
    try box.commit("Mirror the stubs")
    return box
  }

  private func hook(_ box: Sandbox) -> URL {
    box.folder.appendingPathComponent(".git/hooks/pre-commit")
  }

  @Test func theMirrorFollowsWhatIsCommitted() throws {
    let box = try mirroredRepository()
    try box.must("add", "a/new", "--url", "/x")
    let committed = try box.git("commit", "-q", "-am", "Add a stub")
    #expect(committed.code == 0, "\(committed)")
    #expect(
      try box.git("show", "--stat=200", "--format=", "HEAD").out.contains("texts/a/new.json"))
    #expect(try box.git("status", "--porcelain").out.isEmpty)
    #expect(try box.run("mirror", "texts", "--check").code == 0)
    try box.must("remove", "a/new", "--force")
    #expect(try box.git("commit", "-q", "-am", "Remove it").code == 0)
    #expect(try box.git("ls-files", "texts/a").out.isEmpty)
    #expect(try box.git("status", "--porcelain").out.isEmpty)
  }

  @Test func theMirrorIsThatOfTheStagedCatalog() throws {
    let box = try mirroredRepository()
    try box.must("add", "a/staged", "--url", "/x")
    try box.mustGit(["add", "shop.stubdb"])
    try box.must("add", "a/later", "--url", "/y")
    try box.mustGit(["commit", "-q", "-m", "Add the staged one"])
    let files = try box.git("ls-tree", "-r", "--name-only", "HEAD", "texts").out
    #expect(files.contains("texts/a/staged.json"))
    #expect(!files.contains("later"))
    #expect(try box.git("status", "--porcelain").out == " M shop.stubdb\n")
  }

  /// Git does not know the folder before its first commit, and so cannot tell what was edited there.
  @Test(arguments: [
    ["set", "checkout/paid", "charge", "--response", "1", "--status", "404"],
    ["rename", "checkout/paid", "checkout/settled"],
  ])
  func theFolderFollowsTheFirstCommitToo(change: [String]) throws {
    let box = try Sandbox.repository()
    let installed = try box.run("git", "install", "--mirror", "texts")
    #expect(
      installed.err.contains("To commit the mirror: git add .gitattributes texts\n"), "\(installed)"
    )
    #expect(try box.run(executable: Sandbox.binary, arguments: change).code == 0)
    let edited = try box.git("commit", "-q", "-am", "Change it")
    #expect(edited.code == 0, "\(edited)")
    #expect(try box.git("status", "--porcelain").out == "?? .gitattributes\n")
    #expect(try box.run("mirror", "texts", "--check").code == 0)
    try box.commit("Add the rest")
    #expect(try box.git("show", "--format=", "--name-only").out == ".gitattributes\n")
  }

  @Test func documentsThatAreCommittedWithoutTheirCatalogAreNamed() throws {
    let box = try mirroredRepository()
    let path = "texts/session/signed-in.json"
    try box.write(path, try box.read(path).replacing("Ada", with: "Grace"))
    let committed = try box.git("commit", "-q", "-am", "Edit the text")
    #expect(committed.code == 0)
    let said = "stubdb: texts does not say what shop.stubdb says; to take it into the catalog: "
    #expect(committed.err.hasPrefix(said), "\(committed)")
    #expect(try box.shell(String(committed.err.dropFirst(said.count))).code == 0)
    let both = try box.git("commit", "-q", "-am", "Take it into the catalog")
    #expect(both == CommandResult())
    try box.write("note", "")
    try box.mustGit(["add", "note"])
    #expect(try box.git("commit", "-q", "-m", "Something else") == CommandResult())
  }

  @Test func anEditBeforeTheFirstCommitIsKept() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install", "--mirror", "texts")
    let path = "texts/session/signed-in.json"
    let edited = try box.read(path).replacing("Ada", with: "Grace")
    try box.write(path, edited)
    try box.must("set", "session/signed-in", "me", "--status", "404")
    #expect(try box.git("commit", "-q", "-am", "Change it").code == 0)
    #expect(try box.read(path) == edited)
    #expect(try box.git("show", "HEAD:\(path)").out.contains("404"))
  }

  @Test func aSecretStopsTheCommit() throws {
    let box = try mirroredRepository()
    try box.must("add", "a/b", "--url", "/x", "--json", #"{"access_token": "\#(Self.secret)"}"#)
    let stopped = try box.git("commit", "-q", "-am", "Leak")
    #expect(stopped.code == 1)
    #expect(stopped.err.contains("the commit was stopped: 1 secret in the staged shop.stubdb"))
    #expect(stopped.err.contains("/stubs/0/responses/0/json/access_token"))
    #expect(!stopped.err.contains(Self.secret))
    try box.must("redact", "--findings")
    #expect(try box.git("commit", "-q", "-am", "No leak").code == 0)
  }

  @Test(arguments: [
    ("", "my stubs/a.stubdb"), ("my stubs", "a.stubdb"), ("b/c", "../../my stubs/a.stubdb"),
  ])
  func whatToDoAboutASecretWorksWhereTheCommitWasTyped(folder: String, path: String) throws {
    let box = try Sandbox.repository()
    try box.must("git", "install", "--scan")
    try box.write("b/c/note", "")
    try box.must("init", "my stubs/a.stubdb")
    try box.must(
      "add", "a/b", "--url", "/x", "--json", #"{"access_token": "\#(Self.secret)"}"#, "--catalog",
      "my stubs/a.stubdb")
    try box.mustGit(["add", "-A"])
    let stopped = try box.git("commit", "-qm", "Leak", in: folder)
    #expect(stopped.code == 1)
    let argument = path.contains(" ") ? "'\(path)'" : path
    let lines = [
      "stubdb redact --findings --catalog \(argument)", "git add \(argument)",
      "stubdb scan --accept 'why they are harmless' --catalog \(argument)",
    ]
    #expect(
      stopped.err.hasSuffix(
        """
        To take them out: \(lines[0])
          then: \(lines[1])
        To accept them, with a reason: \(lines[2])

        """), "\(stopped)")
    for line in lines.prefix(2) {
      #expect(try box.shell(line, environment: Sandbox.gitEnvironment, in: folder).code == 0)
    }
    #expect(try box.git("commit", "-qm", "No leak", in: folder).code == 0)
  }

  @Test func textThatTheCatalogHasNotStopsTheCommit() throws {
    let box = try mirroredRepository()
    try box.write("texts/own.json", #"{"scenario":"own","stubs":[]}"#)
    try box.must("add", "a/b", "--url", "/x")
    try box.mustGit(["add", "-A"])
    let stopped = try box.git("commit", "-q", "-m", "Both")
    #expect(stopped.code == 1)
    #expect(stopped.err.contains("texts/own.json"))
    try box.must("mirror", "texts", "--from-text", "--catalog", "shop.stubdb")
  }

  @Test(arguments: [
    "#!/bin/sh\necho theirs >> ran\nexit 0\n", "#!/usr/bin/env bash\necho theirs >> ran\nexit 0",
    "#!/usr/bin/env -S python3 -S\nopen('ran', 'a').write('theirs\\n')\n",
  ])
  func aHookThatIsThereStillRunsAndComesBack(script: String) throws {
    let box = try Sandbox.repository()
    try box.write(".git/hooks/pre-commit", script, executable: true)
    for _ in 0..<2 { try box.must("git", "install", "--mirror", "texts") }
    try box.must("add", "a/b", "--url", "/x")
    try box.mustGit(["add", "shop.stubdb"], ["commit", "-q", "-m", "Add"])
    #expect(try box.read("ran") == "theirs\n")
    #expect(try box.git("ls-files", "texts").out.contains("texts/a/b.json"))
    try box.must("git", "uninstall")
    #expect(try String(contentsOf: hook(box), encoding: .utf8) == script)
    let hooks = try FileManager.default.contentsOfDirectory(
      atPath: hook(box).deletingLastPathComponent().path)
    #expect(!hooks.contains { $0.contains("stubdb") })
  }

  @Test func aHookOfOursGoesAwayAndHooksPathIsHonoured() throws {
    let box = try Sandbox.repository()
    try box.mustGit(["config", "core.hooksPath", "my hooks"])
    try box.must("git", "install", "--scan")
    let url = box.folder.appendingPathComponent("my hooks/pre-commit")
    #expect(FileManager.default.isExecutableFile(atPath: url.path))
    #expect(try box.run("git", "status").out.contains("git pre-commit --scan"))
    let uninstalled = try box.run("git", "uninstall")
    #expect(
      uninstalled.err.hasSuffix("The pre-commit hook is gone: secrets are no longer refused.\n"))
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test(arguments: [["--mirror", "texts"], ["--scan"]])
  func aHookThatFailsClosedStopsEveryCommit(options: [String]) throws {
    let box = try Sandbox.repository()
    let none = try box.run("git", "install", "--fail-closed")
    #expect(none.code == 1 && none.err.contains("this repository has none of stubdb"), "\(none)")
    let install = ["git", "install", "--fail-closed"] + options
    let installed = try box.run(executable: Sandbox.binary, arguments: install)
    #expect(installed.err.contains("stops every commit while stubdb cannot be run"), "\(installed)")
    try box.commit("Mirror the stubs")
    let text = try String(contentsOf: hook(box), encoding: .utf8)
    let moved = text.replacing(Sandbox.binary.path, with: "/nowhere/stubdb")
    try Data(moved.utf8).write(to: hook(box))
    try box.write("other.txt", "of no catalog")
    try box.mustGit(["add", "other.txt"])
    let other = try box.git("commit", "-q", "-m", "Another file")
    #expect(other.code != 0 && other.err.contains("nothing checks this commit"), "\(other)")
    // As it was, with the program where it is.
    try box.must("git", "install")
    #expect(try String(contentsOf: hook(box), encoding: .utf8) == text)
    #expect(try box.git("commit", "-q", "-m", "Another file").code == 0)
  }

  @Test(arguments: [["--mirror", "texts"], ["--mirror", "texts", "--scan"], ["--scan"]])
  func aProgramThatHasMovedStopsOnlyCommitsThatItWasToSearch(options: [String]) throws {
    let box = try Sandbox.repository()
    let install = ["git", "install"] + options
    #expect(try box.run(executable: Sandbox.binary, arguments: install).code == 0)
    try box.commit("Mirror the stubs")
    let text = try String(contentsOf: hook(box), encoding: .utf8)
    let moved = text.replacing(Sandbox.binary.path, with: "/nowhere/with space/stubdb")
    try Data(moved.utf8).write(to: hook(box))
    try box.write("other.txt", "of no catalog")
    try box.mustGit(["add", "other.txt"])
    let other = try box.git("commit", "-q", "-m", "Another file")
    #expect(other.code == 0 && other.err.contains("stubdb has moved"), "\(other)")
    try box.must("add", "a/b", "--url", "/x")
    let committed = try box.git("commit", "-q", "-am", "Add")
    #expect(committed.err.contains("stubdb has moved"), "\(committed)")
    #expect((committed.code == 0) != options.contains("--scan"), "\(committed)")
    if committed.code != 0 {
      #expect(committed.err.contains("git commit --no-verify"))
      #expect(try box.git("commit", "-q", "-am", "Add", "--no-verify").code == 0)
    }
    try box.must("git", "install")
    #expect(try String(contentsOf: hook(box), encoding: .utf8) == text)
  }

  /// A repository with a hook that searches, whose program is no longer where the hook expects it.
  private func repositoryWithoutProgram() throws -> Sandbox {
    let box = try Sandbox.repository()
    try box.must("git", "install", "--scan")
    try box.commit("Search for secrets")
    let text = try String(contentsOf: hook(box), encoding: .utf8)
    try Data(text.replacing(Sandbox.binary.path, with: "/nowhere/stubdb").utf8).write(to: hook(box))
    return box
  }

  @Test(arguments: [
    ["mv", "shop.stubdb", "moved.stubdb"], ["mv", "-k", "shop.stubdb", "b/c/moved.stubdb"],
  ])
  func aCatalogThatIsOnlyRenamedIsNotCommittedUnsearched(move: [String]) throws {
    let box = try repositoryWithoutProgram()
    try box.write("b/c/note", "")
    try box.mustGit(move)
    let stopped = try box.git("commit", "-q", "-m", "Rename")
    #expect(stopped.code == 1 && stopped.err.contains("which was stopped"), "\(stopped)")
    // What was there before is searched again with the program.
    try box.must("git", "install")
    #expect(try box.git("commit", "-q", "-m", "Rename").code == 0)
    try box.mustGit(["rm", "-q", move[move.count - 1]])
    #expect(try box.git("commit", "-q", "-m", "Remove").code == 0)
  }

  /// What an older version wrote would otherwise stay for good.
  @Test func installingAgainWritesWhatThisVersionDoes() throws {
    let box = try repositoryWithoutProgram()
    let new = try String(contentsOf: hook(box), encoding: .utf8)
    try Data(new.replacing("--no-renames ", with: "").utf8).write(to: hook(box))
    try box.must("git", "install")
    let text = try String(contentsOf: hook(box), encoding: .utf8)
    #expect(text.contains("--no-renames") && text.contains("git pre-commit --scan || exit"))
  }

  /// What the hook is told later, and the command that is printed, take nothing away from it.
  @Test func optionsAddUp() throws {
    let box = try Sandbox.repository()
    try box.must("mirror", "the texts")
    try box.must("mirror", "more")
    try box.must("git", "install", "--scan")
    try box.commit("Mirror the stubs")
    let hints = try box.run("git", "install").err.matches(of: /in step: (stubdb git install.*)\n/)
    #expect(hints.count == 2)
    for hint in hints {
      let typed = try box.shell(String(hint.1), environment: Sandbox.gitEnvironment)
      #expect(typed.code == 0, "\(typed)")
    }
    let all = "git pre-commit --mirror more --mirror 'the texts' --scan"
    #expect(try box.run("git", "status").out.contains(all))
    let again = try box.run("git", "install", "--scan")
    #expect(again.err.contains(": keeps more in step, keeps the texts in step, refuses secrets.\n"))
    #expect(!again.err.contains("leave it behind"), "\(again)")
    #expect(try box.run("git", "status").out.contains(all))
    try box.must("add", "a/b", "--url", "/x")
    try box.mustGit(["commit", "-qam", "Add"])
    for folder in ["more", "the texts"] {
      #expect(try box.git("ls-files", folder).out.contains("a/b.json"))
    }
    // A folder that was removed would stop all commits.
    try box.mustGit(["rm", "-rq", "more"])
    let gone = try box.run("git", "install", "--scan")
    #expect(gone.err.contains("Taken from the hook: more, which is no mirror any more.\n"))
    #expect(try box.run("git", "status").out.contains("git pre-commit --mirror 'the texts' --scan"))
  }

  @Test func aCommittedMirrorIsNamedInAClone() throws {
    let box = try mirroredRepository()
    let again = try box.run("git", "install", "--mirror", "texts", "--scan")
    #expect(again.code == 0 && !again.err.contains("To commit the mirror"), "\(again)")
    #expect(!again.err.contains("leave it behind"), "\(again)")
    try box.mustGit(["clone", "-q", ".", "other"])
    let install = try box.run("git", "install", in: "other")
    #expect(install.err.contains("texts is a mirror of a catalog, and commits"), "\(install)")
    let hint = try firstMatch(of: /in step: (stubdb git install.*)\n/, in: install.err).1
    #expect(hint == "stubdb git install --mirror texts")
    let typed = try box.shell(String(hint), environment: Sandbox.gitEnvironment, in: "other")
    #expect(typed.code == 0 && !typed.err.contains("leave it behind"), "\(typed)")
    try box.must("add", "a/b", "--url", "/x", in: "other")
    #expect(try box.git("commit", "-q", "-am", "Add", in: "other").code == 0)
    #expect(try box.run("mirror", "texts", "--check", in: "other").code == 0)
  }

  /// Two repositories whose hooks are in one folder, because of a global `core.hooksPath`.
  private func sharedHooks() throws -> (Sandbox, hook: URL, environment: [String: String]) {
    let box = try Sandbox.repository()
    let hooks = box.folder.deletingLastPathComponent().appendingPathComponent("hooks")
    let config = box.folder.deletingLastPathComponent().appendingPathComponent("gitconfig")
    try Data("[core]\n\thooksPath = \(hooks.path)\n".utf8).write(to: config)
    try box.mustGit(["clone", "-q", ".", "other"])
    try box.write(".git/info/exclude", "other\n")
    return (
      box, hooks.appendingPathComponent("pre-commit"), ["GIT_CONFIG_GLOBAL": config.path]
    )
  }

  @Test func hooksThatOthersShareAreLeftAloneUnlessTold() throws {
    let (box, hook, shared) = try sharedHooks()
    for options in [["--mirror", "texts"], ["--scan"]] {
      let refused = try box.run(
        executable: Sandbox.binary, arguments: ["git", "install"] + options, environment: shared)
      #expect(refused.code == 1)
      #expect(refused.err.contains("other repositories run too; nothing was installed"))
      #expect(
        refused.err.contains("stubdb git install \(options.joined(separator: " ")) --shared\n"))
      #expect(!FileManager.default.fileExists(atPath: hook.path))
      #expect(try box.git("status", "--porcelain").out == "")
      #expect(try box.run("git", "status").code == 2)
    }
    // Without a hook there is nothing to share.
    #expect(try box.run("git", "install", environment: shared).code == 0)
    #expect(!FileManager.default.fileExists(atPath: hook.path))
  }

  @Test func aSharedHookActsOnlyWhereItWasInstalled() throws {
    let (box, hook, shared) = try sharedHooks()
    for options in [["--mirror", "texts"], ["--scan"]] {
      let result = try box.run(
        executable: Sandbox.binary, arguments: ["git", "install"] + options + ["--shared"],
        environment: shared)
      #expect(result.code == 0, "\(result)")
    }
    #expect(try box.run("git", "status", environment: shared).out.contains("--mirror texts --scan"))
    for folder in ["", "other"] {
      #expect(
        try box.run(
          "add", "a/b", "--url", "/x", "--json", #"{"access_token": "\#(Self.secret)"}"#,
          "--catalog", "shop.stubdb", in: folder
        ).code == 0)
    }
    let other = try box.git("commit", "-qam", "Add", environment: shared, in: "other")
    #expect(other.code == 0 && other.err == "", "\(other)")
    let stopped = try box.git("commit", "-qam", "Leak", environment: shared)
    #expect(stopped.code == 1 && stopped.err.contains("1 secret in the staged shop.stubdb"))

    // In another repository nothing is removed; this one removes its own part.
    let text = try String(contentsOf: hook, encoding: .utf8)
    for folder in ["other", ""] {
      let result = try box.run("git", "uninstall", environment: shared, in: folder)
      #expect(result.code == 0 && result.err.contains("stays for the other repositories"))
      #expect(result.err.contains("There was nothing to take away.") == (folder == "other"))
      #expect(try String(contentsOf: hook, encoding: .utf8) == text)
    }
    #expect(try box.git("commit", "-qam", "Not checked", environment: shared).code == 0)
    #expect(try box.run("git", "uninstall", "--shared", environment: shared).code == 0)
    #expect(!FileManager.default.fileExists(atPath: hook.path))
  }

  @Test func aFolderOutsideTheRepositoryIsSharedWhoeverNamesIt() throws {
    let box = try Sandbox.repository()
    try box.mustGit(["config", "core.hooksPath", "../hooks"])
    #expect(try box.run("git", "install", "--scan").code == 1)
    // The command in the message gives the repository hooks of its own.
    let own = box.folder.appendingPathComponent(".git/hooks")
    try box.mustGit(["config", "core.hooksPath", own.path])
    try box.must("git", "install", "--scan")
    #expect(FileManager.default.isExecutableFile(atPath: own.path + "/pre-commit"))
  }
}
