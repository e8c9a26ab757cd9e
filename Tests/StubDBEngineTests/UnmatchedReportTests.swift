import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBModel
import Testing

@Suite struct UnmatchedReportTests {
  private let document = """
    {"scenario": "checkout/card-declined", "stubs": [
      {"key": "charge",
       "request": {"method": "POST", "url": "https://api.shop.test/v1/charges?expand=customer",
         "headers": {"Authorization": {"matches": "Bearer .+"}},
         "body": {"equalToJson": {"amount": 1200, "card": {"number": "4242"}, "tags": ["a"]}}},
       "responses": [{"status": 402}, {"status": 201}], "then": "fail"},
      {"key": "orders", "request": {"method": "GET", "url": "https://api.shop.test/v1/orders/{id}",
         "cookies": {"sid": {"absent": true}}}}]}
    """

  private func report(_ requests: StubRequest...) throws -> String {
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let run = try loaded(scenario).run()
    for request in requests { _ = run.respond(to: request) }
    let event = try #require(run.journal.last)
    return run.report(on: event).text
  }

  /// With the path of a catalog, so that commands are suggested.
  private func loaded(_ scenario: Scenario) throws -> LoadedScenario {
    try LoadedScenario(
      name: scenario.name, stubs: scenario.stubs.map { .init(origin: scenario.name, stub: $0) },
      catalogDescription: "/shop/my shop.stubdb")
  }

  private func charge(
    _ authorization: String, _ body: String,
    url: String = "https://api.shop.test/v1/charges?expand=customer"
  ) -> StubRequest {
    StubRequest(
      method: "POST", url: url, headers: [.authorization: authorization],
      body: .bytes(Data(body.utf8)))
  }

  private let good = #"{"amount": 1200, "card": {"number": "4242"}, "tags": ["a"]}"#

