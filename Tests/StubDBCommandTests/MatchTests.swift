import Foundation
import StubDBDocuments
import Testing

struct MatchTests {
  @Test func theMethodMayBeGivenAsInCurlAndThePathAlone() throws {
    let box = try Sandbox.shop()
    let words = ["https://api.shop.test/v1/charges", "-d", #"{"amount": 1200}"#]
    let asWord = try box.run(
      executable: Sandbox.binary, arguments: ["match", "checkout/paid", "POST"] + words)
    #expect(asWord.code == 0)
    #expect(
      try box.run(
        executable: Sandbox.binary, arguments: ["match", "checkout/paid", "-X", "POST"] + words)
        == asWord)
    try box.must("add", "a/b", "--method", "GET", "--url", "/x?page=2")
    #expect(try box.run("match", "a/b", "GET", "/x?page=2").out.hasPrefix("Stub get-x answers"))
    for words in [["GET"], ["GET", "/x", "-X", "GET"], ["GET", "x"], ["GET", "//x"]] {
      let result = try box.run(executable: Sandbox.binary, arguments: ["match", "a/b"] + words)
      #expect(result.code == 64, "\(result)")
    }
  }

  @Test func theSettingsBesideTheCatalogSayWhichDayItIs() throws {
    let box = try Sandbox.shop()
    try box.must(
      "add", "a/due", "--method", "GET", "--url", "https://api.shop.test/v1/due?at=2026-11-21",
      "--recorded", "2026-11-21", "--json", #"{"due":"2026-11-28"}"#)
    try box.write(".stubdb-settings.json", #"{"defaults": {"today": "2027-02-28"}}"#)
    let due = ["match", "a/due", "GET", "/v1/due?at=2027-02-28"]
    #expect(try box.run(due[0], due[1], due[2], due[3]).out.contains("2027-03-07"))
    let other = try box.run(
      "match", "a/due", "GET", "/v1/due?at=2026-11-22", "--today", "2026-11-22")
    #expect(other.out.contains("2026-11-29"), "\(other)")
    try box.write("due.http", "GET https://api.shop.test/v1/due?at=2027-02-28\n")
    #expect(try box.run("play", "a/due", "due.http", "--json").out.contains("2027-03-07"))
    let missed = try box.run("match", "a/due", "GET", "/v1/due?at=2027-02-27")
    #expect(
      missed.code == 2 && missed.out.contains(" --today 2027-02-28")
        && missed.out.contains("as on the day of the recording, 99 days earlier."), "\(missed)")
    try box.write(".stubdb-settings.json", #"{"defaults": {"today": "2027-02-29"}}"#)
    let refused = try box.run(due[0], due[1], due[2], due[3])
    #expect(
      refused.code == 1 && refused.err.contains("the settings of the catalog cannot be used: "),
      "\(refused)")
  }

  @Test func aPathBelongsToTheOriginThatTheStubsName() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run("match", "checkout/paid", "GET", "/v1/me").out.hasPrefix("Stub me of session"))
    // The report names the URL that the path stands for.
    let missed = try box.run("match", "checkout/paid", "GET", "/v1/you")
    #expect(missed.code == 2)
    #expect(missed.out.contains("\n  GET https://api.shop.test/v1/you\n"), "\(missed)")
    // Of two origins any may be meant, and the first stub answers.
    try box.must("add", "two/hosts", "--key", "pay", "--url", "https://pay.test/v1/items")
    try box.must("add", "two/hosts", "--key", "shop", "--url", "https://shop.test/v1/items")
    try box.must("add", "two/hosts", "--key", "last", "--url", "https://shop.test/v1/last")
    #expect(
      try box.run("match", "two/hosts", "GET", "/v1/items").out.hasPrefix("Stub pay answers"))
    #expect(try box.run("match", "two/hosts", "GET", "/v1/last").out.hasPrefix("Stub last answers"))
    #expect(try box.run("match", "two/hosts", "GET", "https://pay.test/v1/last").code == 2)
  }

  private static let charges = "https://api.shop.test/v1/charges"

  @Test func theStubThatAnswersIsShown() throws {
    let box = try Sandbox.shop()
    #expect(
      try box.run(
        "match", "checkout/paid", "POST", Self.charges, "--header",
        "Content-Type: application/json",
        "--data", #"{"amount": 1200}"#)
        == CommandResult(
          out: """
            Stub charge answers:
              status 402 after 200ms
              Retry-After: 1
              Content-Type: application/json
              {"error":"card_declined"}

            """,
          err: """
            This is the first of its 2 responses; stubdb show checkout/paid charge shows all.

            """))
    #expect(
      try box.run("match", "checkout/paid", "GET", "https://api.shop.test/v1/me").out == """
        Stub me of session/signed-in, which checkout/paid includes, answers:
          status 200
          Content-Type: text/plain; charset=utf-8
          Ada

        """)
  }

  @Test func aScenarioOnTopAnswersFirst() throws {
    let box = try Sandbox.shop()
    let me = "https://api.shop.test/v1/me"
    try box.must("add", "session/other", "--method", "GET", "--url", me, "--text", "Bob")
    let result = try box.run("match", "checkout/paid", "GET", me, "--overlay", "session/other")
    #expect(
      result.out == """
        Stub get-v1-me of session/other, which is on top, answers:
          status 200
          Content-Type: text/plain; charset=utf-8
          Bob

        """, "\(result)")
    let wrong = try box.run("match", "checkout/paid", "GET", me, "--overlay", "session/othr")
    #expect(wrong.code == 1 && wrong.err.contains("Did you mean session/other?"), "\(wrong)")
  }

  @Test func theSeedDecidesWhatIsRandom() throws {
    let box = try Sandbox.shop()
    try box.write(
      "random.json",
      #"""
      { "scenario": "random", "stubs": [ { "key": "a", "request": { "url": "https://h.test/" },
        "responses": [ { "template": true, "text": "{{randomInt lower=1 upper=1000000000}}" } ] } ] }
      """#)
    try box.must("add", "--file", "random.json")
    let answers = try ["1", "1", "2"].map { seed in
      try box.run("match", "random", "GET", "https://h.test/", "--seed", seed).out
    }
    #expect(answers[0].contains("status 200") && answers[0] == answers[1])
    #expect(answers[0] != answers[2])
  }

  @Test func whatTheRequestGetsIsShown() throws {
    let box = try Sandbox.shop()
    try box.write(
      "played.json",
      """
      { "scenario": "played", "stubs": [
        { "key": "item", "request": { "url": "https://h.test/items/{id}" },
          "responses": [ { "template": true, "text": "item {{request.path.id}}" } ] },
        { "key": "sum", "request": { "url": "https://h.test/sum" },
          "responses": [ { "template": true, "text": "{{math request.query.n '+' 1}}" } ] },
        { "key": "file", "request": { "url": "https://h.test/file" },
          "responses": [ { "text": "0123456789" } ] },
        { "key": "broken", "request": { "url": "https://h.test/broken" },
          "responses": [ { "text": "0123456789", "fault": "connectionReset", "afterBytes": 3 } ] } ] }
      """)
    _ = try box.run("add", "played", "--file", "played.json")
    func answer(_ arguments: String...) throws -> String {
      try box.run(executable: Sandbox.binary, arguments: ["match", "played"] + arguments).out
    }
    #expect(
      try answer("GET", "https://h.test/items/7") == """
        Stub item answers:
          status 200
          Content-Type: text/plain; charset=utf-8
          item 7

        """)
    #expect(
      try answer("GET", "https://h.test/file", "--header", "Range: bytes=2-4") == """
        Stub file answers:
          status 206
          Content-Type: text/plain; charset=utf-8
          Content-Range: bytes 2-4/10
          234

        """)
    #expect(
      try answer("HEAD", "https://h.test/file") == """
        Stub file answers:
          status 200
          Content-Type: text/plain; charset=utf-8

        """)
    let part = try answer("GET", "https://h.test/file", "--header", "Range: bytes=2-4", "--json")
    #expect(part.contains("\"text\": \"234\"") && part.contains("\"status\": 206"), "\(part)")
    let broken = try answer("GET", "https://h.test/broken")
    #expect(
      broken == """
        Stub broken answers:
          error networkConnectionLost (NSURLErrorDomain -1005) after 3 bytes of content
          Content-Type: text/plain; charset=utf-8
          012

        """)
    let failed = try box.run("match", "played", "GET", "https://h.test/sum?n=x")
    #expect(failed.out.contains("error StubDB"), "\(failed.out)")
    #expect(failed.err.contains("\"x\" is not a number"), "\(failed.err)")
  }

  @Test func aMatchAsJSON() throws {
    let box = try Sandbox.shop()
    try box.write("charge.json", #"{"amount": 1200}"#)
    let expected = CommandResult(
      out: """
        {
          "matched": true,
          "scenario": "checkout/paid",
          "key": "charge",
          "response": {
            "delay": "200ms",
            "headers": {
              "Content-Type": "application/json",
              "Retry-After": "1"
            },
            "json": {
              "error": "card_declined"
            },
            "status": 402
          }
        }

        """)
    let arguments = ["match", "checkout/paid", "POST", Self.charges, "--json", "--data"]
    for (data, input) in [("@charge.json", ""), ("@-", #"{"amount": 1200}"#)] {
      #expect(
        try box.run(executable: Sandbox.binary, arguments: arguments + [data], input: input)
          == expected)
    }
  }

  @Test func aNearMissExitsWith2() throws {
    let box = try Sandbox.shop()
    let result = try box.run(
      "match", "checkout/paid", "POST", Self.charges, "--data", #"{"amount": 1300}"#)
    #expect(result.code == 2)
    #expect(result.err == "")
    #expect(
      result.out.hasPrefix(
        """
        No stub of scenario "checkout/paid" answers
          POST https://api.shop.test/v1/charges

        The nearest stubs, and what differs (✗):

          1. charge: POST https://api.shop.test/v1/charges
             ✗ body /amount  expected  1200
                             actual    1300

        """))
  }

  @Test func aNearMissAsJSON() throws {
    let box = try Sandbox.shop()
    let result = try box.run(
      "match", "session/signed-in", "GET", "https://api.shop.test/v1/you", "--json")
    #expect(result.code == 2)
    #expect(result.err == "")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
    #expect(json.keys.sorted() == ["matched", "nearMisses"])
    #expect(json["matched"] as? Bool == false)
    let misses = try #require(json["nearMisses"] as? [[String: Any]])
    try #require(misses.count == 1)
    #expect(misses[0].keys.sorted() == ["distance", "key", "mismatches", "scenario"])
    #expect(misses[0]["scenario"] as? String == "session/signed-in")
    #expect(misses[0]["key"] as? String == "me")
    #expect((0...1).contains(try #require(misses[0]["distance"] as? Double)))
    let mismatches = try #require(misses[0]["mismatches"] as? [[String: Any]])
    try #require(mismatches.count == 1)
    #expect(mismatches[0].keys.sorted() == ["actual", "expected", "part", "pointer"])
    #expect(mismatches[0]["part"] as? String == "path")
    #expect(mismatches[0]["expected"] as? String == "/v1/me")
    #expect(mismatches[0]["actual"] as? String == "/v1/you")
    #expect(mismatches[0]["pointer"] is NSNull)
  }

  /// In the folder of the catalog, and in one from which the catalog must be named.
  @Test(arguments: ["", "elsewhere"])
  func theCommandsOfANearMissWorkAsPrinted(folder: String) throws {
    let box = try Sandbox.shop()
    try box.write("elsewhere/other.stubdb", "")
    _ = try box.run("add", "network/offline", "--url", "/**", "--error", "notConnectedToInternet")
    _ = try box.run(
      "add", "orders/empty", "--method", "POST", "--url", "https://api.shop.test/v1/orders")
    let catalog = folder.isEmpty ? [] : ["--catalog", "../shop.stubdb"]
    let request = [
      "match", "session/signed-in", "POST", "https://api.shop.test/v1/orders?a=b c&token=abc123",
      "-H", "Authorization: Bearer abc123", "-H", "X-Beta: it's on", "--data", #"@{"amount":1200}"#,
    ]
    let result = try box.run(
      executable: Sandbox.binary,
      arguments: request.map { $0 == #"@{"amount":1200}"# ? "@" + $0 : $0 } + catalog, in: folder)
    #expect(result.code == 2)
    #expect(!result.out.contains("abc123"))
    #expect(!result.out.contains("offline"))
    let commands = result.out.split(separator: "\n").filter { $0.hasPrefix("  stubdb ") }
    let codes = try commands.map { line in
      "\(line.split(separator: " ")[1]) \(try box.shell(String(line), in: folder).code)"
    }
    #expect(codes == ["match 2", "add 0", "set 0"], "\(result.out)")
  }

  @Test func aScenarioThatIncludesThisOneIsNotProposed() throws {
    let box = try Sandbox.shop()
    let result = try box.run(
      "match", "session/signed-in", "POST", Self.charges, "--data", #"{"amount":1200}"#)
    #expect(result.code == 2)
    #expect(!result.out.contains("checkout/paid"))
  }

  @Test func secretsAreShownOnlyToWhoeverAsksForThem() throws {
    let box = try Sandbox.shop()
    _ = try box.run(
      "add", "a/b", "--url", "/x", "--when-header", "Authorization: Bearer wanted-1234")
    let request = [
      "match", "a/b", "GET", "https://h.test/x", "-H", "Authorization: Bearer sent-567",
    ]
    func ask(_ options: [String], _ environment: [String: String] = [:]) throws -> String {
      let result = try box.run(
        executable: Sandbox.binary, arguments: request + options, environment: environment)
      return result.out + result.err
    }
    for hidden in [try ask([]), try ask(["--json"])] {
      #expect(!hidden.contains("wanted-1234") && !hidden.contains("sent-567"), "\(hidden)")
    }
    let variable = ["STUBDB_SHOW_SECRETS": "1"]
    for shown in [
      try ask(["--show-secrets"]), try ask(["--json", "--show-secrets"]), try ask([], variable),
    ] {
      #expect(shown.contains("wanted-1234") && shown.contains("sent-567"), "\(shown)")
    }
  }

  @Test func whatIsNoRequestIsAUsageError() throws {
    let box = try Sandbox.shop()
    #expect(try box.run("match", "checkout/paid", "GET", "v1/me").code == 64)
    #expect(try box.run("match", "checkout/paid", "GE T", "https://a.test/").code == 64)
    #expect(
      try box.run("match", "checkout/piad", "GET", "https://a.test/")
        == CommandResult(
          err: """
            Error: there is no scenario checkout/piad in shop.stubdb
            Did you mean checkout/paid?

            """, code: 1))
  }

  @Test func whatCannotBePlayedFailsWithItsPlace() throws {
    let box = try Sandbox.shop()
    let stub = #"{"key":"k","request":{"url":"/x","body":{"matchesXPath":"//a["}}}"#
    try box.insertUnchecked(stub, into: "a/b")
    let result = try box.run("match", "a/b", "GET", "https://a.test/x")
    #expect(result.code == 1)
    #expect(result.err.contains("is not an XPath 1.0"))
    #expect(result.err.contains("/stubs/0/request/body/matchesXPath"))
  }
}
