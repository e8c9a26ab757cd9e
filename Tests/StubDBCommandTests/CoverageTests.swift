import Foundation
import Testing

/// `coverage` and `prune`, which read the usage ledger.
struct CoverageTests {
  /// A catalog with used and unused scenarios, and a ledger of two processes.
  private func box(_ more: String...) throws -> Sandbox {
    let box = try Sandbox.shop()
    try box.mustGit(["init", "-q"])
    let documents = """
      [{"scenario": "old/base", "stubs": [{"key": "base", "request": {"path": "/base"}}]},
       {"scenario": "old/flow", "includes": ["old/base"], "stubs": [
         {"key": "a", "request": {"path": "/a"}}, {"key": "b", "request": {"path": "/b"}}]},
       {"scenario": "search/empty", "stubs": [
         {"key": "hits", "request": {"path": "/hits"}}, {"key": "tips", "request": {"path": "/tips"}}]}]
      """
    let added = try box.run("add", "--file", "-", input: documents)
    try #require(added.code == 0, "\(added)")
    try box.write(
      ".stubdb/ledger/1.jsonl",
      """
      {"ledger":1,"process":"1","began":"2026-11-20T08:00:00Z"}
      {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"checkout/paid","test":"Shop/pays()",\
      "used":{"checkout/paid":["charge"]}}
      {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"search/empty","test":"Shop/finds()",\
      "used":{"search/empty":["hits"]}}
      {"ledger":1,"process":"1","ended":true}

      """)
    // As it comes from another machine.
    try box.write(
      ".stubdb/ledger/shard-2/2.jsonl",
      """
      {"ledger":1,"process":"2","began":"2026-11-20T08:05:00Z"}
      {"ledger":1,"process":"2","catalog":"/ci/shop.stubdb","scenario":"search/empty","test":"Shop/looks()",\
      "used":{"search/empty":["hits"]}}
      {"ledger":1,"process":"2","catalog":"/ci/shop.stubdb","scenario":"search/empty","used":{"gone/too":["x"]}}
      {"ledger":1,"process":"2","catalog":"/ci/other.stubdb","scenario":"old/flow","used":{"old/flow":["a"]}}
      {"ledger":1,"process":"2","ended":true}
      \(more.joined(separator: "\n"))
      """)
    return box
  }