  @Test func namesOfPartsAddNoLines() throws {
    var scenario = try ScenarioDocument.decode(
      Data(
        #"""
        {"scenario": "a", "stubs": [
          {"key": "k", "request": {"body": {"form": {"a\n\u001b[31mb": "1"}}}}]}
        """#.utf8))
    scenario.stubs[0].key = Stub.Key(unchecked: "k\n1")
    let run = try loaded(scenario).run()
    _ = run.respond(to: charge("Bearer x", good))
    let text = run.report(on: try #require(run.journal.last)).text
    #expect(text.contains("k\\n1: "))
    #expect(text.contains("form a\\n\\u{1b}[31mb"))
  }

  @Test func stubsForTheMethodHostAndPathOfTheRequestComeBeforeAllOthers() throws {
    let stubs = [
      // Much is off, and it is what a person means.
      #"{"key": "charge", "request": {"method": "POST", "url": "https://api.shop.test/v1/charges", "headers": {"X-A": "1", "X-B": "2"}, "body": {"equalToJson": {"amount": 1}}}}"#,
      #"{"key": "list", "request": {"method": "POST", "url": "https://api.shop.test/v1/charges?page=2"}}"#,
      // Little is off, and it is not.
      #"{"key": "hook", "request": {"method": "POST", "url": "https://api.shop.test/v1/charged"}}"#,
      #"{"key": "get", "request": {"method": "GET", "url": "https://api.shop.test/v1/charges"}}"#,
      #"{"key": "other", "request": {"method": "POST", "url": "https://api.shop.tests/v1/charges"}}"#,
    ]
    // In any order of the document: nearness alone decides.
    for shift in stubs.indices {
      let order = stubs[shift...] + stubs[..<shift]
      for stubs in [Array(order), order.reversed()] {
        let document = #"{"scenario": "a", "stubs": [\#(stubs.joined(separator: ","))]}"#
        let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
        _ = run.respond(to: charge("x", "{}", url: "https://api.shop.test/v1/charges"))
        let misses = run.journal[0].nearMisses
        #expect(misses.map(\.key).prefix(2) == ["list", "charge"])
        #expect(misses[1].distance > misses[2].distance)
      }
    }
  }

  @Test func ofEquallyNearStubsTheOneThatAnswersFirstComesFirst() throws {
    let stubs = (1...5).map { number in
      #"{"key": "\#(number)", "priority": \#(6 - number), "request": {"url": "https://a.test/x", "headers": {"X": "1"}}}"#
    }
    let document = #"{"scenario": "a", "stubs": [\#(stubs.joined(separator: ","))]}"#
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    _ = run.respond(to: StubRequest(url: "https://a.test/x"))
    #expect(run.journal[0].nearMisses.map(\.key) == ["5", "4", "3"])
  }

  @Test func eachPartThatIsOffStandsInItsOwnLines() throws {
    let text = try report(
      charge("Basic dTpw", #"{"amount": 1300, "card": {"number": "4000"}, "tags": ["a", "b"]}"#))
    #expect(
      text == """
        No stub of scenario "checkout/card-declined" answers
          POST https://api.shop.test/v1/charges?expand=customer

        The nearest stubs, and what differs (✗):

          1. charge: POST https://api.shop.test/v1/charges?expand=customer
             ✗ header Authorization  expected  matches "Bearer .+"
                                     actual    "Basic (secret, 4 bytes)"
             ✗ body /amount          expected  1200
                                     actual    1300
             ✗ body /card/number     expected  "4242"
                                     actual    "4000"
             ✗ body /tags/1          expected  absent
                                     actual    "b"

          2. orders: GET https://api.shop.test/v1/orders/{id}
             ✗ method  expected  GET
                       actual    POST
             ✗ path    expected  /v1/orders/{id}
                       actual    /v1/charges

        To compare it again (put the secrets in the place of REDACTED):
          stubdb match checkout/card-declined POST 'https://api.shop.test/v1/charges?expand=customer' --header 'Authorization: Basic REDACTED' --data '{"amount": 1300, "card": {"number": "4000"}, "tags": ["a", "b"]}' --catalog '/shop/my shop.stubdb'
        To answer it, and no other request (the answer is empty; add --json or --text to fill it):
          stubdb add checkout/card-declined --method POST --url 'https://api.shop.test/v1/charges?expand=customer' --query-is-exact --when-body-json '{"amount": 1300, "card": {"number": "4000"}, "tags": ["a", "b"]}' --status 200 --catalog '/shop/my shop.stubdb'
        """)
  }

  @Test func aWrongMethodDoesNotHideWhatElseIsOff() throws {
    var request = charge("Bearer x", "{")
    request.method = "PUT"
    request.url = "http://api.shop.test/v1/charges"
    let text = try report(request)
    let block = """
        1. charge: POST https://api.shop.test/v1/charges?expand=customer
           ✗ method        expected  POST
                           actual    PUT
           ✗ scheme        expected  https
                           actual    http
           ✗ query expand  expected  "customer"
                           actual    absent
           ✗ body          expected  JSON {"amount":1200,"card":{"number":"4242"},"tags":["a"]}
                           actual    not JSON: expected a member name in quotes (line 1, column 2); the body is "{"
      """
    #expect(text.contains(block), "\(text)")
  }

  @Test func aStubThatIsUsedUpSaysSo() throws {
    let request = charge("Bearer x", good)
    let text = try report(request, request, request)
    #expect(
      text.contains(
        """
          1. charge: POST https://api.shop.test/v1/charges?expand=customer
             ✗ responses  expected  2 requests, then fail
                          actual    used up (2 of 2 responses given)

        """))
    #expect(
      text.hasSuffix(
        """
        The stub is used up. To let it answer with its last response from then on:
          stubdb set checkout/card-declined charge --then repeatLast --catalog '/shop/my shop.stubdb'
        """))
  }

  @Test func aScenarioWithoutStubsHasNothingToCompare() throws {
    let scenario = try #require(ScenarioName("empty"))
    let run = try loaded(Scenario(name: scenario)).run()
    _ = run.respond(to: StubRequest(url: "https://a.test/it's"))
    #expect(
      run.report(on: run.journal[0]).text == """
        No stub of scenario "empty" answers
          GET https://a.test/it's

        There is no stub to compare it with.

        To answer it, and no other request (the answer is empty; add --json or --text to fill it):
          stubdb add empty --method GET --url 'https://a.test/it'\\''s' --query-is-exact --status 200 --catalog '/shop/my shop.stubdb'
        """)
  }

  @Test func theCommandsAreWhatTheCommandLineTakes() throws {
    let name = try #require(ScenarioName("a"))
    let fields = [HTTPField.Name.cookie, .referer, .contentType].map {
      HeaderPattern($0, .anything)
    }
    let stub = Stub(key: "s", request: RequestPattern(path: .template("/x"), headers: fields))
    let run = try loaded(Scenario(name: name, stubs: [stub])).run()
    let request = StubRequest(
      method: "Purge", url: "https://u:p@h.test/a{b}/**?q={1}**#top",
      headers: [
        .accept: "text/html", .cookie: "sid=1", .referer: String(repeating: "a", count: 999),
        .userAgent: "curl/8.5", .contentLength: "9", .contentType: "text/plain",
      ],
      body: .bytes(Data("two\nlines".utf8)))
    _ = run.respond(to: request)
    var report = run.report(on: run.journal[0])
    report.commandsNameCatalog = false
    let text = report.text
    #expect(
      text.hasSuffix(
        """
        To compare it again, without Referer (put the secrets in the place of REDACTED):
          stubdb match a Purge 'https://REDACTED@h.test/a{b}/**?q={1}**#top' --header 'Cookie: sid=REDACTED' --header 'Content-Type: text/plain' --data $'two\\nlines'
        To answer it, and no other request (the answer is empty; add --json or --text to fill it):
          stubdb add a --method Purge --url 'https://h.test/a%7Bb%7D/%2A%2A?q=%7B1%7D**' --query-is-exact --when-body $'two\\nlines' --status 200
        """), "\(text)")
  }

  @Test func aMethodInLowerCaseIsNotAddedButComparedInUpperCase() throws {
    let name = try #require(ScenarioName("a"))
    let stub = Stub(
      key: "s",
      request: RequestPattern(
        methods: [.get], query: [NamedPattern("page", .anything), NamedPattern("x", .absent)]))
    let run = try loaded(Scenario(name: name, stubs: [stub])).run()
    _ = run.respond(to: StubRequest(method: "get", url: "https://h.test/a?page=1"))
    let text = run.report(on: run.journal[0]).text
    #expect(text.contains("1. s: GET /**?page=…\n"), "\(text)")
    #expect(
      text.contains(
        """
        Methods are case-sensitive. To compare it as GET:
          stubdb match a GET 'https://h.test/a?page=1'
        """), "\(text)")
    #expect(!text.contains("stubdb add"))
  }

  @Test func fieldsThatClientsAddAreTypedIfAStubLooksAtThem() throws {
    let name = try #require(ScenarioName("a"))
    let request = RequestPattern(headers: [HeaderPattern(.accept, "text/html")])
    let run = try loaded(Scenario(name: name, stubs: [Stub(key: "s", request: request)])).run()
    _ = run.respond(
      to: StubRequest(
        url: "https://h.test/", headers: [.accept: "a/b", .userAgent: "curl/8.5"]))
    let text = run.report(on: run.journal[0]).text
    #expect(text.contains("stubdb match a GET https://h.test/ --header 'Accept: a/b' --catalog"))
  }

  @Test func aStubThatHandsTheRequestOnInVainSaysSo() throws {
    let name = try #require(ScenarioName("a"))
    let stub = Stub(key: "slow", responses: [StubResponse(delegation: .next)])
    let run = try LoadedScenario(Scenario(name: name, stubs: [stub])).run()
    _ = run.respond(to: StubRequest(url: "https://h.test/"))
    #expect(
      run.report(on: run.journal[0]).text.contains(
        """
             ✗ next  expected  another stub that matches
                     actual    handed on, but no other stub matches
        """))
  }

  @Test func theNearestStandsFirstAndThreeAreGiven() throws {
    let paths = ["/a/b/c", "/x", "/a/b/d", "/a/b", "/y"]
    let stubs = paths.map {
      Stub(key: Stub.Key(unchecked: $0), request: RequestPattern(path: .template($0)))
    }
    let name = try #require(ScenarioName("a"))
    let run = try LoadedScenario(Scenario(name: name, stubs: stubs)).run()
    guard case .unmatched(let event) = run.respond(to: StubRequest(url: "https://h/a/b/cc")) else {
      throw EngineTestFailure.notAnswered
    }
    #expect(event.nearMisses.map(\.key) == ["/a/b/c", "/a/b/d", "/a/b"])
    let distances = event.nearMisses.map(\.distance)
    #expect(distances == distances.sorted())
  }

  @Test func controlCharactersAreMadeVisible() throws {
    let name = try #require(ScenarioName("a"))
    let stub = Stub(key: "s", request: RequestPattern(body: [.value("a")]))
    let run = try LoadedScenario(Scenario(name: name, stubs: [stub])).run()
    _ = run.respond(
      to: StubRequest(url: "https://a.test/", body: .bytes(Data("a\r\n\t\u{1b}[31m\u{202e}".utf8))))
    #expect(
      run.journal[0].nearMisses[0].mismatches[0].actual == #""a\r\n\t\u{1b}[31m\u{202e}""#)
  }

  @Test func aScenarioThatIsInNoCatalogGetsNoCommands() throws {
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let run = try LoadedScenario(scenario).run()
    _ = run.respond(to: charge("Bearer x", "{}"))
    #expect(!run.report(on: run.journal[0]).text.contains("stubdb "))
  }

  @Test func thePathOfTheCatalogIsSeenFromTheCurrentFolder() throws {
    let name = try #require(ScenarioName("a"))
    let folder = FileManager.default.currentDirectoryPath
    let report = UnmatchedReport(
      request: StubRequest(url: "https://h.test/"), scenario: name, nearMisses: [],
      catalog: folder + "/Fixtures/a.stubdb")
    #expect(report.text.hasSuffix(" --catalog Fixtures/a.stubdb"))
  }

  @Test func anotherScenarioIsIncludedByACommand() throws {
    let names = try ["a", "b/x", "c"].map { try #require(ScenarioName($0)) }
    let report = UnmatchedReport(
      request: StubRequest(url: "https://h.test/"), scenario: names[0], nearMisses: [],
      otherScenarios: Array(names[1...]), catalog: "/x.stubdb")
    #expect(
      report.text.contains(
        """
        A stub of scenario "b/x" (and of 1 more) answers it. To play that scenario too:
          stubdb set a --include b/x --catalog /x.stubdb
        """))
  }
}
