import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// Files of curl commands: what each of them asks for, and what is not known about it.
@Suite struct CurlImportTests {
  private func run(
    _ text: String, options: ImportOptions = ImportOptions(), folder: URL? = nil
  ) throws(FormatError) -> ImportRun {
    try ImportRun("calls.sh", text, options: options, folder: folder)
  }

  private func requests(_ text: String) throws -> [RequestPattern] {
    try run(text).stubs.map(\.request)
  }

  /// The request of a document.
  private func request(_ document: String) throws -> RequestPattern {
    try Stub(jsonObject: ["key": "a", "request": JSONValue(parsing: document)]).request
  }

  private func requests(documents: String...) throws -> [RequestPattern] {
    try documents.map(request)
  }

  @Test(arguments: [
    ("a.test", "Host: other.test", 1), ("a.test", "host: A.test", 0),
    ("a.test:81", "Host: a.test:81", 0),
    ("a.test:81", "Host: a.test", 0), ("a.test", "Host: a.test:81", 1),
    ("10.0.0.1", "Host: a.test", 1),
    ("a.test", "X-Host: other.test", 0),
  ])
  func aFieldHostThatTheStubDoesNotAskForIsReported(host: String, field: String, count: Int) throws
  {
    let text = "curl http://\(host)/v1/me -H '\(field)'"
    let plain = try run(text)
    #expect(plain.ids(.changed).count { $0 == "header" } == count)
    #expect(plain.stubs[0].request.headers.isEmpty)
    var options = ImportOptions()
    options.matchedHeaders = ["Host"]
    let asking = try run(text, options: options)
    #expect(asking.ids(.changed).count { $0 == "header" } == 0)
    #expect(asking.stubs[0].request.headers.isEmpty == field.hasPrefix("X-"))
  }

