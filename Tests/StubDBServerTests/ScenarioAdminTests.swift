#if Server
import Foundation
import StubDBJSON
import StubDBModel
import StubDBServer
import Testing

/// Scenarios are read and written through the admin API.
@Suite struct ScenarioAdminTests {
  private static let paid = """
    {
      "scenario": "checkout/paid",
      "tags": ["smoke"],
      "stubs": [
        {
          "key": "charge",
          "request": {
            "method": "POST",
            "url": "/charges"
          },
          "responses": [
            {
              "status": 201
            }
          ]
        }
      ]
    }

    """
  private static let path = "/__stubdb/scenarios/checkout%2Fpaid"

  private static func server() throws -> TestServer {
    try TestServer(catalog: try TestCatalog(paid), scenario: nil)
  }

  @Test func scenariosAreListedAndShown() throws {
    let server = try Self.server()
    let list = try server.ask("GET", "/__stubdb/scenarios")
    #expect(list.text("/0/scenario") == "checkout/paid" && list["/0/stubs"] == 1)
    #expect(list["/0/includedStubs"] == 0)
    #expect(try server.ask("GET", "/__stubdb/scenarios?prefix=session").isMissing("/0"))
    #expect(!(try server.ask("GET", "/__stubdb/scenarios?tag=smoke").isMissing("/0")))
    let document = try server.ask("GET", Self.path)
    #expect(document.text == Self.paid && document.fields["etag"]?.count == 66)
    let stub = try server.ask("GET", "\(Self.path)/stubs/charge")
    #expect(stub.text("key") == "charge" && stub.fields["etag"] != document.fields["etag"])
    for missing in [
      "/__stubdb/scenarios/a%2Fb", "\(Self.path)/stubs/other", "/__stubdb/scenarios/%20",
    ] {
      #expect(try server.ask("GET", missing).status == 404)
    }
    let near = try server.ask("GET", "/__stubdb/scenarios/checkout%2Fpad")
    #expect(near.text("nearest") == "checkout/paid")
  }

  @Test func aDocumentIsReplacedOnlyByWhoHasReadIt() throws {
    let server = try Self.server()
    let tag = try #require(try server.ask("GET", Self.path).fields["etag"])
    let changed = Self.paid.replacing("201", with: "402")
    #expect(try server.ask("PUT", Self.path, changed).status == 428)
    #expect(try server.ask("PUT", Self.path, changed, fields: ["If-None-Match: *"]).status == 412)
    let written = try server.ask("PUT", Self.path, changed, fields: ["If-Match: \"x\", \(tag)"])
    #expect(written.status == 200 && written.text == changed && written.fields["etag"] != tag)
    let late = try server.ask("PUT", Self.path, Self.paid, fields: ["If-Match: \(tag)"])
    #expect(late.status == 412 && late.fields["etag"] == written.fields["etag"])
    #expect(late["/current/stubs/0/responses/0/status"] == 402)
    #expect(try server.ask("GET", Self.path).text == changed)
  }

  @Test func scenariosAreMadeAndRemoved() throws {
    let server = try Self.server()
    let path = "/__stubdb/scenarios/a%2Fb"
    let document = #"{"scenario": "a/b", "includes": ["checkout/paid"], "stubs": []}"#
    #expect(try server.ask("PUT", path, document, fields: ["If-Match: *"]).status == 412)
    #expect(try server.ask("PUT", path, document, fields: ["If-None-Match: *"]).status == 201)
    let included = try server.ask("DELETE", Self.path, fields: ["If-Match: *"])
    #expect(included.status == 422 && included.text("detail").contains("a/b"))
    #expect(try server.ask("DELETE", path, fields: ["If-Match: \"x\""]).status == 412)
    #expect(try server.ask("DELETE", path, fields: ["If-Match: *"]).status == 204)
    #expect(try server.ask("DELETE", path, fields: ["If-Match: *"]).status == 404)
  }

  @Test(arguments: [path, path + "/stubs/charge"])
  func whatTheClientHasIsNotSentAgain(path: String) throws {
    let server = try Self.server()
    let tag = try #require(try server.ask("GET", path).fields["etag"])
    for known in [tag, "\"a\", W/\(tag)", "*"] {
      let result = try server.ask("GET", path, fields: ["If-None-Match: \(known)"])
      #expect(result.status == 304 && result.text == "" && result.fields["etag"] == tag)
    }
    #expect(try server.ask("GET", path, fields: ["If-None-Match: \"a\""]).status == 200)
  }

  @Test func aNewStubThatAnotherOneAlwaysHidesIsRefused() throws {
    let server = try Self.server()
    let hidden =
      #"{"key": "x", "request": {"method": "POST", "path": "/charges", "query": {"a": "1"}}}"#
    let path = "\(Self.path)/stubs/x"
    let refused = try server.ask("PUT", path, hidden, fields: ["If-None-Match: *"])
    #expect(refused.status == 422 && refused.text("pointer") == "/request", "\(refused)")
    #expect(refused.text("detail").contains("\"charge\" comes first"))
    let first = hidden.replacing("\"key\"", with: "\"priority\": 1, \"key\"")
    #expect(try server.ask("PUT", path, first, fields: ["If-None-Match: *"]).status == 201)
  }

