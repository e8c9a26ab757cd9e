import Foundation
import StubDBDocuments
import Testing

struct SearchAndCheckTests {
  @Test func searchSaysWhere() throws {
    let box = try Sandbox.shop()
    let found = try box.run("search", "CARD_DECLINED")
    #expect(
      found
        == CommandResult(out: "checkout/paid  charge  body  {\"error\":\"card_declined\"}\n"))
    #expect(
      try box.run("search", "card_declined", "--json")
        == CommandResult(
          out: """
            [
              {
                "scenario": "checkout/paid",
                "key": "charge",
                "part": "body",
                "text": "{\\"error\\":\\"card_declined\\"}"
              }
            ]

            """))
  }

  @Test func searchWithoutAHitSaysSo() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("search", "zebra")
        == CommandResult(err: "Nothing in shop.stubdb contains \"zebra\".\n", code: 2))
    #expect(try box.run("search", "zebra", "--json") == CommandResult(out: "[]\n", code: 2))
    #expect(try box.run("search", "").code == 64)
  }

  @Test func checkOfASoundCatalog() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("check")
        == CommandResult(err: "No problems in shop.stubdb: 2 scenarios, 2 stubs.\n"))
    #expect(try box.run("check", "--json") == CommandResult(out: "[]\n"))
  }

  @Test func checkSaysWhatTheFileHasOnALineEach() throws {
    let box = try Sandbox.shop()
    let file = box.folder.appendingPathComponent("shop.stubdb")
    var bytes = try Data(contentsOf: file)
    // The number of fragmented bytes of the second and third page.
    // https://sqlite.org/fileformat2.html#b_tree_pages
    for page in 1...2 { bytes[page * 4096 + 7] ^= 2 }
    try bytes.write(to: file)
    let problem = "the file is damaged: Fragmentation of 0 bytes reported as 2 on page"
    #expect(
      try box.run("check")
        == CommandResult(
          out: "\(problem) 3\n\(problem) 2\n", err: "2 problems in shop.stubdb.\n", code: 2))
  }

  @Test func checkNotesRequestsThatCouldMeanTwoOrigins() throws {
    let box = try Sandbox.shop()
    try box.write(
      "pay.json",
      """
      {"scenario": "pay/down", "includes": ["session/signed-in"], "stubs": [
        {"key": "me", "request": {"method": "GET", "url": "https://pay.test:444/v1/me"}},
        {"key": "other", "request": {"method": "PUT", "url": "https://api.shop.test/v1/me"}},
        {"key": "query", "request": {"method": "GET", "url": "https://b.test/v1/me?a=1"}}]}
      """)
    #expect(try box.run("add", "--file", "pay.json").code == 0)
    #expect(
      try box.run("check")
        == CommandResult(
          err: """
            Note: pay/down: GET /v1/me is a request to https://api.shop.test and \
            https://pay.test:444; `stubdb serve` distinguishes them by the Host field or --origin only.
            No problems in shop.stubdb: 3 scenarios, 5 stubs.

            """))
    #expect(!(try box.run("check", "checkout/paid").err.contains("Note:")))
  }

  @Test func checkTellsOfAFilterOnAnObject() throws {
    let box = try Sandbox.shop()
    try box.insertUnchecked(
      #"""
      [{"key":"a","request":{"body":[{"matchesJsonPath":"$.search[?(@.id == '1')]"},
       {"matchesJsonPath":"$.search.name"}]}},
       {"key":"b","request":{"body":[{"matchesJsonPath":"$.list[?(@.id == '1')]"},
       {"equalToJson":{"list":[]},"ignoreExtraElements":true}]}}]
      """#,
      into: "a/b")
    let result = try box.run("check")
    #expect(result.code == 2)
    #expect(result.err == "1 problem in shop.stubdb.\n")
    #expect(
      result.out.contains(
        #""$.search" is an object, and a filter tests its members (RFC 9535); to test the object itself write {"expression": "$.search.NAME", "equalTo": …}"#
      ), "\(result.out)")
  }

  @Test func checkExitsWith2WhereThereIsAProblem() throws {
    let box = try Sandbox.shop()
    try box.insertUnchecked(
      #"[{"key":"first","request":{"url":"/x"}},{"key":"second","request":{"url":"/x"}}]"#,
      into: "a/b")
    let result = try box.run("check")
    #expect(result.code == 2)
    #expect(result.out.hasPrefix("a/b second"))
    #expect(result.out.contains("first"))
    #expect(result.err == "1 problem in shop.stubdb.\n")
    let json = try box.run("check", "--json")
    #expect(json.code == 2)
    let problems = try #require(
      JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [[String: Any]])
    try #require(problems.count == 1)
    #expect(problems[0].keys.sorted() == ["key", "pointer", "problem", "scenario"])
    #expect(problems[0]["scenario"] as? String == "a/b")
    #expect(problems[0]["key"] as? String == "second")
  }

  @Test func checkSaysThePlaceOfWhatCannotBePlayedOnce() throws {
    let box = try Sandbox.shop()
    try box.insertUnchecked(
      #"{"key": "z", "responses": [{"template": true, "text": "{{math 1 'plus' 2}}"}]}"#,
      into: "a/b")
    let result = try box.run("check")
    #expect(result.code == 2)
    #expect(
      result.out == """
        a/b z /stubs/0/responses/0/text: template: "math": "plus" is not one of '+', '-', '*', '/' \
        and '%' (line 1, column 3)

        """)
  }

  @Test func schemaIsJSON() throws {
    let box = try Sandbox()
    let result = try box.run("schema")
    #expect(result.code == 0 && result.err == "")
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["$id"] as? String == "urn:stubdb:document")
  }

  @Test func editorsGetTheFilesThatAreDocuments() throws {
    let box = try Sandbox.repository()
    try box.must("git", "install", "--mirror", "texts")
    try box.commit("Mirror the stubs")
    let setting = """
      {
        "json.schemas": [
          {
            "fileMatch": [
              "texts/**/*.json",
              "!texts/**/*.files/**",
              "*.stubdb.json"
            ],
            "url": "./.vscode/stubdb.schema.json"
          }
        ]
      }

      """
    #expect(try box.run("schema", "--vscode").out == setting)
    let chosen = try box.run("schema", "--vscode", "a/*.json")
    #expect(chosen.out.contains("\"a/*.json\"") && !chosen.out.contains("texts"), "\(chosen)")
    #expect(try box.run("schema", "a/*.json").code == 64)
  }

  @Test func checkReportsRecordingsThatAreTooOld() throws {
    let box = try Sandbox.shop()
    for (name, day) in [("old", "2001-02-03T23:59:59-08:00"), ("new", "2999-01-01")] {
      try box.must("add", "a/\(name)", "--key", "get", "--url", "/x", "--recorded", day)
    }
    #expect(try box.run("check").code == 0)
    let result = try box.run("check", "--max-age", "90")
    #expect(result.code == 2)
    #expect(try box.run("check", "--max-age", "90d") == result)
    #expect(try box.run("check", "--max-age", "12w").code == 2)
    #expect(
      result.out.hasPrefix(
        "a/old get /stubs/0/recorded/at: it was recorded on 2001-02-03, before 2"))
    #expect(result.out.split(separator: "\n").count == 1)
    // The command at the end of the line works as printed, wherever the catalog is.
    try box.write("sub/note", "")
    let seen = try box.run("check", "--max-age", "90", "--catalog", "../shop.stubdb", in: "sub")
    let line = try #require(seen.out.split(separator: "then set its day: ").last)
    #expect(line.hasPrefix("stubdb set a/old get --recorded 2"))
    #expect(try box.shell(String(line), in: "sub").code == 0)
    #expect(try box.run("check", "--max-age", "90").code == 0)
    #expect(try box.run("check", "a/new", "--max-age", "0").code == 0)
    for age in ["-1", "36501", "6000w", "3h", "d", ""] {
      #expect(try box.run("check", "--max-age", age).code == 64, "\(age)")
    }
  }

  @Test func checkListsWhatIsOverAtALaterTime() throws {
    let box = try Sandbox.shop()
    // {"exp":1798761600}, the first moment of 2027.
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTg3NjE2MDB9.c2ln"
    try box.write(
      "a.json",
      """
      { "scenario": "a/old", "stubs": [
        { "key": "get", "recorded": { "at": "2026-11-21" },
          "request": { "url": "/x", "query": { "to": { "before": "2027-01-05" }, "at": { "after": "now -1 days" } } },
          "responses": [ {
            "headers": { "Set-Cookie": "s=1; Expires=Mon, 21 Dec 2026 08:00:00 GMT", "Date": "Sat, 21 Nov 2026 08:00:00 GMT",
                         "Cache-Control": "max-age=60" },
            "json": { "a": [ { "due": "2026-12-01" } ], "born": "1990-05-17", "expires_at": 1795248000, "far": "2099-01-01",
                      "order": "2026-12", "token": "\(token)",
                      "url": "https://a.test/x?X-Amz-Date=20261121T080000Z&X-Amz-Expires=3600&X-Amz-Signature=ab" } } ] } ] }
      """)
    try box.must("add", "--file", "a.json")
    #expect(try box.run("check").code == 0)
    let result = try box.run("check", "--at", "2028-05-21")
    #expect(result.code == 2)
    #expect(
      result.out == """
        a/old get /stubs/0/request/query/to: before 2027-01-05 has another meaning on 2028-05-21; write it as an offset such as "now +3 days"
        a/old get /stubs/0/responses/0/headers/Set-Cookie: Mon, 21 Dec 2026 08:00:00 GMT was ahead when it was recorded, and is over on 2028-05-21
        a/old get /stubs/0/responses/0/json/a/0/due: 2026-12-01 was ahead when it was recorded, and is over on 2028-05-21
        a/old get /stubs/0/responses/0/json/expires_at: 1795248000 (2026-11-21T08:00:00Z) was ahead when it was recorded, and is over on 2028-05-21
        a/old get /stubs/0/responses/0/json/token: a signed token ends on 2027-01-01T00:00:00Z, and its signature allows no other date
        a/old get /stubs/0/responses/0/json/url: a signed URL ends on 2026-11-21T09:00:00Z, and its signature allows no other date

        """)
    #expect(try box.run("check", "--at", "2026-11-22").out.split(separator: "\n").count == 2)
    #expect(try box.run("check", "--at", "2026-11-22", "--json").out.contains("/json/expires_at"))
    #expect(
      try box.run("check", "--at", "+1y", "--format", "junit").out.contains("ageing"))
    for moment in [
      "+", "+18", "18mo", "+3h", "+-1d", "2026-13-01", "+999999999999999999999d", "",
      "Sat, 21 Nov 2026 08:00:00 GMT", "2026-11-21T08:00",
    ] {
      let refused = try box.run("check", "--at", moment)
      #expect(refused.code == 64 && refused.err.contains("+18mo or +2y"), "\(moment): \(refused)")
      if moment.hasPrefix("+") { continue }
      #expect(try box.run("match", "a/old", "GET", "/x", "--today", moment).code == 64, "\(moment)")
    }
    let match = try box.run(
      "match", "a/old", "GET", "/x?to=2027-02-01&at=2027-02-28", "--today", "2027-02-28T12:00:00Z")
    #expect(match.code == 0 && match.out.contains("2027-03-10"), "\(match)")
    #expect(try box.run("match", "a/old", "GET", "/x", "--today", "2023-02-29").code == 64)
  }

  @Test func checkOfOneScenarioLeavesTheOthersOut() throws {
    let box = try Sandbox.shop()
    try box.insertUnchecked(
      #"[{"key":"first","request":{"url":"/x"}},{"key":"second","request":{"url":"/x"}}]"#,
      into: "a/b")
    #expect(
      try box.run("check", "checkout/paid")
        == CommandResult(err: "No problems in checkout/paid of shop.stubdb: 1 scenario, 1 stub.\n"))
    let found = try box.run("check", "a/b")
    #expect(found.code == 2 && found.out.hasPrefix("a/b second "))
    #expect(found.err == "1 problem in a/b of shop.stubdb.\n")
    let missing = try box.run("check", "checkout/payd")
    #expect(missing.code == 1 && missing.err.contains("Did you mean checkout/paid?"))
  }
  @Test func checkOfANameWithASlashIsOfAllBelowIt() throws {
    let box = try Sandbox.shop()
    try box.insertUnchecked(
      #"[{"key":"first","request":{"url":"/x"}},{"key":"second","request":{"url":"/x"}}]"#,
      into: "a/b")
    #expect(
      try box.run("check", "checkout/")
        == CommandResult(err: "No problems in checkout/ of shop.stubdb: 1 scenario, 1 stub.\n"))
    let found = try box.run("check", "a/")
    #expect(found.code == 2 && found.out.hasPrefix("a/b second "))
    let missing = try box.run("check", "ab/")
    #expect(missing.code == 1 && missing.err.contains("there is no scenario below"), "\(missing)")
  }

  @Test(arguments: ["check", "scan", "coverage"])
  func aCatalogThatCannotBeOpenedIsAFinding(command: String) throws {
    let box = try Sandbox()
    try box.write("shop.stubdb", "no catalog")
    let plain = try box.run(command)
    #expect(plain.code == 1 && plain.out == "" && plain.err.contains("not a stubdb catalog"))
    for (format, found) in [
      ("github", "shop.stubdb,title=stubdb \(command)%3A unreadable::"),
      ("sarif", #""executionSuccessful": false"#), ("junit", #"<failure type="unreadable""#),
    ] {
      let result = try box.run(command, "--format", format)
      #expect(result.out.contains(found), "\(result)")
      #expect(result.out.contains("not a stubdb catalog"), "\(result)")
      #expect(result.err == plain.err && result.code == 1, "\(result)")
    }
    try FileManager.default.removeItem(at: box.folder.appendingPathComponent("shop.stubdb"))
    let missing = try box.run(command, "--format", "junit")
    #expect(missing.code == 1 && missing.out.contains("there is no catalog"), "\(missing)")
    let anywhere = try box.run(command, "--format", "github")
    #expect(anywhere.out.hasPrefix("::error file=.,"), "\(anywhere)")
  }

  @Test func aCatalogThatIsDamagedWithinIsAFindingOfTheScan() throws {
    let box = try Sandbox.shop()
    let file = box.folder.appendingPathComponent("shop.stubdb")
    var content = try Data(contentsOf: file)
    for place in content.indices.dropFirst(8_192) { content[place] ^= 0x5a }
    try content.write(to: file)
    let result = try box.run("scan", "--format", "github")
    #expect(result.code == 1 && result.out.contains("scan%3A unreadable::"), "\(result)")
    #expect(result.out.contains("is damaged") && result.err.contains("is damaged"))
  }

  @Test(arguments: [
    (["check", "checkout/payd"], "there is no scenario checkout/payd"),
    (["check", "nothing/"], "there is no scenario below"),
    (["check", "--openapi", "none.yaml"], "none.yaml"),
    (["coverage", "--ledger", "nowhere"], "nowhere"),
    (["scan", "--exceptions", "bad.json"], "bad.json"),
    (["verify", "--live", "checkout/payd"], "checkout/payd"),
    (["verify", "--live", "checkout/paid", "--exceptions", "none.json"], "none.json"),
  ])
  func aCommandThatFailsSaysSoAsAFinding(words: [String], text: String) throws {
    let box = try Sandbox.shop()
    try box.write("bad.json", "{")
    func run(_ more: String...) throws -> CommandResult {
      try box.run(executable: Sandbox.binary, arguments: words + more)
    }
    let plain = try run()
    #expect(plain.code == 1 && plain.out == "" && plain.err.contains(text), "\(plain)")
    for (format, found) in [
      ("github", "shop.stubdb,title=stubdb \(words[0])%3A failed::"),
      ("sarif", #""executionSuccessful": false"#), ("junit", #"<failure type="failed""#),
    ] {
      let result = try run("--format", format)
      #expect(result.out.contains(found) && result.out.contains(text), "\(result)")
      #expect(result.err == plain.err && result.code == 1, "\(result)")
    }
  }

  @Test func namesAndRequestsThatAreNotThereAreFindings() throws {
    let box = try Sandbox.shop()
    try box.write(
      ".stubdb/ledger/1.jsonl",
      #"{"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"checkout/paid","used":{}}"#
        + "\n")
    let coverage = try box.run("coverage", "nothing/", "--format", "junit")
    #expect(coverage.code == 2, "\(coverage)")
    #expect(coverage.out.contains(#"message="No scenario begins with "#), "\(coverage)")
    #expect(coverage.out.contains(#"tests="1" failures="1""#), "\(coverage)")
    let document = #"{"scenario": "a/b", "stubs": [{"key": "any", "request": {"method": "GET"}}]}"#
    try box.write("any.json", document)
    try box.must("add", "--file", "any.json")
    let verify = try box.run("verify", "--live", "a/b", "--format", "github")
    #expect(verify.code == 1, "\(verify)")
    #expect(
      verify.out.hasSuffix("failed::no stub gives a request that could be sent\n"), "\(verify)")
  }

  @Test func aCatalogThatGitHasNotMergedIsAFinding() throws {
    let box = try Sandbox.repository()
    try box.mustGit(["checkout", "-q", "-b", "left"])
    try box.must("add", "a/left", "--url", "/left")
    try box.commit("left")
    try box.mustGit(["checkout", "-q", "-b", "right", "main"])
    try box.must("add", "a/right", "--url", "/right")
    try box.commit("right")
    #expect(try box.git("merge", "left").code == 1)
    let result = try box.run("check", "--format", "github")
    #expect(result.code == 1 && result.out.contains("failed::git has not merged"), "\(result)")
  }
}
