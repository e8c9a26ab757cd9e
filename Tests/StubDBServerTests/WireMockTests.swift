#if Server
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback
import StubDBServer
import StubDBServing
import Testing

/// Clients of WireMock's admin API find what they use in tests.
@Suite struct WireMockTests {
  private static let mapping = """
    {"priority": 1, "request": {"method": "POST", "urlPath": "/pay", "bodyPatterns": [{"equalToJson": {"a": 1}}]},
     "response": {"status": 201, "jsonBody": {"id": 7}, "headers": {"X-A": "b"}}}
    """

  @Test func aMappingIsAddedOnTopOfTheScenario() throws {
    let server = try TestServer(SessionTests.document)
    #expect(try server.ask("POST", "/pay", #"{"a": 1}"#).status == 204)
    let made = try server.ask("POST", "/__admin/mappings", Self.mapping)
    #expect(made.status == 201 && made.text("id") == made.text("uuid") && !made.text("id").isEmpty)
    let paid = try server.ask("POST", "/pay", #"{"a": 1}"#)
    #expect(paid.status == 201 && paid.text == #"{"id":7}"# && paid.fields["x-a"] == "b")
    #expect(try server.ask("POST", "/pay", #"{"a": 2}"#).status == 204)
    let all = try server.ask("GET", "/__admin/mappings")
    #expect(all.text("/mappings/0/id") == made.text("id") && all["/meta/total"] == 1)
    // The catalog's view is not changed, and the journal names the mapping.
    let journal = try server.ask("GET", "/__stubdb/sessions/default/journal")
    #expect(journal.text("/events/1/key") == made.text("id"))
  }

  @Test func mappingsAreChangedAndRemoved() throws {
    let server = try TestServer(SessionTests.document)
    let id = "3a2a4f3e-0b2d-4e1e-9a7e-000000000001"
    let mapping = #"{"id": "\#(id)", "request": {"url": "/two"}, "response": {"body": "mine"}}"#
    #expect(try server.ask("POST", "/__admin/mappings", mapping).text("id") == id)
    #expect(try server.ask("GET", "/two").text == "mine")
    let changed = mapping.replacing("mine", with: "yours")
    #expect(try server.ask("PUT", "/__admin/mappings/\(id)", changed).status == 200)
    #expect(try server.ask("GET", "/two").text == "yours")
    #expect(try server.ask("GET", "/__admin/mappings/\(id)").text("/response/body") == "yours")
    #expect(try server.ask("DELETE", "/__admin/mappings/\(id)").status == 200)
    #expect(try server.ask("GET", "/two").text == "1")
    #expect(try server.ask("GET", "/__admin/mappings/\(id)").status == 404)
    // A mapping that comes later answers first.
    for body in ["a", "b"] {
      _ = try server.ask(
        "POST", "/__admin/mappings",
        #"{"request": {"url": "/x"}, "response": {"body": "\#(body)"}}"#)
    }
    #expect(try server.ask("GET", "/x").text == "b")
    #expect(try server.ask("POST", "/__admin/reset").status == 200)
    #expect(try server.ask("GET", "/x").status == 404)
    #expect(try server.ask("GET", "/two").text == "1")
  }

  @Test func mappingsThatAreAddedTogetherAllAnswer() throws {
    let server = try TestServer(SessionTests.document)
    for number in 1...5 {
      let made = try server.ask(
        "POST", "/__admin/mappings",
        #"{"request": {"url": "/m\#(number)"}, "response": {"body": "\#(number)"}}"#)
      #expect(made.status == 201)
    }
    #expect(try server.ask("GET", "/__admin/mappings")["/meta/total"] == 5)
    // Requests behind each other on one connection: the first one waits until all are compiled.
    let text = try server.exchange(
      (1...5).map { "GET /m\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
    #expect(text.split(separator: "HTTP/1.1 200 OK").map(\.last) == ["1", "2", "3", "4", "5"])
    #expect(try server.ask("GET", "/two").text == "1")
  }

  @Test(arguments: [0, 100, 101, 103, 199])
  func aMappingHasTheStatusOfAResponse(_ status: Int) throws {
    let server = try TestServer(SessionTests.document)
    let refused = try server.ask(
      "POST", "/__admin/mappings",
      #"{"request": {"url": "/x"}, "response": {"status": \#(status)}}"#)
    #expect(refused.status == 422 && refused.text("detail").contains("/response/status"))
    let fault = try server.ask(
      "POST", "/__admin/mappings",
      #"{"request": {"url": "/x"}, "response": {"status": \#(status), "fault": "EMPTY_RESPONSE"}}"#)
    #expect(fault.status == 201, "\(fault)")
  }

  @Test func aMappingThatCannotBePlayedIsRefusedAtOnce() throws {
    let server = try TestServer(SessionTests.document)
    let refused = try server.ask(
      "POST", "/__admin/mappings",
      #"{"request": {"url": "/x"}, "response": {"body": "{{#if", "transformers": ["response-template"]}}"#
    )
    #expect(refused.status == 422, "\(refused)")
    #expect(try server.ask("GET", "/__admin/mappings")["/meta/total"] == 0)
    #expect(try server.ask("GET", "/two").text == "1")
  }

  @Test func requestsAreFoundAndCounted() throws {
    let server = try TestServer(SessionTests.document)
    _ = try server.ask("GET", "/two?a=1", fields: ["X-A: b"])
    _ = try server.ask("GET", "/nowhere")
    let all = try server.ask("GET", "/__admin/requests")
    #expect(all["/meta/total"] == 2 && all.text("/requests/0/request/url") == "/nowhere")
    #expect(all["/requests/0/wasMatched"] == false && all["/requests/1/wasMatched"] == true)
    #expect(all.text("/requests/1/request/headers/X-A") == "b")
    let unmatched = try server.ask("GET", "/__admin/requests/unmatched")
    #expect(unmatched.text("/requests/0/url") == "/nowhere" && unmatched.isMissing("/requests/1"))
    let pattern =
      #"{"method": "GET", "urlPath": "/two", "queryParameters": {"a": {"equalTo": "1"}}}"#
    #expect(try server.ask("POST", "/__admin/requests/count", pattern)["/count"] == 1)
    let found = try server.ask("POST", "/__admin/requests/find", pattern)
    #expect(found.text("/requests/0/url") == "/two?a=1")
    #expect(try server.ask("DELETE", "/__admin/requests").status == 200)
    #expect(try server.ask("GET", "/__admin/requests")["/meta/total"] == 0)
  }

  @Test func scenariosAreReset() throws {
    let server = try TestServer(SessionTests.document)
    _ = try server.ask("GET", "/pay")
    #expect(try server.ask("GET", "/__admin/scenarios").text("/scenarios/0/state") == "paid")
    #expect(try server.ask("POST", "/__admin/scenarios/reset").status == 200)
    #expect(try server.ask("GET", "/__admin/scenarios").text("/scenarios/0/state") == "Started")
    let path = "/__admin/scenarios/order/state"
    #expect(try server.ask("PUT", path, #"{"state": "paid"}"#).status == 200)
    #expect(server.player.run.flowStates == ["order": "paid"])
    #expect(try server.ask("PUT", path).status == 200)
    #expect(server.player.run.flowStates == ["order": "started"])
    #expect(try server.ask("PUT", "/__admin/scenarios/none/state").status == 404)
  }

  @Test func mappingsAreImportedTogether() throws {
    let server = try TestServer(SessionTests.document)
    func mapping(_ last: Int, _ body: String) -> String {
      #"{"id": "3a2a4f3e-0b2d-4e1e-9a7e-00000000000\#(last)", "request": {"url": "/x\#(last)"}, "#
        + #""response": {"body": "\#(body)"}}"#
    }
    func bodies() throws -> [String] {
      try (1...3).map { try server.ask("GET", "/x\($0)") }
        .map { $0.status == 200 ? $0.text : "-" }
    }
    func add(_ options: String, _ mappings: String...) throws -> Int {
      try server.ask(
        "POST", "/__admin/mappings/import",
        #"{"mappings": [\#(mappings.joined(separator: ","))], "importOptions": \#(options)}"#
      ).status
    }
    #expect(try add("{}", mapping(1, "a"), mapping(2, "b")) == 200)
    #expect(try bodies() == ["a", "b", "-"])
    #expect(try add(#"{"duplicatePolicy": "IGNORE"}"#, mapping(1, "c"), mapping(3, "d")) == 200)
    #expect(try bodies() == ["a", "b", "d"])
    #expect(try add(#"{"deleteAllNotInImport": true}"#, mapping(1, "e")) == 200)
    #expect(try bodies() == ["e", "-", "-"])
    for options in [
      #"{"duplicatePolicy": "ASK"}"#, #"{"duplicatePolicy": 1}"#, #"{"deleteAllNotInImport": {}}"#,
      "[]",
    ] {
      #expect(try add(options) == 422, "\(options)")
    }
    #expect(try bodies() == ["e", "-", "-"])
  }

  @Test func requestsAreRemoved() throws {
    let server = try TestServer(SessionTests.document)
    for path in ["/two", "/nowhere", "/two?a=1"] { _ = try server.ask("GET", path) }
    let removed = try server.ask(
      "POST", "/__admin/requests/remove", #"{"urlPath": "/nowhere"}"#)
    #expect(removed.text("/serveEvents/0/request/url") == "/nowhere")
    #expect(server.player.run.journal.map(\.number) == [1, 3] && server.player.problems().isEmpty)
    let all = try server.ask("GET", "/__admin/requests")
    let id = all.text("/requests/0/id")
    #expect(UUID(uuidString: id) != nil && all["/meta/total"] == 2)
    #expect(!all.isMissing("/requests/0/request/loggedDate"))
    #expect(try server.ask("GET", "/__admin/requests/\(id)").text("/request/url") == "/two?a=1")
    #expect(try server.ask("DELETE", "/__admin/requests/\(id)").status == 200)
    #expect(try server.ask("GET", "/__admin/requests/\(id)").status == 404)
    // Numbers go on, and pages skip what was removed.
    _ = try server.ask("GET", "/two")
    let page = try server.ask("GET", "/__stubdb/sessions/default/journal?limit=2")
    #expect(page["/events/0/number"] == 1 && page["/events/1/number"] == 4)
    #expect(page["/next"] == 4 && page["/dropped"] == 0)
  }

  @Test func nearMissesAreToldBothWays() throws {
    let server = try TestServer(SessionTests.document)
    let made = try server.ask("POST", "/__admin/mappings", Self.mapping)
    _ = try server.ask("POST", "/pay?x=1", #"{"a": 2}"#)
    _ = try server.ask("GET", "/far")
    let stubs = try server.ask("GET", "/__admin/requests/unmatched/near-misses")
    #expect(stubs.text("/nearMisses/0/request/url") == "/far")
    #expect(!stubs.text("/nearMisses/0/stubMapping/name").isEmpty)
    #expect(!stubs.isMissing("/nearMisses/0/matchResult/distance"))
    let requests = try server.ask(
      "POST", "/__admin/near-misses/request-pattern",
      #"{"method": "POST", "urlPath": "/pay", "bodyPatterns": [{"equalToJson": {"a": 3}}]}"#)
    #expect(requests.text("/nearMisses/0/request/url") == "/pay?x=1")
    #expect(requests.text("/nearMisses/0/requestPattern/urlPath") == "/pay")
    #expect(requests.text("/nearMisses/1/request/url") == "/far")
    let near = try server.ask(
      "POST", "/__admin/near-misses/request",
      #"{"method": "POST", "url": "/pays", "body": "{\"a\": 1}", "headers": {"X-A": "b"}}"#)
    #expect(near.text("/nearMisses/0/stubMapping/id") == made.text("id"), "\(near)")
    #expect(server.player.run.journal.count == 2)
  }

  @Test func whatAClientAsksAboutTheServerIsAnswered() throws {
    let server = try TestServer(SessionTests.document)
    #expect(try server.ask("GET", "/__admin/version").status == 200)
    #expect(try server.ask("GET", "/__admin/settings")["/settings/proxyPassThrough"] == false)
    #expect(
      try server.ask("POST", "/__admin/settings", #"{"proxyPassThrough": true}"#).status == 200)
    let delay = try server.ask("POST", "/__admin/settings", #"{"fixedDelay": 500}"#)
    #expect(delay.status == 422 && delay.text("pointer") == "/fixedDelay")
    let save = try server.ask("POST", "/__admin/mappings/save")
    #expect(
      save.status == 405
        && save.text("detail") == "The route /__admin/mappings/{id} takes GET, PUT, DELETE.")
  }

  @Test func aMappingThatHasNoCounterpartIsRefused() throws {
    let server = try TestServer(SessionTests.document)
    for (mapping, status) in [
      (#"{"request": {"url": "/a", "customMatcher": {"name": "mine"}}, "response": {}}"#, 422),
      ("[]", 422), ("{", 400),
    ] {
      let result = try server.ask("POST", "/__admin/mappings", mapping)
      #expect(result.status == status, "\(mapping): \(result)")
      guard mapping.contains("customMatcher") else { continue }
      #expect(
        result.text("detail")
          == "/request/customMatcher: customMatcher is not supported; the mapping was refused, because "
          + "without it the stub would answer requests it should not")
      let batch = try server.ask(
        "POST", "/__admin/mappings/import",
        #"{"mappings": [{"request": {"url": "/a"}, "response": {}}, \#(mapping)]}"#)
      #expect(batch.status == 422)
      #expect(batch.text("detail").hasPrefix("/mappings/1/request/customMatcher: "))
    }
    #expect(try server.ask("GET", "/__admin/mappings")["/meta/total"] == 0)
    #expect(try server.ask("GET", "/__admin/mappings", host: "evil.test").status == 403)
  }

  @Test func mappingsOutliveAChangeOfTheCatalog() throws {
    let catalog = try TestCatalog(SessionTests.document)
    var options = ServerOptions()
    options.reloadInterval = .milliseconds(1)
    let server = try TestServer(catalog: catalog, scenario: "shop", options: options)
    _ = try server.ask(
      "POST", "/__admin/mappings", #"{"request": {"url": "/x"}, "response": {"body": "mine"}}"#)
    try catalog.catalog.edit { editor in
      try editor.insert(
        Stub(key: "new", request: RequestPattern(url: "/new")),
        into: try #require(ScenarioName("shop")))
    }
    while try server.ask("GET", "/new").status != 200 {}
    #expect(try server.ask("GET", "/x").text == "mine")
  }

  private static let hasClient = PythonProgram.has("requests", "wiremock")

  @Test(.enabled(if: hasClient, "python has no package wiremock: scripts/python-packages"))
  func theClientForPythonWorks() throws {
    let server = try TestServer(SessionTests.document)
    let text = try PythonProgram.output(
      of: "wiremock_client.py", "http://127.0.0.1:\(server.server.port)")
    #expect(
      text == """
        made True 1
        got hello 404
        changed changed
        count 2
        found ['/some/thing', '/some/thing']
        all [('GET', '/some/thing'), ('GET', '/other'), ('GET', '/some/thing')]
        near /some/thing True
        asked /some/thin
        removed 404
        empty 0

        """)
  }
}
#endif