  @Test func aStubWithAnOldProblemCanBePutBackByItself() throws {
    let old =
      #"{"scenario": "a/b", "stubs": [{"key": "s", "responses": [{"template": true, "text": "{{"}]}]}"#
    let server = try TestServer(catalog: try TestCatalog(old), scenario: nil)
    let path = "/__stubdb/scenarios/a%2Fb/stubs/s"
    let stub = try server.ask("GET", path)
    #expect(try server.ask("PUT", path, stub.text, fields: ["If-Match: *"]).status == 200)
    let other = stub.text.replacing("{{", with: "{{x")
    #expect(try server.ask("PUT", path, other, fields: ["If-Match: *"]).status == 422)
  }

  @Test func oneStubIsReplacedAddedAndRemoved() throws {
    let server = try Self.server()
    let path = "\(Self.path)/stubs/refund"
    let stub = #"{"key": "refund", "request": {"path": "/refunds"}}"#
    #expect(try server.ask("PUT", path, stub, fields: ["If-None-Match: *"]).status == 201)
    #expect(try server.ask("PUT", path, stub, fields: ["If-None-Match: *"]).status == 412)
    #expect(try server.ask("PUT", path, stub, fields: ["If-Match: *"]).status == 200)
    #expect(try server.ask("GET", Self.path).text("/stubs/1/key") == "refund")
    #expect(try server.ask("DELETE", path, fields: ["If-Match: *"]).status == 204)
    #expect(try server.ask("DELETE", path, fields: ["If-Match: *"]).status == 404)
    #expect(try server.ask("GET", Self.path).text == Self.paid)
  }