  @Test func aScriptGivesAStubForEachRequest() throws {
    let run = try run(
      #"""
      #!/bin/bash
      # the shop
      set -e
      TOKEN=secret
      $ curl 'https://api.shop.test/v1/items?page=1&page=2'   # first page
      curl -sS -X DELETE https://api.shop.test/v1/items/1 > /dev/null 2>&1 && echo done
      curl https://api.shop.test/v1/orders \
        -H 'Content-Type: application/json' \
        --data-raw $'{"note":"it\u0021","amount":1200}' ;
      curl -I https://api.shop.test/health | head -1; curl https://api.shop.test/a --next -d x=1 https://api.shop.test/b
      """#)
    let wanted = try requests(
      documents:
        #"{"method": "GET", "url": "https://api.shop.test/v1/items", "query": {"page": ["1", "2"]}}"#,
      #"{"method": "DELETE", "url": "https://api.shop.test/v1/items/1"}"#,
      #"""
      {"method": "POST", "url": "https://api.shop.test/v1/orders",
       "body": {"equalToJson": {"note": "it!", "amount": 1200}}}
      """#,
      #"{"method": "HEAD", "url": "https://api.shop.test/health"}"#,
      #"{"method": "GET", "url": "https://api.shop.test/a"}"#,
      #"{"method": "POST", "url": "https://api.shop.test/b", "body": {"form": {"x": "1"}, "isExact": true}}"#
    )
    #expect(run.stubs.map(\.request) == wanted)
    #expect(run.stubs.allSatisfy { $0.responses == [StubResponse()] })
    #expect(run.result.report.lines == [])
    #expect(run.result.scenarios.map(\.name.rawValue) == ["calls"])
    #expect(run.result.scenarios.map(\.tags) == [["curl", "imported"]])
  }

  @Test(arguments: [
    // Escapes of browsers, options that are glued together, and data in every form.
    (#"curl $'https://h.test/a\u0021'"#, #"{"method": "GET", "url": "https://h.test/a!"}"#),
    (
      #"curl 'https://h.test/a?f\[x\]=1'"#,
      #"{"method": "GET", "query": {"f[x]": "1"}, "url": "https://h.test/a"}"#
    ),
    ("curl -sSLXPOST h.test", #"{"method": "POST", "url": "http://h.test/"}"#),
    (
      "curl h.test --data-urlencode 'a=b c'",
      #"{"body": {"form": {"a": "b c"}, "isExact": true}, "method": "POST", "url": "http://h.test/"}"#
    ),
    ("curl -H 'X;' h.test", #"{"method": "GET", "url": "http://h.test/"}"#),
    (
      #"curl --json '{"a":' --json '1}' h.test"#,
      #"{"body": {"equalToJson": {"a": 1}}, "method": "POST", "url": "http://h.test/"}"#
    ),
    (
      "curl -d @- h.test <<'END'\n{\"a\": \"$B\"}\nEND\n",
      #"{"body": {"equalToJson": {"a": "$B"}}, "method": "POST", "url": "http://h.test/"}"#
    ),
    (
      "cat <<-END | curl -d@- h.test\n\tx=1\n\tEND\n",
      #"{"body": {"form": {"x": "1"}, "isExact": true}, "method": "POST", "url": "http://h.test/"}"#
    ),
    (
      "curl -d @- h.test <<< 'plain'",
      #"{"body": {"equalTo": "plain"}, "method": "POST", "url": "http://h.test/"}"#
    ),
    (
      "echo '[1]' | curl -d @- h.test",
      #"{"body": {"equalToJson": [1]}, "method": "POST", "url": "http://h.test/"}"#
    ),
    (
      "curl -F 'name=Ada' -F 'photo=@me.png;type=image/png' h.test",
      #"""
      {"body": {"multipart": [{"body": {"equalTo": "Ada"}, "name": "name"},
        {"filename": "me.png", "name": "photo"}], "isExact": true}, "method": "POST", "url": "http://h.test/"}
      """#
    ),
    (
      "curl -G -d q=x -u ada:pw -A me -e ref -b sid=1 -k -m 3 http://h.test:80/s",
      #"{"method": "GET", "query": {"q": "x"}, "url": "http://h.test/s"}"#
    ),
    // A separator with a combining mark after it is one character, and still a separator.
    (
      "curl -F 'a=\u{301}b' -F 'c=\"\u{301}d\";\u{301}filename=\"e\"' -F 'f=x;filename=\"\u{301};g\"' h.test",
      #"""
      {"body": {"multipart": [{"body": {"equalTo": "\u0301b"}, "name": "a"},
        {"body": {"equalTo": "\u0301d"}, "name": "c"},
        {"body": {"equalTo": "x"}, "filename": "\u0301;g", "name": "f"}], "isExact": true}, "method": "POST", "url": "http://h.test/"}
      """#
    ),
    (
      "curl -d\u{301}x --data-urlencode 'y=\u{301}' h.test/a#\u{301}b",
      #"{"body": {"form": {"\u0301x": "", "y": "\u0301"}, "isExact": true}, "method": "POST", "url": "http://h.test/a"}"#
    ),
    (
      "> curl -X PATCH --url h.test/a -T - <<< x",
      #"{"body": {"equalTo": "x\n"}, "method": "PATCH", "url": "http://h.test/a"}"#
    ),
  ])
  func requestsAreWhatCurlWouldSend(text: String, wanted: String) throws {
    #expect(try requests(text) == [request(wanted)])
  }

  @Test(arguments: [
    ("600", "bytes=600-"), ("600-", "bytes=600-"), ("-5", "bytes=-5"), ("0-1,5-6", "bytes=0-1,5-6"),
  ])
  func aNumberAsARangeBeginsThere(range: String, wanted: String) throws {
    var options = ImportOptions()
    options.matchedHeaders = ["Range"]
    let run = try ImportRun("calls.sh", "curl -r \(range) https://h.test/a", options: options)
    #expect(run.stubs[0].request.headers.map(\.pattern) == [.equalTo(wanted)])
  }

  @Test func theCommandPromptIsRead() throws {
    let text = #"""
      curl ^"https://h.test/a?x=1^&y=50^%^25^" ^
        -H ^"content-type: application/json^" ^
        -H ^"x-note: a^\^"b^" ^
        --data-raw ^"^{^\^"a^\^":^\^"b c^\^"^}^" &
      curl.exe "https://h.test/b" -d "k=^v" ^
        -d "say=""hi""" -d "c=1&d=2"
      """#
    let wanted = try requests(
      documents: #"""
        {"method": "POST", "url": "https://h.test/a", "query": {"x": "1", "y": "50%"},
         "body": {"equalToJson": {"a": "b c"}}}
        """#,
      #"""
      {"method": "POST", "url": "https://h.test/b",
       "body": {"form": {"k": "^v", "say": "\"hi\"", "c": "1", "d": "2"}, "isExact": true}}
      """#)
    #expect(try requests(text) == wanted)
    let run = try run("curl ^\"https://h.test/%ID%^\"")
    #expect(run.stubs[0].request.path == .template("/{ID}"))
  }

  @Test(arguments: [
    "Invoke-WebRequest -Uri \"https://h.test\"", "iwr https://h.test",
    "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest x",
  ])
  func powerShellIsRefusedWithTheWayOut(text: String) throws {
    let error = #expect(throws: FormatError.self) { try run(text) }
    #expect(error?.message.contains("cURL (bash)") == true)
  }

  @Test func globsAreTheURLsThatCurlAsksFor() throws {
    let paths = try run("curl 'https://h.test/{a,b}/[08-10]' 'https://[::1]/x[a-c:2]'").stubs.map {
      $0.request.path
    }
    #expect(
      paths
        == ["/a/08", "/a/09", "/a/10", "/b/08", "/b/09", "/b/10", "/xa", "/xc"].map {
          .template($0)
        })
    let plain = try requests("curl -g 'https://h.test/{a,b}'")
    #expect(
      plain == (try requests(documents: #"{"method": "GET", "url": "https://h.test/%7Ba,b%7D"}"#)))
    #expect(throws: FormatError.self) { try run("curl 'h.test/[1-99999999999]'") }
  }

  @Test func variablesAreFreeAndNothingIsExecuted() async throws {
    let run = try run(
      #"""
      curl "https://$HOST/v1/users/${ID}/files/f-$N.txt?key=a$K&all=$ALL" -H "Authorization: Bearer $TOKEN"
      curl "http://localhost:$PORT/x" -d "{\"a\": \"$A\", \"b\": $B, \"c\": \"x-$(cat /etc/passwd)\"}"
      curl https://h.test/`id`/{name} -d "text $A"
      """#)
    let wanted = try requests(
      documents: #"""
        {"method": "GET", "path": {"matches": "/v1/users/[^/]+/files/f-[^/]+\\.txt"},
         "query": {"key": {"matches": "a[\\s\\S]*"}, "all": {"matches": "[\\s\\S]*"}}}
        """#,
      #"""
      {"method": "POST", "host": "localhost", "path": "/x", "body": {"equalToJson":
        {"a": "${json-unit.ignore}", "b": "${json-unit.ignore}",
         "c": "${json-unit.regex}x-[\\s\\S]*"}}}
      """#,
      #"""
      {"method": "POST", "url": "https://h.test/{command}/{name}",
       "body": {"matches": "text [\\s\\S]*"}}
      """#)
    #expect(run.stubs.map(\.request) == wanted)
    #expect(run.ids(.changed).allSatisfy { $0 == "variable" })
    #expect(run.result.report.lines.contains { $0.text.contains("$TOKEN has no value") })
    #expect(run.result.report.lines.allSatisfy { $0.pointer?.hasSuffix(":1") == true })
    try await run.play([
      RecordedCase(url: "https://any.test/v1/users/7/files/f-1.txt?key=ab&all=x"),
      RecordedCase(method: "POST", url: "https://h.test/7/Ada", body: Data("text 5".utf8)),
    ])
  }

  /// What a script sets to a text is no free variable: the stub would answer for every host.
  @Test func variablesThatTheScriptSetsHaveTheirValues() throws {
    let run = try run(
      #"""
      BASE=https://api.shop.test
      export V="v1" OTHER=$(cat x)
      URL="$BASE/$V"
      OPTIONS="-sS -X PUT"
      curl "$URL/a"
      curl $OPTIONS ${BASE:-x}/b
      curl "$BASE/$OTHER"
      if true; then V=v2; fi
      curl "$BASE/$V"
      for BASE in a b; do curl "$BASE/c"; done
      curl $MORE "https://h.test/d"
      """#)
    #expect(
      run.stubs.map { $0.request.host?.literal }
        == [
          "api.shop.test", "api.shop.test", "api.shop.test", "api.shop.test", nil, "h.test",
        ])
    #expect(
      run.stubs.map(\.request.path)
        == [
          .template("/v1/a"), .template("/b"), .template("/{OTHER}"), .template("/{V}"),
          .template("/c"), .template("/d"),
        ])
    #expect(run.stubs[1].request.methods == [.put])
    #expect(
      Set(run.result.report.lines.map(\.text).filter { $0.hasPrefix("$") }.map { $0.prefix(4) })
        == ["$OTH", "$V h", "$BAS", "$MOR"])
  }

  @Test(arguments: [
    #"TOKEN=$(curl -s https://h.test/a -d "x=1" | jq -r .token)"#,
    "for i in 1 2; do curl https://h.test/a -d x=1; done",
    "if curl -f https://h.test/a -d x=1; then echo ok; fi",
    "while ! curl https://h.test/a -d x=1; do sleep 1; done",
    "login() { curl https://h.test/a -d x=1; }",
    "status=`curl https://h.test/a -d x=1`",
  ])
  func commandsInsideOfOthersAreRead(text: String) throws {
    let run = try run(text + "\necho done\n")
    #expect(
      run.stubs.map(\.request) == [
        try request(
          #"{"method": "POST", "url": "https://h.test/a", "body": {"form": {"x": "1"}, "isExact": true}}"#
        )
      ])
  }

  @Test func credentialsThatAreNotAskedForAreNamed() throws {
    let text =
      "curl -u ada:pw -b sid=1 -H 'Authorization: Bearer x' -H 'X-Api-Key: k' -H 'X-Sort: up' h.test"
    let run = try run(text)
    #expect(run.stubs[0].request.headers == [])
    let lines = run.result.report.text()
    #expect(
      ["Authorization", "Cookie", "X-Api-Key"].map { name in
        lines.count { $0.contains("\(name) is not asked for; --match-headers \(name)") }
      } == [1, 1, 1])
    #expect(lines.count == 3)
    var options = ImportOptions()
    options.matchedHeaders = ["authorization", "cookie", "x-api-key"]
    let asked = try self.run(text, options: options)
    #expect(asked.stubs[0].request.headers.count == 3)
    #expect(asked.result.report.lines == [])
  }

  @Test func variablesMayBeGiven() throws {
    var options = ImportOptions()
    options.variables = ["HOST": "api.shop.test", "ID": "7"]
    let run = try run(#"curl "https://$HOST/v1/${ID}""#, options: options)
    #expect(
      run.stubs[0].request == (try RequestPattern(method: .get, url: "https://api.shop.test/v1/7")))
    #expect(run.result.report.lines == [])
  }

  @Test func filesAreReadOnlyWhereTheyAreAllowed() throws {
    try withTemporaryFolder { folder in
      try Data("a=1\n".utf8).write(to: folder.appendingPathComponent("data.txt"))
      let run = try run("curl h.test\ncurl -d @data.txt h.test\ncurl h.test/b", folder: folder)
      #expect(run.stubs.map(\.request.path) == [.template("/"), .template("/b")])
      let line = try #require(run.result.report.lines.first)
      #expect(line.id == .unreadable && line.line == 2)
      #expect(line.text.contains("data.txt"))
      // The way out as it is to be typed.
      #expect(line.text.hasSuffix("--allow-files \(folder.resolvingSymlinksInPath().path)"))
      let log = ReportLog()
      let input = try ImportInput(
        file: "a.sh", path: ["a"], bytes: Data("curl -d @data.txt h.test".utf8),
        folder: InputFolder(folder, allowed: [folder]), log: log)
      let stubs = try Importer(log: log).scenarios(of: [input]).scenarios[0].stubs
      #expect(stubs[0].request.body == [.form([NamedPattern("a", "1")], isExact: true)])
    }
  }

  @Test(arguments: [
    ("curl", 1), ("curl h.test\ncurl 'h.test", 2), ("curl h.test\ncurl --nonsense h.test", 2),
    ("curl h.test\n\ncurl -X 'A B' $(h", 3), ("curl -d @- h.test", 1), ("curl -H", 1),
  ])
  func mistakesAreReportedWithTheirLine(text: String, line: Int) throws {
    let error = #expect(throws: FormatError.self) { try run(text) }
    #expect(error?.line == line)
  }

  @Test func equalCommandsAreOneStubAndTheSameEachTime() throws {
    let text =
      "curl h.test/a?p=1\ncurl h.test/a?p=2\ncurl h.test/a?p=3\ncurl h.test/a?p=1\ncurl h.test/a"
    #expect(try run(text).stubs.map(\.request.queryIsExact) == [false, false, false, true])
    #expect(try run(text).documents == run(text).documents)
  }

  @Test(arguments: ["calls.sh", "calls.cmd", "calls.bat", "calls.curl", "calls.txt", "calls"])
  func aScriptNamesItsScenarioWithoutItsEnding(name: String) throws {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent(name)
      try Data("curl https://api.shop.test/a".utf8).write(to: file)
      let run = try ImportRun(folder: file)
      #expect(run.result.scenarios.map(\.name.rawValue) == ["calls"])
    }
  }

  @Test(.timeLimit(.minutes(5))) func hostileScriptsEndInTime() throws {
    let deep = "curl h.test/" + String(repeating: "$(", count: 20_000)
    #expect(throws: FormatError.self) { try run(deep) }
    let braces = "curl 'h.test/" + String(repeating: "{a,b}", count: 2_000) + "'"
    #expect(throws: FormatError.self) { try run(braces) }
    let many = String(repeating: "curl h.test/a\n", count: 20_000)
    #expect(try run(many).stubs.count == 1)
  }
}
