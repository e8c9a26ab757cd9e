import Foundation
import StubDBDocuments
import StubDBTestSupport
import Testing

struct PlayTests {
  private static func sandbox() throws -> Sandbox {
    let box = try Sandbox()
    try box.write(
      "order.json",
      """
      { "scenario": "order/flow", "stubs": [
        { "key": "login", "request": { "method": "POST", "url": "https://h.test/session",
            "body": { "form": { "user": "ada", "password": "p w" } } },
          "responses": [
            { "headers": { "X-Trace": "7" }, "json": { "token": "t-1", "roles": ["a"] } } ] },
        { "key": "pay", "flow": { "name": "order", "becomes": "paid" },
          "request": { "method": "POST", "url": "https://h.test/charges",
            "headers": { "Authorization": "Bearer t-1", "X-Trace": "7" } },
          "responses": [ { "status": 402 }, { "status": 201 } ] },
        { "key": "order", "flow": { "name": "order", "requires": "paid" },
          "request": { "url": "https://h.test/order" }, "responses": [ { "text": "paid" } ] },
        { "key": "ship", "required": true, "request": { "url": "https://h.test/ship" } } ] }
      """)
    try box.must("init", "c.stubdb")
    try box.must("add", "--file", "order.json")
    return box
  }

  private static let file = """
    @host = https://h.test
    ### login
    POST {{host}}/session
    Content-Type: application/x-www-form-urlencoded

    user=ada
    &password=p%20w

    ###
    # @name charge
    POST {{host}}/charges
    Authorization: Bearer {{login.response.body.$.token}}
    X-Trace: {{login.response.headers.X-Trace}}

    ### again
    POST {{host}}/charges
    Authorization: {{charge.request.headers.Authorization}}
    X-Trace: {{trace}}

    ### order
    {{host}}/order
    """

  @Test func aScenarioOnTopAnswersFirst() throws {
    let box = try Self.sandbox()
    try box.must("add", "top", "--url", "https://h.test/ship", "--text", "top")
    try box.write("ship.http", "https://h.test/ship\n")
    let result = try box.run(
      "play", "order/flow", "ship.http", "--overlay", "top", "--pace", "0.01")
    #expect(result.code == 0 && result.out.contains("of top)"), "\(result)")
    #expect(result.out.hasSuffix("   top\n"), "\(result)")
  }

