import Foundation
import StubDBTestSupport
import Testing

/// The options of `add` and `set`: each of them changes the document, or is an error.
struct EditingOptionsTests {
  static let responseOptions: [(options: [String], expected: String)] = [
    (["--status", "404"], #""status": 404"#), (["--json", #"{"id":1}"#], #""id": 1"#),
    (["--delay", "2s"], #""delay": "2s""#), (["--header", "X-A: 1"], #""X-A": "1""#),
    (["--error", "timedOut"], #""error": "timedOut""#), (["--text", "hi"], #""text": "hi""#),
    (["--error", #"{"domain": "x", "code": 7}"#], #""code": 7"#),
    (["--fault", "never"], #""fault": "never""#),
    (["--response", "1", "--status", "404"], #""status": 404"#),
    (["--method", "GET", "--status", "404"], #""status": 404"#),
    (["--template", "--text", "{{request.url}}"], #""template": true"#),
    (["--then-response", "--status", "404"], #""status": 404"#),
    (["--text", "@note.txt"], #""text": "from a file""#), (["--text", "@@at"], #""text": "@at""#),
    (["--json", "@note.json"], #""json": ["#), (["--json", "@-"], #""json": "in""#),
    (["--when-body-json", "@note.json"], #""equalToJson": ["#),
    (["--when-body", "@note.txt"], #""equalTo": "from a file""#),
    (["-d", #"{"a": 1}"#], #""equalToJson": {"#), (["-d", "a=1"], #""equalTo": "a=1""#),
    (["-X", "PUT"], #""method": "PUT""#), (["-H", "X-A: 1"], #""X-A": "1""#),
    (["--when", #"{"path": {"matches": "/v[12]"}}"#], #""matches": "/v[12]""#),
    (["--when", #"{"url": "/v3?page=2"}"#], #""url": "/v3""#),
    (["--when", #"{"method": ["GET", "HEAD"]}"#], #""method": ["GET", "HEAD"]"#),
    (["--when", "@pattern.json", "--when-header", "X-A: 1"], #""contains": "json""#),
    (["--required"], #""required": true"#), (["--then", "cycle"], #""then": "cycle""#),
    (["--priority", "2"], #""priority": 2"#),
    (["--url", "/v2?page=3", "--when-query", "a=b"], #""page": "3""#),
  ]

  /// A catalog with one stub, made once.
  private static let orderContents = Result {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try box.write("note.txt", "from a file")
    try box.write("note.json", "[1]")
    try box.write("pattern.json", #"{"headers": {"Accept": {"contains": "json"}}}"#)
    try box.must(
      "add", "z/z", "--key", "k", "--method", "POST", "--url",
      "https://api.shop.test/v1/orders?page=1", "--status", "200")
    return try box.contents()
  }

  @Test(arguments: responseOptions)
  func setChangesAStubWithTheDefaultResponse(options: [String], expected: String) throws {
    let box = try Sandbox(holding: Self.orderContents.get())
    let changed = try box.run(
      executable: Sandbox.binary, arguments: ["set", "z/z", "k"] + options, input: #""in""#)
    #expect(changed == CommandResult(err: "Changed stub k of z/z.\n"))
    let shown = try box.run("show", "z/z", "k", "--json").out
    #expect(shown.contains(expected), "\(shown)")
    let check = try box.run("check")
    #expect(check.code == 0, "\(check)")
  }

  @Test func anErrorTakesThePlaceOfWhatWasSentAndTheOtherWayRound() throws {
    let box = try Sandbox.shop()
    let stub = ["set", "checkout/paid", "charge", "--response", "1"]
    func set(_ options: String...) throws -> String {
      let result = try box.run(executable: Sandbox.binary, arguments: stub + options)
      #expect(result.code == 0, "\(result)")
      return try box.run("show", "checkout/paid", "charge").out
    }
    #expect(try set("--error", "timedOut").contains("1. error timedOut"))
    #expect(try set("--fault", "connectionReset").contains("1. fault connectionReset"))
    #expect(try set("--status", "503").contains("1. status 503"))
    #expect(try set("--header", "X-A: 1").contains("X-A: 1"))
  }

  @Test(arguments: [
    ["--response", "1"], ["--response", "2", "--status", "404"],
    ["--response", "1", "--then-response", "--status", "404"],
    ["--json", "@-", "--when-body", "@-"], ["-d", "1", "--when-body", "1"],
    ["--tag", "x"], ["--scenario-summary", "x"], ["--json", "{"], ["--header", "x"],
  ])
  func nothingIsDroppedSilently(options: [String]) throws {
    let box = try Sandbox.shop()
    let result = try box.run(
      executable: Sandbox.binary, arguments: ["set", "session/signed-in", "me"] + options)
    #expect(result.code == 64, "\(result)")
    #expect(try box.run("show", "session/signed-in", "--json").out == ShopDocuments.signedIn)
  }

  /// What `--when` gives is a part of the document, beside what the other options give.
  @Test func patternsGoTogetherWithOptions() throws {
    let box = try Sandbox(holding: Self.orderContents.get())
    let pattern = """
      {"headers": {"Authorization": {"matches": "Bearer .+"}},
       "body": {"equalToJson": {"amount": 1200}, "ignoreExtraElements": true}}
      """
    let added = try box.run(
      "add", "b/b", "--method", "POST", "--url", "/v1/charges", "--when-header", "X-A: 1",
      "--when", pattern)
    #expect(added.code == 0, "\(added)")
    let answered = try box.run(
      "match", "b/b", "POST", "https://any.test/v1/charges", "-H", "Authorization: Bearer x", "-H",
      "X-A: 1", "-d", #"{"amount": 1200, "more": true}"#)
    #expect(answered.code == 0, "\(answered)")
    try box.must(
      "set", "b/b", "post-v1-charges", "--when", #"{"headers": {"x-a": {"absent": true}}}"#)
    let shown = try box.run("show", "b/b", "--json").out
    #expect(shown.contains(#""Authorization": {"#) && !shown.contains(#""X-A""#), "\(shown)")
  }

  @Test(arguments: [
    (
      ["--when", #"{"headers": {"A": {"matchs": "x"}}}"#],
      #"--when: /headers/A/matchs: unknown operator "matchs"; did you mean "matches"?"#
    ),
    (
      ["--when", #"{"heders": {}}"#],
      #"--when: /heders: unknown key "heders"; did you mean "headers"?"#
    ),
    (["--when", "[]"], "--when: it is not an object, such as {"),
    (["--when", "{"], "--when: it is not JSON: "),
    (
      ["--when", #"{"method": "PUT"}"#, "--method", "GET"],
      "--when and --method both give method; give it once."
    ),
    (
      ["--when", #"{"headers": {"x-a": "1"}}"#, "-H", "X-A: 1"],
      "--when and --when-header both give headers X-A; give it once."
    ),
    (
      ["--when", #"{"path": "/x"}"#, "--url", "/y"],
      "--when and --url both give path; give it once."
    ),
  ])
  func aPatternThatDoesNotGoIsRefused(options: [String], message: String) throws {
    let box = try Sandbox(holding: Self.orderContents.get())
    let result = try box.run(
      executable: Sandbox.binary, arguments: ["set", "z/z", "k"] + options)
    #expect(result.code == 64 && result.err.hasPrefix("Error: \(message)"), "\(result)")
  }

  @Test(arguments: [
    (["--method", "GET", "-X", "HEAD"], "--method is given twice, and has one value. For"),
    (["--method", "GET,HEAD"], "--method: "),
  ])
  func aSecondValueIsRefused(options: [String], message: String) throws {
    let box = try Sandbox(holding: Self.orderContents.get())
    let words = ["set", "z/z", "k"]
    let result = try box.run(executable: Sandbox.binary, arguments: words + options)
    #expect(result.code == 64 && result.err.hasPrefix("Error: \(message)"), "\(result)")
    #expect(try box.run("show", "z/z", "k").out.contains("POST https"))
    guard let advice = result.err.split(separator: "For several methods: ").dropFirst().first else {
      return
    }
    let line = (["stubdb"] + words).joined(separator: " ") + " " + advice.prefix { $0 != "\n" }
    #expect(try box.shell(line).code == 0)
    #expect(try box.run("show", "z/z", "k").out.contains("GET|HEAD https"))
  }

  @Test func whatIsProbablyMeantAsAnotherOptionIsSaid() throws {
    let box = try Sandbox.shop()
    let body = try box.run("add", "b/b", "--url", "/x", "--when-body", #"{"a":1}"#)
    #expect(
      body.err.hasPrefix(
        "--when-body compares byte by byte; to compare JSON values: --when-body-json\nAdded "))
    let field = try box.run("add", "b/b", "--url", "/y", "-H", #"Accept: {"contains": "json"}"#)
    #expect(
      field.err.hasPrefix(
        "--when-header compares Accept with this text; for a pattern: --when "
          + "'{\"headers\": {\"Accept\": {\"contains\": \"json\"}}}'\n"
      ))
  }

  @Test func scenariosGetIncludesTagsAndASummary() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run(
        "add", "new/one", "--scenario-summary", "for tests", "--tag", "b", "--tag", "a",
        "--include", "session/signed-in")
        == CommandResult(err: "Added scenario new/one (0 stubs) in shop.stubdb.\n"))
    #expect(
      try box.run(
        "add", "new/one", "--url", "/x", "--summary", "the stub", "--tag", "c", "--required",
        "--then", "fail"
      ).code == 0)
    #expect(
      try box.run("show", "new/one", "--json").out == """
        {
          "scenario": "new/one",
          "summary": "for tests",
          "tags": ["a", "b", "c"],
          "includes": ["session/signed-in"],
          "stubs": [
            {
              "key": "any-x",
              "summary": "the stub",
              "required": true,
              "request": {
                "url": "/x"
              },
              "then": "fail"
            }
          ]
        }

        """)
    #expect(
      try box.run("set", "new/one", "--scenario-summary", "", "--tag", "d")
        == CommandResult(err: "Changed new/one.\n"))
    #expect(try box.run("list", "new").out == "new/one  1+1  a,b,c,d\n")
    #expect(
      try box.run("add", "new/one", "--tag", "d")
        == CommandResult(err: "Nothing to change in new/one in shop.stubdb.\n"))
  }

  @Test func aCurlCommandIsARequest() throws {
    let box = try Sandbox.shop()
    let curl = """
      curl 'https://api.shop.test/v1/charges?expand=customer' \\
        -H 'authorization: Bearer sk_live_1' -H 'x-tenant: 7' \\
        --data-raw '{"amount":"'"$AMOUNT"'"}' --compressed
      """
    let added = try box.run(
      "add", "a/curl", "--from-curl", "-", "--status", "201", "-H", "X-Beta: on", input: curl)
    #expect(
      added
        == CommandResult(
          err: """
            Left out, so that any value matches: authorization. To ask for one: -H 'Name: value'
            Variables of the shell are taken as text: $AMOUNT
            Added stub post-v1-charges to new scenario a/curl in shop.stubdb.
            Next: stubdb show a/curl
                  stubdb match a/curl POST 'https://api.shop.test/v1/charges?expand=customer' \
            --header 'X-Beta: on' --header 'x-tenant: 7' --data '{"amount":"$AMOUNT"}'
                  in a test: @Test(.scenario("a/curl"))

            """))
    let password = "Tr0ub4" + "dor3"
    let secret = try box.run(
      "add", "a/login", "--from-curl", "-",
      input: #"curl https://h.test/in --json '{"user": "ada", "password": "\#(password)"}'"#)
    #expect(secret.code == 0)
    #expect(
      secret.err.hasSuffix(
        """
        A secret is in the catalog now: a/login post-in \
        /stubs/0/request/body/equalToJson/password: password, 10 bytes
        To take it out: stubdb redact --findings

        """), "\(secret)")
    let again = try box.run("add", "a/curl", "--from-curl", "curl -d 1 https://h.test --nope")
    #expect(
      again
        == CommandResult(
          err: """
            Error: --from-curl: --nope is not an option of curl that is known here; leave it out

            """, code: 1))
    #expect(
      try box.run("add", "a/curl", "--from-curl", "curl https://h.test/x", "--text", "x").code == 0)
    #expect(
      try box.run("add", "a/curl", "--from-curl", "curl https://h.test/x", "--then-response")
        == CommandResult(err: "Added response 2 to stub get-x of a/curl in shop.stubdb.\n"))
  }

  @Test func filesThatCannotBeReadSayWhy() throws {
    let box = try Sandbox.shop()
    try box.write("folder/x", "")
    #expect(
      try box.run("add", "--file", "folder")
        == CommandResult(
          err: """
            Error: cannot read folder: it is a folder
            To read a document in it: stubdb add --file folder/NAME.json

            """, code: 1))
    #expect(
      try box.run("add", "a/b", "--url", "/", "--text", "@handle")
        == CommandResult(
          err: """
            Error: cannot read handle: there is no such file
            For a text that begins with @, write two of them: @@handle

            """, code: 1))
    let piped = try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: [
        "bash", "-c", "'\(Sandbox.binary.path)' add a/b --file <(echo '{\"key\": \"piped\"}')",
      ])
    #expect(piped.err.hasPrefix("Added stub piped to new scenario a/b"), "\(piped)")
  }

  @Test func aStubThatAChangeHidesIsToldOf() throws {
    let box = try Sandbox.shop()
    _ = try box.run("add", "session/signed-in", "--key", "other", "--url", "/o")
    let changed = try box.run("set", "session/signed-in", "me", "--url", "/**", "--method", "GET")
    #expect(changed == CommandResult(err: "Changed stub me of session/signed-in.\n"))
    let hidden = try box.run("set", "session/signed-in", "other", "--method", "GET")
    #expect(hidden.code == 0)
    #expect(
      hidden.err.contains("Warning: stub other of session/signed-in: it never answers: \"me\""))
  }
}
