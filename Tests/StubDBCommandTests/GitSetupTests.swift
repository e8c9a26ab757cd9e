import Foundation
import StubDBTestSupport
import Testing

struct GitSetupTests {
  @Test func diffLogAndBlameShowTheText() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Let git show catalogs")
    try box.must("set", "session/signed-in", "me", "--status", "401")
    let diff = try box.git("diff")
    #expect(diff.out.contains("+          \"status\": 401,\n"), "\(diff)")
    try box.commit("Sign out")
    #expect(try box.git("log", "-p", "-1").out.contains("+          \"status\": 401,\n"))
    #expect(try box.git("show").out.contains("+          \"status\": 401,\n"))
    let blame = try box.git("blame", "-s", "shop.stubdb")
    let commit = try box.git("rev-parse", "--short=8", "HEAD").out.dropLast()
    let line = blame.out.split(separator: "\n").first { $0.contains("\"status\": 401") }
    #expect(line?.hasPrefix(commit.prefix(7)) == true, "\(blame)")
  }

  @Test func textconvSaysWhatCannotBeShown() throws {
    let box = try Sandbox.repository()
    try box.write("empty", "")
    #expect(try box.run("git", "textconv", "empty") == CommandResult())
    try box.write("text", "hello")
    #expect(
      try box.run("git", "textconv", "text")
        == CommandResult(
          out: "(stubdb cannot show this: of this revision is not a stubdb catalog (it is "
            + "not an SQLite file))\n"))
    let all = try box.run("git", "textconv", "shop.stubdb")
    #expect(all == CommandResult(out: ShopDocuments.paid + ShopDocuments.signedIn))
  }

  /// If the file is missing, git reads attributes from the index, and merges by them until the next commit.
  @Test func theLineCountsOnlyInTheFile() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Let git merge catalogs")
    try box.must("git", "uninstall", "--attributes")
    try box.mustGit(["config", "diff.stubdb.textconv", "x"])
    let status = try box.run("git", "status")
    #expect(status.code == 2 && status.out.hasPrefix("attributes    not set up\n"), "\(status)")
    let installed = try box.run("git", "install")
    #expect(installed.err.contains("Added to .gitattributes, to be committed"), "\(installed)")
    #expect(try box.git("status", "--porcelain").out == "")
    #expect(try box.run("git", "install").err.contains(".gitattributes already has the line."))
    // A later line overrides it.
    try box.write(".gitattributes", "*.stubdb -text diff=stubdb merge=stubdb\n* -diff -merge\n")
    #expect(try box.run("git", "status").code == 2)
    try box.must("git", "install")
    #expect(try box.run("git", "status").code == 0)
    #expect(
      try box.read(".gitattributes")
        == "* -diff -merge\n*.stubdb -text diff=stubdb merge=stubdb\n")
  }

  /// Other clones merge by the committed line, which a `commit -a` would take away from them.
  @Test func theLineOfTheTeamStaysUnlessTold() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install")
    try box.commit("Let git merge catalogs")
    let kept = try box.run("git", "uninstall")
    #expect(
      kept.err.hasSuffix(
        "The line in .gitattributes stays, by which other clones merge; for a team that is to do "
          + "without: stubdb git uninstall --attributes\n"), "\(kept)")
    #expect(try box.git("status", "--porcelain").out == "")
    #expect(try box.git("config", "--get-regexp", "stubdb").code == 1)
    #expect(try box.run("git", "uninstall", "--attributes").code == 0)
    #expect(try box.git("status", "--porcelain").out == " D .gitattributes\n")
  }

  /// Git would write over what came in between, and not say so.
  @Test func theConfigurationIsNotWrittenWhileAGitHasItsLock() throws {
    let box = try Sandbox.repository()
    let config = try box.read(".git/config")
    try box.write(".git/config.lock", config)
    let install = try box.run("git", "install")
    #expect(
      install.code == 1 && install.err.contains("config: another git is writing it"), "\(install)")
    #expect(try box.read(".git/config") == config && box.read(".git/config.lock") == config)
    #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/.gitattributes"))
    let hint = try firstMatch(of: /if no git runs: (rm .*)\n/, in: install.err).1
    #expect(try box.shell(String(hint)).code == 0)
    try box.must("git", "install")
    let installed = try box.read(".git/config")
    #expect(installed.hasPrefix(config) && installed.contains("textconv"))
    try box.write(".git/config.lock", "")
    let uninstall = try box.run("git", "uninstall")
    #expect(uninstall.code == 1 && uninstall.err.contains("config"), "\(uninstall)")
    #expect(try box.read(".git/config") == installed)
    try FileManager.default.removeItem(atPath: box.folder.path + "/.git/config.lock")
    try box.must("git", "uninstall")
    let left = try FileManager.default.contentsOfDirectory(atPath: box.folder.path + "/.git")
    #expect(!left.contains { $0.contains("config.") || $0.contains("tmp") }, "\(left)")
  }

  @Test func installUninstallAndStatus() throws {
    let box = try Sandbox.repository()
    try box.write(".gitattributes", "*.png binary")
    #expect(try box.run("git", "status").code == 2)
    try box.must("git", "install")
    try box.must("git", "install")
    #expect(
      try box.read(".gitattributes")
        == "*.png binary\n*.stubdb -text diff=stubdb merge=stubdb\n")
    let status = try box.run("git", "status", "--json")
    #expect(status.code == 0 && status.out.contains("\"isCurrent\": true"), "\(status)")
    try box.must("git", "uninstall")
    #expect(try box.read(".gitattributes") == "*.png binary\n")
    #expect(try box.git("config", "--get-regexp", "stubdb").code == 1)
    let outside = try Sandbox()
    let failed = try outside.run(
      "git", "install",
      environment: ["GIT_CEILING_DIRECTORIES": outside.folder.deletingLastPathComponent().path])
    #expect(failed.code == 1 && failed.err.contains("is not in a git repository"), "\(failed)")
    #expect(failed.err.hasSuffix("To make one: git init\n"))
    // A new repository would bring nothing back.
    try outside.must("init", "shop.stubdb")
    let restored = try outside.run(
      "restore", "a/b",
      environment: ["GIT_CEILING_DIRECTORIES": outside.folder.deletingLastPathComponent().path])
    #expect(
      restored.code == 1
        && restored.err.hasSuffix("Earlier versions of a catalog are those that git has.\n"),
      "\(restored)")
  }
}
