import Foundation
import Testing

struct CatalogLookupTests {
  /// A sandbox with three catalogs, each with a scenario of the same name.
  private func three() throws -> Sandbox {
    let box = try Sandbox()
    for (path, name) in [
      ("here.stubdb", "in/here"), ("deep/option.stubdb", "in/option"),
      ("other/variable.stubdb", "in/variable"),
    ] {
      #expect(try box.run("init", path).code == 0)
      #expect(try box.run("add", name, "--url", "/", "--catalog", path).code == 0)
    }
    return box
  }

  @Test func theOptionComesBeforeTheVariableBeforeTheFolder() throws {
    let box = try three()
    let variable = ["STUBDB_CATALOG": "other/variable.stubdb"]
    let option = try box.run(
      "list", "--catalog", "deep/option.stubdb", environment: variable)
    #expect(option == CommandResult(out: "in/option  1\n"))
    #expect(try box.run("list", environment: variable) == CommandResult(out: "in/variable  1\n"))
    #expect(
      try box.run("list", environment: ["STUBDB_CATALOG": ""])
        == CommandResult(out: "in/here  1\n"))
  }

  @Test func theNearestFolderAboveIsSearched() throws {
    let box = try three()
    try box.write("empty/below/note.txt", "")
    #expect(try box.run("list", in: "empty/below") == CommandResult(out: "in/here  1\n"))
    #expect(try box.run("list", in: "deep") == CommandResult(out: "in/option  1\n"))
  }

  @Test func whatIsAboveARepositoryIsNotFoundButNamed() throws {
    let box = try three()
    try box.write("project/.git/HEAD", "ref: refs/heads/main\n")
    try box.write("project/below/note.txt", "")
    #expect(
      try box.run("list", in: "project/below")
        == CommandResult(
          err: """
            Error: there is no catalog (*.stubdb) in this folder or a folder above it up to the top of its git repository
            To use the one above: --catalog \(box.folder.path)/here.stubdb
            To make one here: stubdb init
            To use one elsewhere: --catalog PATH, or set $STUBDB_CATALOG

            """, code: 1))
  }

  @Test func severalInOneFolderAreListed() throws {
    let box = try three()
    _ = try box.run("init", "second.stubdb")
    #expect(
      try box.run("list")
        == CommandResult(
          err: """
            Error: \(box.folder.path) has 2 catalogs; choose one with --catalog or $STUBDB_CATALOG
              --catalog here.stubdb
              --catalog second.stubdb

            """, code: 1))
  }

  @Test func withoutOneTheErrorSaysInit() throws {
    let box = try Sandbox()
    // The search ends here.
    try box.write(".git/HEAD", "ref: refs/heads/main\n")
    #expect(
      try box.run("list")
        == CommandResult(
          err: """
            Error: there is no catalog (*.stubdb) in this folder or a folder above it up to the top of its git repository
            To make one here: stubdb init
            To use one elsewhere: --catalog PATH, or set $STUBDB_CATALOG

            """, code: 1))
    #expect(
      try box.run("list", "--catalog", "no/such.stubdb")
        == CommandResult(
          err: """
            Error: there is no catalog at no/such.stubdb
            To make one: stubdb init no/such.stubdb

            """, code: 1))
    #expect(
      try box.run("list", environment: ["STUBDB_CATALOG": "gone.stubdb"]).err.hasPrefix(
        "Error: there is no catalog at gone.stubdb, the path in $STUBDB_CATALOG\n"))
  }

  @Test func aCatalogWithANearNameIsNamed() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("list", "--catalog", "shp.stubdb")
        == CommandResult(
          err: """
            Error: there is no catalog at shp.stubdb
            Did you mean shop.stubdb?

            """, code: 1))
    #expect(
      try box.run("list", "--catalog", "s3://stubs/shop")
        == CommandResult(
          err: """
            Error: "s3://stubs/shop" is a URL, and not the path of a catalog
            To bring a published catalog here: stubdb pull s3://stubs/shop

            """, code: 1))
    #expect(
      try box.run("list", "chekout/").err
        == "No scenario in shop.stubdb begins with \"chekout/\".\nDid you mean checkout/paid?\n")
    let named = try box.run("show", "shop.stubdb")
    #expect(
      named.code == 1 && named.err.hasSuffix("\nTo name the catalog: --catalog shop.stubdb\n"))
  }

  @Test func aCatalogThatCannotBeReadIsNotCalledMissing() throws {
    let box = try Sandbox.shop()
    let loop = box.folder.appendingPathComponent("loop.stubdb").path
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop.stubdb")
    let result = try box.run("list", "--catalog", "loop.stubdb")
    #expect(result.code == 1 && result.err.contains("loop.stubdb cannot be read: "), "\(result)")
    // The administrator may read everything.
    guard geteuid() != 0 else { return }
    chmod(box.folder.appendingPathComponent("shop.stubdb").path, 0)
    let refused = try box.run("list")
    #expect(
      refused.code == 1 && refused.err.contains("shop.stubdb cannot be read: the permissions"))
    #expect(!refused.err.contains("init") && !refused.err.contains("$STUBDB_CATALOG"), "\(refused)")
  }

  @Test(.enabled(if: Sandbox.permissionsCanBind, "permissions cannot bind root here"))
  func aFolderThatCannotBeListedIsNotPassedOver() throws {
    let box = try Sandbox.shop()
    let folder = box.folder.appendingPathComponent("closed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    chmod(folder.path, 0o311)
    defer { chmod(folder.path, 0o755) }
    let result = try box.runBoundByPermissions("list", in: "closed")
    #expect(result.code == 1 && result.out == "")
    #expect(
      result.err.contains("closed: the permissions of the folder forbid to list it\n")
        && result.err.hasSuffix("--catalog PATH, or set $STUBDB_CATALOG\n"), "\(result)")
  }

  @Test func catalogsBelowAreNamed() throws {
    let box = try Sandbox()
    try box.write(".git/HEAD", "ref: refs/heads/main\n")
    try box.must("init", "Tests/My Fixtures/shop.stubdb")
    try box.must("init", "b.stubdb/x.stubdb")
    try box.write(".build/copy.stubdb", "")
    #expect(
      try box.run("list")
        == CommandResult(
          err: """
            Error: there is no catalog (*.stubdb) in this folder or a folder above it up to the top of its git repository
            To use the one below: --catalog b.stubdb/x.stubdb
            To use the one below: --catalog 'Tests/My Fixtures/shop.stubdb'
            To make one here: stubdb init
            To use one always: export STUBDB_CATALOG=PATH

            """, code: 1))
  }

  @Test(arguments: [
    "list", "init", "init a.stubdb", "list --catalog x.stubdb", "git status", "mirror x",
    "---completion list -- positional@0 0 1 ''",
  ])
  func aCurrentFolderThatWasRemovedEndsTheSearch(words: String) throws {
    let box = try Sandbox.shop()
    let gone = "mkdir gone; cd gone; rmdir ../gone; "
    let result = try box.shell(gone + "timeout 20 stubdb " + words)
    if words.hasPrefix("---") {
      #expect(result.code != 124)
    } else {
      #expect(
        result
          == CommandResult(
            err: """
              Error: the current folder no longer exists
              To go to a folder that does: cd PATH; or to work in one from here: stubdb -C PATH ...

              """, code: 1))
    }
    #expect(
      try box.shell(gone + "stubdb -C '\(box.folder.path)' list").out.hasPrefix("checkout/paid "))
    #expect(try box.shell(gone + "stubdb --help").code == 0)
  }

  @Test func initMakesACatalogAndNeverTouchesOne() throws {
    let box = try Sandbox()
    #expect(
      try box.run("init")
        == CommandResult(
          err: """
            Made stubs.stubdb. Next, put a scenario in:
              stubdb add checkout/paid --method POST --url https://api.shop.test/v1/charges \
            --status 201 --json '{"id": "ch_1"}'

            """))
    _ = try box.run("add", "a/b", "--url", "/")
    let again = try box.run("init", "stubs")
    #expect(again.code == 1)
    #expect(again.err.hasPrefix("Error: "))
    #expect(again.err.contains("stubs.stubdb"))
    #expect(try box.run("list").out == "a/b  1\n")
    let deep = try box.run("init", "Tests/Fixtures/shop.stubdb")
    #expect(deep.err.contains("--catalog Tests/Fixtures/shop.stubdb"))
    #expect(try box.run("list", "--catalog", "Tests/Fixtures/shop.stubdb").code == 0)
    let second = try box.run("init", "second")
    #expect(
      second.err.hasSuffix(
        """
        There are 2 catalogs in this folder now, so commands need the name of one: --catalog \
        second.stubdb, or export STUBDB_CATALOG=second.stubdb

        """), "\(second)")
    #expect(try box.shell(String(second.err.split(separator: "\n")[1])).code == 0)
  }

  @Test func whatIsNoCatalogIsRefused() throws {
    let box = try Sandbox()
    try box.write("shop.stubdb", String(repeating: "not a database\n", count: 1000))
    let result = try box.run("list")
    #expect(result.code == 1)
    #expect(result.out == "")
    #expect(result.err.hasPrefix("Error: ") && result.err.contains("shop.stubdb"))
  }
}
