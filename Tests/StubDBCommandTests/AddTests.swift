import Foundation
import StubDBTestSupport
import Testing

struct AddTests {
  @Test(.enabled(if: Sandbox.permissionsCanBind, "permissions cannot bind root here"))
  func initSaysWhyItCannotWrite() throws {
    let box = try Sandbox()
    let folder = box.folder.appendingPathComponent("closed").path
    try box.write("closed/x", "")
    chmod(folder, 0o555)
    defer { chmod(folder, 0o755) }
    let file = try box.runBoundByPermissions("init", "\(folder)/b.stubdb")
    #expect(
      file
        == CommandResult(
          err: "Error: the catalog \(folder)/b.stubdb cannot be written: "
            + "the permissions of its folder forbid it\n", code: 1), "\(file)")
    let deep = try box.runBoundByPermissions("init", "\(folder)/deep/b.stubdb")
    #expect(
      deep.code == 1
        && deep.err.hasPrefix("Error: cannot make the folder \"\(folder)/deep\": the "),
      "\(deep)")
  }

  @Test func theRequestToTryNextCanBeTypedWhereAnyHostMatches() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    let added = try box.run("add", "checkout/paid", "--method", "GET", "--url", "/v1/me")
    #expect(added.err.contains("      stubdb match checkout/paid GET https://any.test/v1/me\n"))
    #expect(try box.run("match", "checkout/paid", "GET", "https://any.test/v1/me").code == 0)
  }

  @Test(arguments: [
    ["--method", "POST", "--url", "/v1/charges", "--when-body-json", #"{"it's": "@a b"}"#],
    ["--url", "https://api.shop.test:8080/v1/notes?page=1&q=a%20b"],
    ["--url", "/v1/{id}/x", "--when-query", "a&b=c+d é", "--when-header", "X-Beta: it's on"],
    ["--url", "/**", "--method", "PURGE", "--when-body", "@@handle"],
  ])
  func theRequestToTryNextIsAnswered(options: [String]) throws {
    let box = try Sandbox()
    _ = try box.run("init", "deep/shop.stubdb")
    for catalog in [[], ["--catalog", "deep/shop.stubdb"]] {
      let name = catalog.isEmpty ? "a/found" : "a/named"
      let added = try box.run(
        executable: Sandbox.binary, arguments: ["add", name] + options + catalog,
        in: catalog.isEmpty ? "deep" : "")
      let lines = added.err.split(separator: "\n").filter { $0.contains(" stubdb ") }
      #expect(lines.count == 2, "\(added)")
      for line in lines {
        let command = line.replacing("Next: ", with: "").trimmingCharacters(in: .whitespaces)
        let result = try box.shell(command, in: catalog.isEmpty ? "deep" : "")
        #expect(result.code == 0, "\(command) \(result)")
      }
    }
  }

  @Test func moreFieldsThanARequestCanHoldAreNoExample() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    // More fields than `HTTPFields` can hold; a long query is not a special case.
    for (name, count) in [("headers", 70_000), ("query", 1_000)] {
      let patterns = (0..<count).map { #""x-\#($0)": "1""# }.joined(separator: ", ")
      try box.write(
        "stub.json",
        #"{"scenario": "a/\#(name)", "stubs": [{"key": "k", "request": {"\#(name)": {\#(patterns)}}, "responses": [{}]}]}"#
      )
      let added = try box.run("add", "--file", "stub.json")
      #expect(added.code == 0 && !added.err.contains("stubdb match"), "\(added.err.prefix(300))")
    }
    let fields = (0..<1_001).map { #""x-\#($0)": "1""# }.joined(separator: ", ")
    try box.write(
      "stub.json",
      #"{"scenario": "a/b", "stubs": [{"key": "k", "request": {}, "responses": [{"headers": {\#(fields)}}]}]}"#
    )
    let refused = try box.run("add", "--file", "stub.json")
    #expect(
      refused.code == 1 && refused.err.contains("a response has at most 1000 header fields"),
      "\(refused.err.prefix(300))")
    let headers = (0..<1001).flatMap { _ in ["-H", "a:b"] }
    let asked = try box.run(
      executable: Sandbox.binary,
      arguments: ["match", "a/query", "GET", "https://h.test/"] + headers)
    #expect(asked.code == 64 && asked.err.contains("at most 1000 header fields"))
  }

  @Test func aStubFromOptions() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    let added = try box.run(
      "add", "checkout/paid", "--method", "POST", "--url",
      "https://api.shop.test/v1/charges?expand=customer", "--when-header",
      "Authorization: Bearer x",
      "--when-query", "page=2", "--when-body-json", #"{"amount":1200}"#, "--status", "201",
      "--header", "X-Id: 7", "--header", "Set-Cookie: a=1", "--header", "Set-Cookie: b=2",
      "--json", #"{"id": "ch_1"}"#, "--delay", "200ms", "--priority", "2", "--summary", "paid")
    #expect(
      added
        == CommandResult(
          err: """
            Added stub post-v1-charges to new scenario checkout/paid in shop.stubdb.
            Next: stubdb show checkout/paid
                  in a test: @Test(.scenario("checkout/paid"))

            """))
    #expect(
      try box.run("show", "checkout/paid", "--json").out == """
        {
          "scenario": "checkout/paid",
          "stubs": [
            {
              "key": "post-v1-charges",
              "summary": "paid",
              "priority": 2,
              "request": {
                "method": "POST",
                "url": "https://api.shop.test/v1/charges",
                "query": {
                  "expand": "customer",
                  "page": "2"
                },
                "headers": {
                  "Authorization": "Bearer x"
                },
                "body": {
                  "equalToJson": {
                    "amount": 1200
                  }
                }
              },
              "responses": [
                {
                  "status": 201,
                  "headers": {
                    "Set-Cookie": ["a=1", "b=2"],
                    "X-Id": "7"
                  },
                  "json": {
                    "id": "ch_1"
                  },
                  "delay": "200ms"
                }
              ]
            }
          ]
        }

        """)
  }

  @Test(arguments: [
    (["--method", "GET", "--url", "/v1/charges"], "get-v1-charges"),
    (["--url", "/v1/charges/{id}"], "any-v1-charges"),
    (["--method", "DELETE", "--url", "https://a.test"], "delete"),
    (["--method", "GET", "--url", "/v1/**"], "get-v1"),
    (["--method", "GET", "--url", "/a%20b/Ünï.json"], "get-a-b-uni.json"),
  ])
  func theKeyIsMadeFromMethodAndPath(options: [String], key: String) throws {
    let box = try Sandbox.shop()
    for (number, expected) in [key, "\(key)-2", "\(key)-3"].enumerated() {
      let other = ["--status", "204", "-H", "X-Number: \(number)"]
      let added = try box.run(
        executable: Sandbox.binary, arguments: ["add", "a/b"] + options + other)
      #expect(added.err.hasPrefix("Added stub \(expected) to "))
    }
  }

  @Test func bodiesErrorsAndFaults() throws {
    let box = try Sandbox.shop()
    try box.write("bodies/vip.json", #"{"vip":  true}"#)
    func response(_ options: String...) throws -> String {
      let added = try box.run(
        executable: Sandbox.binary,
        arguments: ["add", "a/b", "--key", "k", "--url", "/x", "--replace"] + options)
      try #require(added.code == 0, "\(added)")
      return try box.run("show", "a/b", "k").out.components(separatedBy: "  -> ")[1]
    }
    #expect(
      try response("--body-file", "bodies/vip.json")
        == "status 200\n     Content-Type: application/json\n     {\"vip\":  true}\n")
    #expect(try response("--text", "-1") == "status 200\n     -1\n")
    #expect(
      try response("--error", "timedOut") == "error timedOut (NSURLErrorDomain -1001)\n")
    #expect(try response("--fault", "connectionReset") == "fault connectionReset\n")
    #expect(try response("--status", "204") == "status 204\n")
  }

  @Test func anExistingKeyIsRefusedUnlessReplaced() throws {
    let box = try Sandbox.shop()
    let arguments = ["add", "session/signed-in", "--key", "me", "--url", "/v2/me"]
    #expect(
      try box.run(executable: Sandbox.binary, arguments: arguments)
        == CommandResult(
          err: """
            Error: scenario session/signed-in already has a stub "me"
            To put this one in its place: stubdb add session/signed-in --key me --url /v2/me --replace
            To keep both: --key with another name

            """, code: 1))
    #expect(
      try box.run("show", "session/signed-in", "--json").out == ShopDocuments.signedIn)
    #expect(
      try box.run(executable: Sandbox.binary, arguments: arguments + ["--replace"])
        == CommandResult(
          err: """
            Replaced stub me of session/signed-in in shop.stubdb.
            Note on stub me: it answers any method; --method GET, or "method": "GET", restricts it.

            """))
    #expect(try box.run("show", "session/signed-in").out.contains("any method /v2/me"))
  }

  @Test func whatAnOptionMayNotSayNamesTheOption() throws {
    let box = try Sandbox.shop()
    func complaint(_ options: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary, arguments: ["add", "a/b", "--url", "/x"] + options)
    }
    let status = try complaint("--status", "42")
    #expect(status.code == 64)
    #expect(status.err.hasPrefix("Error: --status: "))
    #expect(status.err.hasSuffix("\n  See 'stubdb add --help' for more information.\n"))
    #expect(try complaint("--delay", "soon").err.hasPrefix("Error: --delay: "))
    let error = try complaint("--error", "timedout")
    #expect(error.err.hasPrefix("Error: --error: ") && error.err.contains("\"timedOut\""))
    #expect(
      try complaint("--json", "{").err.hasPrefix(
        "Error: --json: it is not JSON: "))
    #expect(try complaint("--header", "no colon").err.contains("write it as 'Name: value'"))
    #expect(try complaint("--json", "1", "--text", "1").code == 64)
    #expect(
      try complaint("--body-file", "no.json")
        == CommandResult(
          err: "Error: --body-file: cannot read the file \"no.json\": there is no such file\n",
          code: 1))
    #expect(try box.run("list", "a/").out == "")
  }

  @Test func documentsStubsAndListsFromFiles() throws {
    let box = try Sandbox()
    _ = try box.run("init", "shop.stubdb")
    try box.write("docs/paid.json", ShopDocuments.paid)
    try box.write("docs/session.json", ShopDocuments.signedIn)
    #expect(
      try box.run("add", "--file", "docs/paid.json", "--file", "docs/session.json").err.hasPrefix(
        """
        Added scenario checkout/paid (1 stub) in shop.stubdb.
        Added scenario session/signed-in (1 stub) in shop.stubdb.

        """))
    try box.write("docs/body.txt", "from a file")
    try box.write(
      "docs/stubs.json",
      #"[{"key":"a","request":{"url":"/a"},"responses":[{"file":"body.txt"}]},{"key":"b"}]"#)
    #expect(
      try box.run("add", "session/signed-in", "--file", "docs/stubs.json")
        == CommandResult(
          err: """
            Added stub a to session/signed-in in shop.stubdb.
            Added stub b to session/signed-in in shop.stubdb.
            Note on stub a: it answers any method; --method GET, or "method": "GET", restricts it.

            """))
    #expect(try box.run("show", "session/signed-in", "a").out.contains("from a file"))
    #expect(
      try box.run("add", "a/b", "--file", "-", input: #"{"key":"c"}"#).err.hasPrefix(
        "Added stub c to new scenario a/b in shop.stubdb.\n"))
  }

  @Test func aDocumentReplacesItsScenarioOnlyWhenAsked() throws {
    let box = try Sandbox.shop()
    let document = #"{"scenario":"session/signed-in","summary":"new"}"#
    #expect(
      try box.run("add", "--file", "-", input: document)
        == CommandResult(
          err: """
            Error: scenario session/signed-in already exists
            To put this document in its place, with the same text on standard input: \
            stubdb add --file - --replace

            """, code: 1))
    #expect(
      try box.run("add", "session/signed-in", "--file", "-", "--replace", input: document)
        == CommandResult(
          err: "Replaced scenario session/signed-in (0 stubs) in shop.stubdb.\n"))
    #expect(
      try box.run("add", "session/signed-in", "--file", "-", "--replace", input: document)
        == CommandResult(err: "Nothing to change in session/signed-in in shop.stubdb.\n"))
    #expect(
      try box.run("resolve", "--all", "--theirs")
        == CommandResult(err: "No conflicts in shop.stubdb; nothing was changed.\n"))
    #expect(try box.run("list", "session").out == "session/signed-in  0    new\n")
  }

  @Test func everythingIsAddedOrNothing() throws {
    let box = try Sandbox.shop()
    let before = try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
    let stubs = #"[{"key":"new"},{"key":"me"}]"#
    #expect(try box.run("add", "session/signed-in", "--file", "-", input: stubs).code == 1)
    try box.write("fine.json", #"{"scenario":"x/fine"}"#)
    try box.write("wrong.json", "{\n  \"scenario\": \"x/wrong\",\n  \"stub\": []\n}")
    let wrong = try box.run("add", "--file", "fine.json", "--file", "wrong.json")
    #expect(wrong.code == 1)
    #expect(wrong.err.hasPrefix("Error: wrong.json:3: /stub: "))
    #expect(wrong.err.contains("did you mean \"stubs\"?"))
    #expect(
      try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb")) == before)
  }

  @Test func aDocumentOfAnotherScenarioIsRefused() throws {
    let box = try Sandbox.shop()
    try box.write("doc.json", #"{"scenario":"x/other"}"#)
    #expect(
      try box.run("add", "x/this", "--file", "doc.json")
        == CommandResult(
          err: """
            Error: doc.json is a document of scenario x/other, not of x/this
            To add it as what it is: stubdb add --file doc.json

            """, code: 1))
    let stub = try box.run("add", "--file", "-", input: #"{"key":"a"}"#)
    #expect(stub.code == 64)
    #expect(stub.err.contains("type: stubdb add SCENARIO --file -"))
    #expect(
      try box.run("add", "--file", "none.json")
        == CommandResult(err: "Error: cannot read none.json: there is no such file\n", code: 1))
  }

  @Test(arguments: ["../secret.txt", "/etc/passwd", "link.txt", "linked/secret.txt"])
  func filesOutsideADocumentsFolderAreReadOnlyIfAsked(path: String) throws {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try box.write("secret.txt", "s3cret")
    try box.write("docs/inside.txt", "inside")
    let manager = FileManager.default
    for (link, target) in [("link.txt", "../secret.txt"), ("linked", "..")] {
      try manager.createSymbolicLink(
        atPath: box.folder.appendingPathComponent("docs/\(link)").path,
        withDestinationPath: target)
    }
    func document(_ file: String) -> String {
      #"{"scenario":"a/b","stubs":[{"key":"k","responses":[{"file":"\#(file)"}]}]}"#
    }
    try box.write("docs/a.json", document(path))
    let refused = try box.run("add", "--file", "docs/a.json")
    #expect(refused.code == 1)
    #expect(
      refused.err.hasSuffix(
        "it is outside the file's own folder; to read it all the same, add --allow-outside\n"))
    #expect(!refused.err.contains("s3cret"))
    #expect(try box.run("list").out == "")
    try box.must("add", "--file", "docs/a.json", "--allow-outside")
    for inside in ["inside.txt", "./inside.txt", "../docs/inside.txt"] {
      try box.write("docs/a.json", document(inside))
      try box.must("add", "--file", "docs/a.json", "--replace")
    }
    try box.write("docs/a.json", document("."))
    #expect(try box.run("add", "--file", "docs/a.json", "--replace").code == 1)
    // Standard input has no folder, so the current one is used.
    #expect(
      try box.run("add", "--file", "-", "--replace", input: document("docs/inside.txt")).code == 0)
    #expect(
      try box.run("add", "--file", "-", "--replace", input: document("/etc/passwd")).code == 1)
  }

  @Test func anEditorsDocumentNamesFilesOfTheCurrentFolderOnly() throws {
    let box = try Sandbox.shop()
    try box.write("secret.txt", "s3cret")
    try box.write("sub/own.txt", "own")
    let editor = try box.write(
      "editor",
      """
      #!/bin/sh
      cat > "$1" <<END
      {"scenario":"session/signed-in","stubs":[{"key":"k","responses":[{"file":"$NAMED"}]}]}
      END
      """, executable: true
    ).path
    func edit(_ file: String, _ options: String...) throws -> CommandResult {
      try box.run(
        executable: Sandbox.binary, arguments: ["edit", "session/signed-in"] + options,
        environment: ["EDITOR": editor, "NAMED": file], in: "sub")
    }
    let refused = try edit("../secret.txt")
    #expect(refused.code == 1)
    #expect(refused.err.contains("add --allow-outside"))
    #expect(try edit("own.txt").code == 0)
    #expect(try edit("../secret.txt", "--allow-outside").code == 0)
    #expect(try box.run("show", "session/signed-in", "k").out.contains("s3cret"))
  }

  @Test func aLongListEndsWithHowManyThereAreBesides() throws {
    let box = try Sandbox()
    try box.must("init", "a.stubdb")
    let all = (1...25).map { #"{"scenario": "s/\#($0)", "stubs": [{"key": "k"}]}"# }
    try box.write("all.json", "[\(all.joined(separator: ","))]")
    let added = try box.run("add", "--file", "all.json")
    #expect(added.code == 0 && added.err.contains("in a.stubdb.\n... and 5 more\n"), "\(added)")
    let renamed = try box.run("rename", "s/", "t/")
    #expect(renamed.code == 0 && renamed.err.contains(".\n... and 5 more\n"), "\(renamed)")
  }
}
