import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// An import never makes a stub that answers more than the original did: what is not known of a condition leaves the
/// stub out, in every format of stubs.
@Suite struct ConditionTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String { name }
    var name: String
    /// A file of one stub, with `CONDITION` where a member of a condition may stand.
    var text: String
    var isKeptIfLenient = true
  }

  private static let unknown = #""moonPhase": {"is": ["full"]}"#

  private static let cases = [
    Case(
      name: "wiremock", text: #"{"request": {"urlPath": "/a", CONDITION}, "response": {}}"#),
    Case(
      name: "wiremock pattern",
      text: #"{"request": {"headers": {"X": {"equalTo": "1", CONDITION}}}, "response": {}}"#),
    Case(
      name: "wiremock body",
      text:
        #"{"request": {"bodyPatterns": [{"equalToJson": {"a": 1}, CONDITION}]}, "response": {}}"#),
    Case(
      name: "wiremock graphql",
      text:
        #"{"request": {"customMatcher": {"name": "graphql-body-matcher", "parameters": {"query": "{a}", CONDITION}}}, "response": {}}"#
    ),
    Case(
      name: "wiremock state",
      text:
        #"{"request": {"urlPath": "/a"}, "scenarioName": "s", "requiredScenarioState": {CONDITION}, "response": {}}"#
    ),
    Case(
      name: "mockserver",
      text:
        #"{"httpRequest": {"body": {"type": "STRING", "string": "x", CONDITION}}, "httpResponse": {}}"#
    ),
    Case(
      name: "mockserver times",
      text: #"{"httpRequest": {}, "httpResponse": {}, "times": {CONDITION}}"#),
    Case(
      name: "hoverfly",
      text:
        #"{"data": {"pairs": [{"request": {"path": [{"matcher": "exact", "value": "/a", CONDITION}]}, "response": {"status": 200}}]}, "meta": {"schemaVersion": "v5"}}"#
    ),
    Case(
      name: "mockoon",
      text:
        #"{"routes": [{"type": "http", "method": "get", "endpoint": "a", "responses": [{"statusCode": 404, "rules": [{"target": "query", "modifier": "x", "operator": "equals", "value": "1", CONDITION}]}]}], "lastMigration": 33, "responseMode": "FALLBACK"}"#,
      isKeptIfLenient: false),
    Case(
      name: "mockoon method",
      text:
        #"{"routes": [{"type": "http", "method": {CONDITION}, "endpoint": "a", "responses": [{"statusCode": 404}]}], "lastMigration": 33}"#
    ),
    Case(
      name: "pact",
      text:
        #"{"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [{"description": "x", "request": {"method": "GET", "path": "/a", CONDITION}, "response": {"status": 200}}]}"#
    ),
    Case(
      name: "postman",
      text:
        #"{"info": {"name": "A", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"}, "item": [{"name": "x", "request": {"method": "GET", "url": {"host": ["a", "test"], "path": ["b"], "query": [{"key": "p", "value": "1", CONDITION}]}}, "response": [{"code": 200}]}]}"#
    ),
    Case(
      name: "nock",
      text:
        #"[{"scope": "https://a.test", "method": "GET", "path": "/b", "badheaders": [{CONDITION}], "status": 200, "response": ""}]"#
    ),
  ]

  @Test(arguments: cases)
  private func whatIsNotKnownOfAConditionLeavesTheStubOut(_ example: Case) throws {
    func run(_ condition: String, isLenient: Bool = false) throws -> ImportRun {
      var options = ImportOptions()
      if isLenient { options.flags.insert(.lenient) }
      let text = example.text.replacingOccurrences(of: "CONDITION", with: condition)
      return try ImportRun("a.json", text, options: options)
    }
    let run = try run(Self.unknown)
    let rest = example.name == "mockoon" ? 1 : 0
    #expect(run.result.scenarios.flatMap(\.stubs).count == rest, "\(run.documents)")
    let lines = run.result.report.lines
    #expect(lines.contains { $0.id == .stubLeftOut && $0.text.contains("moonPhase") }, "\(lines)")
    guard example.isKeptIfLenient else { return }
    let lenient = try self.lenient(example)
    #expect(lenient.result.scenarios.flatMap(\.stubs).count == 1)
    #expect(lenient.ids(.dropped) == ["operator"])
  }

  private func lenient(_ example: Case) throws -> ImportRun {
    var options = ImportOptions()
    options.flags.insert(.lenient)
    let text = example.text.replacingOccurrences(of: "CONDITION", with: Self.unknown)
    return try ImportRun("a.json", text, options: options)
  }

  /// What WireMock does not look at does not keep a stub out.
  @Test func operatorsAndOptionsWithoutAnEffectAreIgnored() throws {
    let run = try ImportRun(
      "a.json",
      #"""
      {"request": {"headers": {"X": {"contains": "a", "caseInsensitive": true, "equalTo": "b"}},
         "bodyPatterns": [{"equalTo": "x", "equalToJson": {"a": {"b": 1}}, "ignoreArrayOrder": true}]},
       "requiredScenarioState": "s", "response": {}}
      """#)
    let wanted = try Stub(
      jsonObject: [
        "key": "any",
        "request": ["headers": ["X": ["contains": "a"]], "body": ["equalTo": "x"]],
      ])
    #expect(run.stubs.map(\.request) == [wanted.request])
    #expect(run.result.report.lines == [])
  }

  @Test func expectationsThatExpireOrAreChosenByChanceAreLeftOut() throws {
    for (member, id) in [
      (#""timeToLive": {"timeUnit": "SECONDS", "timeToLive": 60}"#, "expiry"),
      (#""percentage": 50"#, "random"),
    ] {
      let text = #"{"httpRequest": {"path": "/a"}, "httpResponse": {}, \#(member)}"#
      let run = try ImportRun("a.json", text)
      #expect(run.stubs == [])
      #expect(run.ids(.dropped) == [id])
      #expect(run.result.report.lines[0].text.contains("--lenient"))
      var options = ImportOptions()
      options.flags.insert(.lenient)
      let lenient = try ImportRun("a.json", text, options: options)
      #expect(lenient.stubs.count == 1)
      #expect(lenient.ids(.dropped) == [id])
    }
    let harmless =
      #"{"httpRequest": {}, "httpResponse": {}, "percentage": 100, "timeToLive": {"unlimited": true}}"#
    #expect(try ImportRun("a.json", harmless).result.report.lines == [])
  }

  @Test func contentsThatAreNotBase64LeaveTheStubOut() throws {
    let pact = """
      {"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [
        {"description": "x", "request": {"method": "POST", "path": "/a", "body": BODY}, "response": {"status": 200}},
        {"description": "y", "request": {"method": "GET", "path": "/a"}, "response": {"status": 200, "body": BODY}}],
       "metadata": {"pactSpecification": {"version": "4.0"}}}
      """
    for body in [
      #"{"contentType": "image/png", "encoded": "base64", "content": "no!"}"#,
      #"{"contentType": "image/png", "encoded": "base65", "content": "AAE="}"#,
      #"{"contentType": "image/png"}"#,
    ] {
      let text = pact.replacingOccurrences(of: "BODY", with: body)
      let run = try ImportRun("a.json", text)
      #expect(run.stubs == [], "\(body)")
      #expect(run.ids(.dropped) == ["stub-left-out", "stub-left-out"])
    }
    let tail = try ImportRun("a.tail", "GET\n/a\n200\nimage/png;base64\n\nno!\n")
    #expect(tail.stubs == [])
    #expect(tail.ids(.dropped) == ["stub-left-out"])
    let wrapped = try ImportRun("a.tail", "GET\n/a\n200\nimage/png;base64\n\nAAEC\nAwQ=\n")
    #expect(wrapped.stubs[0].responses[0].body == .data(Data([0, 1, 2, 3, 4])))
  }
}