  @Test func everyStubIsListedWithTheTestsThatUsedIt() throws {
    let box = try box()
    let result = try box.run("coverage")
    #expect(
      result.out == """
        checkout/paid      charge  1  Shop/pays()
        old/base           -       0  (not loaded)
        old/flow           -       0  (not loaded)
        search/empty       hits    2  Shop/finds(), Shop/looks()
        search/empty       tips    0  (not used)
        session/signed-in  me      0  (not used)

        """)
    #expect(
      result.err == """
        2 of 7 stubs and 3 of 5 scenarios of shop.stubdb were used, in 4 runs of 3 tests, begun from \
        2026-11-20T08:00:00Z to 2026-11-20T08:05:00Z.
        Used, but no longer in the catalog: gone/too
        Runs of a file of the same name count too: /ci/shop.stubdb

        """)
    #expect(result.code == 0)
    #expect(
      try box.run("coverage", "--by-test").out == """
        Shop/finds()  search/empty   hits
        Shop/looks()  search/empty   hits
        Shop/pays()   checkout/paid  charge

        """)
    #expect(
      try box.run("coverage", "se", "--unused").out == """
        search/empty       tips  0  (not used)
        session/signed-in  me    0  (not used)

        """)
    let json = try box.run("coverage", "checkout/", "--json")
    #expect(
      json
        == CommandResult(
          out: """
            {
              "runs": 4,
              "tests": 1,
              "unfinishedProcesses": 0,
              "unreadableLines": 0,
              "staleRuns": 0,
              "scenarios": [
                {
                  "scenario": "checkout/paid",
                  "runs": 1,
                  "tests": [
                    "Shop/pays()"
                  ],
                  "stubs": [
                    {
                      "key": "charge",
                      "runs": 1,
                      "tests": [
                        "Shop/pays()"
                      ]
                    }
                  ]
                }
              ],
              "byTest": [
                {
                  "test": "Shop/pays()",
                  "scenarios": [
                    "checkout/paid"
                  ],
                  "stubs": [
                    {
                      "scenario": "checkout/paid",
                      "key": "charge"
                    }
                  ]
                }
              ]
            }

            """))
  }

  @Test func theExitCodeSaysWhatIsMissing() throws {
    let box = try box()
    // What is no file is none of the ledger's.
    let folder = box.folder.path + "/.stubdb/ledger"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/3.jsonl", withIntermediateDirectories: false)
    #expect(mkfifo("\(folder)/4.jsonl", 0o600) == 0)
    try box.write(
      ".stubdb/ledger/5.jsonl",
      #"{"ledger":1,"process":"1","began":"2026\u001b[2J"}"# + "\n")
    let shown = try box.run("coverage")
    #expect(shown.err.contains(#"2026\u{1B}[2J"#) && !shown.err.contains("\u{1B}"), "\(shown)")
    #expect(try box.run("coverage", "--exit-code").code == 2)
    #expect(try box.run("coverage", "checkout/", "--exit-code").code == 0)
    #expect(try box.run("coverage", "nothing/").code == 2)
    #expect(try box.run("coverage", "--unused", "--by-test").code == 64)
    let nowhere = try box.run("coverage", "--ledger", "nowhere")
    #expect(nowhere.code == 1 && nowhere.err.contains("mkdir -p .stubdb/ledger"), "\(nowhere)")
    _ = try box.run("init", "else.stubdb")
    let other = try box.run("coverage", "--catalog", "else.stubdb")
    #expect(other.code == 1 && other.err.contains("It has runs of /ci/other.stubdb."), "\(other)")
  }

  @Test func pruneRemovesWhatNoTestUsedInOneStep() throws {
    let box = try box()
    let before = try box.contents().first { $0.path == "shop.stubdb" }?.content
    let lines = """
      old/base (1 stub)
      old/flow (2 stubs)
      search/empty tips
      session/signed-in me

      """
    let dry = try box.run("prune")
    #expect(
      dry
        == CommandResult(
          out: lines,
          err: """
            Would remove 2 scenarios and 2 stubs of other scenarios from shop.stubdb. Nothing was changed.
            To remove it: stubdb prune --yes

            """))
    #expect(try box.contents().first { $0.path == "shop.stubdb" }?.content == before)
    // What a scenario that stays needs stays too.
    #expect(
      try box.run("prune", "--keep", "old/flow").out == "search/empty tips\nsession/signed-in me\n")
    #expect(try box.run("prune", "old/b").out == "")
    #expect(try box.run("prune", "search/").out == "search/empty tips\n")
    #expect(
      try box.run("prune", "old/", "--json").out == """
        [
          {
            "scenario": "old/base",
            "keys": null
          },
          {
            "scenario": "old/flow",
            "keys": null
          }
        ]

        """)
    let done = try box.run("prune", "--yes")
    #expect(done.code == 0 && done.out == lines, "\(done)")
    #expect(
      try box.run("list").out.split(separator: "\n").map { $0.split(separator: " ")[..<2] } == [
        ["checkout/paid", "1+0"], ["search/empty", "1"], ["session/signed-in", "0"],
      ])
    #expect(try box.run("check").code == 0)
    #expect(try box.run("prune", "--yes").err.contains("Nothing in shop.stubdb is unused."))
  }

  @Test(arguments: [
    (#"{"ledger":1,"process":"3","began":"2026-11-20T08:05:00Z"}"#, "1 process did not end"),
    (
      #"{"ledger":1,"process":"2","catalog":"shop.stubdb","scen"#,
      "1 line of the ledger cannot be read"
    ),
    (
      #"{"ledger":1,"process":"2","catalog":"shop.stubdb","digest":"00","scenario":"checkout/paid","used":{}}"#,
      "The catalog has changed since 1 of these runs."
    ),
  ])
  func pruneIsRefusedWhereTheLedgerDoesNotSayEverything(line: String, reason: String) throws {
    let box = try box(line)
    #expect(try box.run("coverage").err.contains(reason))
    let dry = try box.run("prune")
    #expect(dry.code == 0 && dry.err.contains(reason), "\(dry)")
    let refused = try box.run("prune", "--yes")
    #expect(refused.code == 1 && refused.out == "" && refused.err.contains(reason), "\(refused)")
    #expect(refused.err.contains("stubdb prune --yes --force"))
    #expect(try box.run("list", "old/").out != "")
    #expect(try box.run("prune", "--yes", "--force").code == 0)
    #expect(try box.run("list", "old/").code == 2)
  }
}