  @Test(arguments: [
    (#"{"scenario": "checkout/paid", "stub": []}"#, 422, "/stub"),
    (#"{"scenario": "a/b", "stubs": []}"#, 422, "/scenario"),
    (
      #"{"scenario": "checkout/paid", "stubs": [{"key": "a", "responses": [{"template": true, "text": "{{"}]}]}"#,
      422, "/stubs/0/responses/0/text"
    ),
    (
      #"{"scenario": "checkout/paid", "stubs": [{"key": "a", "responses": [{"template": true, "events": [{"event": "x", "data": "a"}, {"data": "{{x"}]}]}]}"#,
      422, "/stubs/0/responses/0/events/1/data"
    ),
    (#"{"scenario": "checkout/paid", "includes": ["no/where"], "stubs": []}"#, 422, "/includes"),
    (#"{"scenario": "checkout/paid","#, 400, ""),
    (
      #"{"scenario": "checkout/paid", "stubs": [{"key": "a", "responses": [{"file": "/etc/passwd"}]}]}"#,
      422,
      "/stubs/0/responses/0/file"
    ),
  ])
  func aDocumentThatCannotBePlayedIsRefused(
    _ document: String, _ status: Int, _ pointer: String
  ) throws {
    let server = try Self.server()
    let result = try server.ask("PUT", Self.path, document, fields: ["If-Match: *"])
    #expect(result.status == status && result.text("pointer") == pointer, "\(result)")
    #expect(try server.ask("GET", Self.path).text == Self.paid)
  }

  @Test func aConditionThatDoesNotHoldCountsMoreThanTheContent() throws {
    let server = try Self.server()
    for content in ["{", #"{"scenario": "a/b", "stubs": []}"#, #"{"key": "other"}"#] {
      for path in [Self.path, "\(Self.path)/stubs/charge"] {
        let late = try server.ask("PUT", path, content, fields: ["If-Match: \"x\""])
        #expect(late.status == 412 && !late.isMissing("/current"), "\(late)")
        let known = try server.ask("PUT", path, content, fields: ["If-Match: *"])
        #expect([400, 422].contains(known.status), "\(known)")
      }
    }
    let missing = try server.ask(
      "PUT", "/__stubdb/scenarios/no%2Fsuch/stubs/a", "{", fields: ["If-Match: *"])
    #expect(missing.status == 404)
  }

  @Test func secretsAreWrittenOnlyIfTheClientSaysSo() throws {
    let server = try Self.server()
    // Put together here, so that no tool that looks for tokens finds one in this file.
    let (token, other) = (
      "ghp_" + "q8WmZ3xTfP0sLk7RvB2nYd5HjC9aGe4UoI1t",
      "ghp_" + "Zx81mQpL0sK7tRvB2nYd5HjC9aGe4UoI3fWq"
    )
    func document(_ tokens: String...) -> String {
      let stubs = tokens.enumerated().map {
        #"{"key": "s\#($0)", "responses": [{"json": {"access_token": "\#($1)"}}]}"#
      }
      return #"{"scenario": "checkout/paid", "stubs": [\#(stubs.joined(separator: ","))]}"#
    }
    let allowed = "StubDB-Allow-Secrets: true"
    let refused = try server.ask("PUT", Self.path, document(token), fields: ["If-Match: *"])
    #expect(refused.status == 422 && refused.text("type") == "urn:stubdb:problem:secrets")
    #expect(refused.text("pointer") == "/stubs/0/responses/0/json/access_token", "\(refused)")
    #expect(!refused.text.contains(token) && refused.text("detail").contains("GitHub"))
    let stub = try server.ask(
      "PUT", "\(Self.path)/stubs/me", #"{"key": "me", "responses": [{"text": "\#(token)"}]}"#,
      fields: ["If-None-Match: *"])
    #expect(stub.status == 422 && stub.text("pointer") == "/responses/0/text", "\(stub)")
    #expect(try server.ask("GET", Self.path).text == Self.paid)
    let written = try server.ask(
      "PUT", Self.path, document(token), fields: ["If-Match: *", allowed])
    #expect(written.status == 200)
    // What the catalog has already is no news.
    let again = try server.ask("PUT", Self.path, document(token, token), fields: ["If-Match: *"])
    #expect(again.status == 200)
    let more = try server.ask("PUT", Self.path, document(token, other), fields: ["If-Match: *"])
    #expect(more.status == 422 && more.text("pointer").hasPrefix("/stubs/1/"), "\(more)")
  }

  @Test func aRequestIsMatchedWithoutASession() throws {
    let server = try Self.server()
    let hit = try server.ask(
      "POST", "/__stubdb/match",
      #"{"scenario": "checkout/paid", "request": {"method": "POST", "url": "https://a.test/charges"}}"#
    )
    #expect(
      hit["/matched"] == true && hit.text("key") == "charge" && hit["/response/status"] == 201)
    let miss = try server.ask(
      "POST", "/__stubdb/match",
      #"{"document": \#(Self.paid), "request": {"url": "/charges", "headers": [["A", "b"]], "json": {}}}"#
    )
    #expect(miss["/matched"] == false, "\(miss)")
    #expect(miss.text("/nearMisses/0/mismatches/0/part") == "method")
    let refused = try server.ask(
      "POST", "/__stubdb/match",
      #"{"document": {"scenario": "a/b", "stubs": [{"key": "a", "reqest": {}}]}, "request": {"url": "/"}}"#
    )
    #expect(refused.status == 422 && refused.text("pointer") == "/document/stubs/0/reqest")
  }

  @Test func overlaysAnswerBeforeTheScenario() throws {
    let cart =
      #"{"scenario": "cart/empty", "stubs": [{"key": "cart", "request": {"url": "/cart"}}]}"#
    let catalog = try TestCatalog(Self.paid, cart)
    let server = try TestServer(catalog: catalog, scenario: nil)
    func match(_ subject: String) throws -> AdminResult {
      try server.ask(
        "POST", "/__stubdb/match", #"{\#(subject), "request": {"url": "https://a.test/cart"}}"#)
    }
    #expect(try match(#""scenario": "checkout/paid""#)["/matched"] == false)
    let hit = try match(#""scenario": "checkout/paid", "overlays": ["cart/empty"]"#)
    #expect(hit["/matched"] == true && hit.text("scenario") == "cart/empty", "\(hit)")
    let twice = try match(#""scenario": "checkout/paid", "overlays": ["a/b", "a/b"]"#)
    #expect(twice.status == 422 && twice.text("pointer") == "/overlays/1", "\(twice)")
    let document = try match(#""document": \#(Self.paid), "overlays": []"#)
    #expect(document.status == 422 && document.text("pointer") == "/overlays", "\(document)")
  }

  @Test func moreHeaderFieldsThanARequestHasAreRefused() throws {
    let server = try Self.server()
    func match(_ count: Int) throws -> AdminResult {
      let fields = Array(repeating: #"["X","1"]"#, count: count).joined(separator: ",")
      return try server.ask(
        "POST", "/__stubdb/match",
        #"{"scenario": "checkout/paid", "request": {"url": "/a", "headers": [\#(fields)]}}"#)
    }
    #expect(try match(1_000).status == 200)
    for count in [1_001, 70_000] {
      let refused = try match(count)
      #expect(refused.status == 422 && refused.text("pointer") == "/request/headers", "\(refused)")
      #expect(refused.text("detail").contains("at most 1000 header fields"), "\(refused)")
    }
  }

  @Test func aSlashInANameIsHinted() throws {
    let server = try Self.server()
    let result = try server.ask("GET", "/__stubdb/scenarios/checkout/paid/stubs/charge")
    #expect(
      result.text("detail") == "In the name of a scenario, / is written as %2F: "
        + "/__stubdb/scenarios/checkout%2Fpaid/stubs/charge.")
    #expect(try server.ask("GET", "/__admin/files").text("detail").contains("/__admin/files"))
  }

  @Test func aServerWithoutACatalogHasNoScenariosToShow() throws {
    let server = try TestServer(SessionTests.document)
    #expect(
      try server.ask("GET", "/__stubdb/scenarios").text("type") == "urn:stubdb:problem:no-catalog")
  }
}
#endif
