import Foundation
import Testing

struct DiffTests {
  /// A name that was mistyped must not cost the file that has it.
  @Test func aMergeReplacesNoFileThatIsNoCatalog() throws {
    let box = try Sandbox.shop()
    try box.write("notes.txt", "mine")
    let words = ["merge", "shop.stubdb", "shop.stubdb", "shop.stubdb", "--output"]
    #expect(
      try box.run(executable: Sandbox.binary, arguments: words + ["notes.txt"])
        == CommandResult(
          err: """
            Error: "notes.txt" is there and is no catalog; nothing was written
            To replace it, remove it first

            """, code: 1))
    let kept = box.folder.appendingPathComponent("notes.txt")
    #expect(try String(contentsOf: kept, encoding: .utf8) == "mine")
    // A tool of git names a file that is there, perhaps empty, or an earlier version.
    try box.write("merged.stubdb", "")
    for _ in 1...2 {
      let merged = try box.run(executable: Sandbox.binary, arguments: words + ["merged.stubdb"])
      #expect(merged == CommandResult(err: "Merged into merged.stubdb.\n"))
    }
  }

  @Test func theWorkingCatalogIsComparedWithTheLastCommit() throws {
    let box = try Sandbox.repository()
    #expect(try box.run("diff") == CommandResult(err: "No differences.\n"))
    try box.must("set", "checkout/paid", "charge", "--response", "1", "--status", "409")
    try box.must("add", "orders/new", "--key", "list", "--url", "/v1/orders")
    try box.must("rename", "session/signed-in", "session/ada")
    #expect(
      try box.run("diff")
        == CommandResult(
          out: """
            ~ checkout/paid
                /includes/0  "session/signed-in" → "session/ada"
              ~ charge
                  /responses/0/status  402 → 409
            + orders/new (1 stub)
            ~ session/signed-in → session/ada

            """))
  }

  @Test func exitCodeAndQuietTellDifferencesApart() throws {
    let box = try Sandbox.repository()
    for option in ["--exit-code", "--quiet", "-q"] {
      let result = try box.run("diff", option)
      #expect(result.code == 0 && result.out == "", "\(option) \(result)")
    }
    try box.must("tag", "checkout/paid", "--add", "new")
    let shown = try box.run("diff")
    #expect(shown.code == 0 && shown.out.contains("/tags"))
    #expect(try box.run("diff", "--exit-code") == CommandResult(out: shown.out, code: 2))
    #expect(try box.run("diff", "--exit-code", "--json").code == 2)
    #expect(try box.run("diff", "--quiet") == CommandResult(code: 2))
  }

  @Test func twoScenariosAreComparedWhateverTheirNames() throws {
    let box = try Sandbox.shop()
    try box.must("copy", "session/signed-in", "session/out")
    #expect(
      try box.run("diff", "session/signed-in", "session/out")
        == CommandResult(err: "No differences.\n"))
    try box.must("set", "session/out", "me", "--status", "401")
    let result = try box.run("diff", "session/signed-in", "session/out", "--json")
    #expect(
      result
        == CommandResult(
          out: """
            [
              {
                "change": "renamed",
                "scenario": "session/out",
                "key": null,
                "pointer": "",
                "before": "session/signed-in",
                "after": "session/out"
              },
              {
                "change": "changed",
                "scenario": "session/out",
                "key": "me",
                "pointer": "/responses/0/status",
                "before": null,
                "after": 401
              }
            ]

            """))
  }

  @Test func twoCatalogsAndMarkdown() throws {
    let box = try Sandbox.shop()
    try FileManager.default.copyItem(
      at: box.folder.appendingPathComponent("shop.stubdb"),
      to: box.folder.appendingPathComponent("old.stubdb"))
    try box.must(
      "set", "session/signed-in", "me", "--text", "a|b`c", "--catalog", "shop.stubdb")
    let result = try box.run("diff", "old.stubdb", "shop.stubdb", "--markdown")
    #expect(
      result
        == CommandResult(
          out: """
            ### Stub catalog: 1 scenario changed

            **Changed** `session/signed-in`

            | stub | place | before | after |
            |---|---|---|---|
            | `me` | `/responses/0/text` | `"Ada"` | `` "a\\|b`c" `` |

            """))
  }

  @Test func whatLooksTheSameIsShownInEscapes() throws {
    let box = try Sandbox.repository()
    try box.must(
      "add", "b", "--key", "k", "--url", "/a", "--summary", "é", "--when-query", "é=1",
      "--header", "X-Foo: 1")
    try box.must("copy", "b", "c")
    try box.must("set", "c", "k", "--summary", "e\u{301}", "--header", "x-foo: 1")
    try box.must("set", "c", "k", "--when-query", "e\u{301}=1")
    let shown = try box.run("diff", "b", "c").out
    #expect(
      shown == """
        ~ b → c
          ~ k
              /summary  "\\u00e9" → "e\\u0301"
              /request/query/é  + "1"
              /request/query/é  - "1"
              /responses/0/headers/X-Foo  - "1"
              /responses/0/headers/x-foo  + "1"

        """)
    #expect(try box.run("diff", "b", "c", "--quiet").code == 2)
  }

  @Test func aHookFindsTheRepositoryOfTheCatalog() throws {
    let box = try Sandbox.repository()
    try box.must("tag", "checkout/paid", "--add", "new")
    let result = try box.run(
      "diff", "--catalog", "../shop.stubdb", environment: ["GIT_DIR": ".git"], in: ".git")
    #expect(result.code == 0 && result.out.contains("/tags"), "\(result)")
  }

  @Test func whatCannotBeComparedIsSaid() throws {
    let box = try Sandbox.repository()
    let revision = try box.run("diff", "--rev", "nowhere")
    #expect(revision.code == 1 && revision.err.contains("git knows no revision \"nowhere\""))
    let scenario = try box.run("diff", "checkout/payd")
    #expect(scenario.code == 1 && scenario.err.contains("Did you mean checkout/paid?"))
    let mixed = try box.run("diff", "shop.stubdb", "checkout/paid")
    #expect(mixed.code == 64 && mixed.err.contains("compare two catalogs or two scenarios"))
  }
}
