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
    try box.must("git", "uninstall")
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
  }
}