  @Test func oneRunAnswersAllRequests() throws {
    let box = try Self.sandbox()
    try box.write("order.http", Self.file)
    let result = try box.run("play", "order/flow", "order.http", "--variable", "trace=7")
    #expect(
      result
        == CommandResult(
          out: """
            1. login: POST https://h.test/session
               status 200  (login)
               X-Trace: 7
               Content-Type: application/json
               {"roles":["a"],"token":"t-1"}

            2. charge: POST https://h.test/charges
               status 402  (pay)

            3. again: POST https://h.test/charges
               status 201  (pay, response 2)

            4. order: GET https://h.test/order
               status 200  (order)
               Content-Type: text/plain; charset=utf-8
               paid

            """))
    let json = try box.run(
      "play", "order/flow", "-", "--json", "--variable", "trace=7", input: Self.file)
    let played = try #require(
      try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [[String: Any]])
    #expect(played.map { $0["key"] as? String } == ["login", "pay", "pay", "order"])
    #expect(played.map { $0["name"] as? String } == ["login", "charge", "again", "order"])
  }

  @Test func closedInputIsEmpty() throws {
    let result = try Self.sandbox().shell("stubdb play order/flow - <&-")
    #expect(result == CommandResult(err: "Error: - contains no requests\n", code: 1))
  }

  @Test func aByteOrderMarkAndACombiningMarkAtTheBeginningStay() throws {
    let box = try Sandbox()
    try box.must("init", "c.stubdb")
    try box.write("bom.txt", "\u{FEFF}BOM")
    try box.must(
      "add", "a/b", "--url", "https://h.test/x", "--when-query", "q=\u{301}x", "--text", "@bom.txt")
    try box.write("a.http", "GET https://h.test/x?q={{v}}\n")
    let url = "https://h.test/x?q=%CC%81x"
    for words in [
      ["show", "a/b", "--json"], ["match", "a/b", "GET", url],
      ["match", "a/b", "GET", url, "--json", "-H", "A:\u{301}x"],
      ["play", "a/b", "a.http", "--variable", "v=\u{301}x"],
    ] {
      let result = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(result.code == 0, "\(words): \(result)")
      #expect(Data(result.out.utf8).range(of: Data("\u{FEFF}BOM".utf8)) != nil, "\(words)")
    }
  }

  @Test func aMissAndAnUnmetRequirementExitWithTwo() throws {
    let box = try Self.sandbox()
    try box.write("a.http", "GET https://h.test/order\n")
    let missed = try box.run("play", "order/flow", "a.http")
    #expect(missed.code == 2)
    #expect(missed.out.contains("✗ flow order"), "\(missed.out)")
    try box.write("b.http", "GET https://h.test/ship\n")
    #expect(try box.run("play", "order/flow", "b.http", "--verify").code == 0)
    try box.write(
      "c.http",
      "POST https://h.test/session\nContent-Type: application/x-www-form-urlencoded\n\n"
        + "user=ada&password=p%20w\n")
    #expect(try box.run("play", "order/flow", "c.http").code == 0)
    let unmet = try box.run("play", "order/flow", "c.http", "--verify")
    #expect(unmet.code == 2)
    #expect(unmet.err.contains("ship"), "\(unmet.err)")
  }

  @Test(arguments: [
    (
      "GET {{host}}/x",
      "a.http:1: {{host}} has no value; write @host = … above, or give --variable host=…"
    ),
    (
      "GET https://h.test/\n\n< nope.json", "a.http:3: cannot read nope.json: there is no such file"
    ),
    ("# nothing", "a.http contains no requests"),
  ])
  func mistakesNameFileAndLine(text: String, message: String) throws {
    let box = try Self.sandbox()
    try box.write("a.http", text)
    let result = try box.run("play", "order/flow", "a.http")
    #expect(result == CommandResult(err: "Error: \(message)\n", code: 1))
  }

  @Test func theTwoArgumentsInTheOtherOrderAreRefused() throws {
    let result = try Self.sandbox().run("play", "flow.http", "order/flow")
    #expect(result.code == 64)
    #expect(
      result.err.hasPrefix(
        "Error: The scenario comes before the file: stubdb play order/flow flow.http\n"))
  }

  @Test func aVariableThatTheFileDoesNotHaveIsNamed() throws {
    let box = try Self.sandbox()
    try box.write("a.http", "GET {{ host }}/none\n")
    let words = ["play", "order/flow", "a.http", "--variable", "host=https://h.test", "--variable"]
    let result = try box.run(executable: Sandbox.binary, arguments: words + ["hostt=a"])
    #expect(result.err == "a.http has no {{hostt}}.\n", "\(result)")
  }

  @Test func secretsOfTheURLAreHiddenUnlessAskedFor() throws {
    let box = try Self.sandbox()
    try box.write("a.http", "GET https://u:pw1@h.test/none?access_token=t1s2\n")
    for words in [["play", "order/flow", "a.http"], ["play", "order/flow", "a.http", "--json"]] {
      let hidden = try box.run(executable: Sandbox.binary, arguments: words)
      #expect(!hidden.out.contains("pw1") && !hidden.out.contains("t1s2"), "\(hidden.out)")
      let shown = try box.run(executable: Sandbox.binary, arguments: words + ["--show-secrets"])
      #expect(shown.out.contains("u:pw1@h.test/none?access_token=t1s2"), "\(shown.out)")
    }
  }

  /// A file that comes from elsewhere must not read any file of this machine.
  @Test(arguments: ["../secret.json", "link.json"])
  func aFileOutsideTheFoldersIsReadOnlyWhereThatIsAllowed(path: String) throws {
    let box = try Self.sandbox()
    try box.write("secret.json", "{}")
    try box.write("requests/a.http", "POST https://h.test/order\n\n< \(path)\n")
    try FileManager.default.createSymbolicLink(
      atPath: box.folder.appendingPathComponent("requests/link.json").path,
      withDestinationPath: "../secret.json")
    let refused = try box.run("play", "order/flow", "requests/a.http")
    #expect(
      refused
        == CommandResult(
          err:
            "Error: requests/a.http:3: cannot read \(path): it is outside the file's own folder; "
            + "to read it all the same, add --allow-outside\n", code: 1))
    #expect(try box.run("play", "order/flow", "requests/a.http", "--allow-outside").code == 2)
  }

  @Test func aPathAloneAsksTheScenariosHostAsMatchDoes() throws {
    let box = try Sandbox.shop()
    let played = try box.run(
      executable: Sandbox.binary, arguments: ["play", "session/signed-in", "-"],
      input: "GET /v1/me\n")
    #expect(played.code == 0 && played.out.contains("(me)"), "\(played)")
    let missed = try box.run(
      executable: Sandbox.binary, arguments: ["play", "session/signed-in", "-"],
      input: "GET /v1/you\n")
    #expect(missed.code == 2 && missed.out.contains("No stub of scenario"), "\(missed)")
  }
}
