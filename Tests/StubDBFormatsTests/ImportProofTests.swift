import Foundation
import HTTPTypes
import StubDBEngine
import StubDBJSON
import StubDBModel
import Testing

@testable import StubDBFormats

/// What was imported is asked for what it was imported from.
@Suite struct ImportProofTests {
  private func lines(_ result: ImportResult) -> [String] {
    result.report.lines.filter {
      ["unanswered", "other-answer", "untried"].contains($0.id.rawValue)
    }
    .map { "\($0.file) \($0.pointer ?? "") \($0.key ?? ""): \($0.id.rawValue): \($0.text)" }
  }

  private func archive(_ answers: (url: String, text: String)...) -> Data {
    Data(
      HARText.archive(
        answers.map { HARText.entry("GET", $0.url, content: HARText.content($0.text)) }
      ).utf8)
  }

  @Test func aRequestThatTwoRecordingsAnswerInDifferentWaysIsReported() throws {
    var options = ImportOptions()
    options.naming = .single("all")
    let run = try ImportRun(
      [
        "one.har": archive(("https://a.test/a", "1"), ("https://a.test/b", "1")),
        "two.har": archive(("https://a.test/b", "1"), ("https://a.test/a", "2")),
      ], options: options)
    #expect(
      lines(run.result) == [
        "two.har /log/entries/1 get-a-2: other-answer: The recorded request gets another answer, "
          + "of the stub get-a"
      ])
    #expect(run.result.report.hasLosses)
  }

  private func failures(
    of exchanges: [RecordedExchange], in scenario: Scenario
  ) throws -> [(place: Int, failure: SourceProof.Failure)] {
    SourceProof.failures(of: exchanges, in: try LoadedScenario(scenario))
  }

  @Test func theAnswersToEqualRequestsComeInTheirOrder() throws {
    let run = try ImportRun(
      [
        "one.har": archive(
          ("https://a.test/a", "1"), ("https://a.test/b", "x"), ("https://a.test/a", "2"),
          ("https://a.test/a", "2"), ("https://a.test/a", "1"))
      ])
    #expect(lines(run.result) == [])
    var scenario = try #require(run.result.scenarios.first)
    let exchanges = ["1", "x", "2", "2", "1"].map { text in
      RecordedExchange(
        method: "GET", url: text == "x" ? "https://a.test/b" : "https://a.test/a",
        outcome: .answer(
          RecordedAnswer(
            status: 200, headers: RecordedHeaders([.init("Content-Type", "text/plain")]),
            body: .text(text))), source: ReportSource(file: "draft", log: ReportLog()))
    }
    #expect(try failures(of: exchanges, in: scenario).isEmpty)
    let place = try #require(scenario.stubs.firstIndex { $0.key == "get-a" })
    scenario.stubs[place].responses.swapAt(0, 1)
    #expect(
      try failures(of: exchanges, in: scenario).map(\.place) == [0, 3])
    scenario.stubs.removeAll { $0.key == "get-b" }
    #expect(
      try failures(of: exchanges, in: scenario).first { $0.place == 1 }?.failure
        == .unanswered)
  }

  private func contract(_ interactions: [JSONValue]) throws -> ImportRun {
    let contract: JSONValue = [
      "consumer": ["name": "App"], "provider": ["name": "Shop"],
      "interactions": .array(interactions),
      "metadata": ["pactSpecification": ["version": "3.0.0"]],
    ]
    return try ImportRun("app-shop.json", contract.canonicalText)
  }

  private func interaction(_ request: JSONValue, status: Int = 200) -> JSONValue {
    [
      "description": .string("request \(status)"), "request": request,
      "response": ["status": .number(JSONNumber(status))],
    ]
  }

  @Test func theRequestOfAContractThatAnotherStubAnswersIsReported() throws {
    let any: JSONValue = [
      "method": "GET", "path": "/items/1",
      "matchingRules": ["path": ["matchers": [["match": "regex", "regex": "/items/.*"]]]],
    ]
    let one: JSONValue = ["method": "GET", "path": "/items/new", "query": ["a": ["1", "2"]]]
    let run = try contract([
      interaction(any), interaction(one, status: 201),
      interaction(["method": "GET", "path": "/items/new"], status: 202),
    ])
    #expect(
      lines(run.result) == [
        "app-shop.json /interactions/2 request-202: other-answer: The request of the file "
          + "gets another answer, of the stub request-200"
      ])
  }

  @Test func placeholdersOfXMLGetExamplesOfTheirKind() throws {
    let document =
      "<a at='${xmlunit.isDateTime}'><n>${xmlunit.isNumber}</n>"
      + "<r>${xmlunit.matchesRegex([a-c]{3})}</r><s> ${xmlunit.ignore} </s></a>"
    let mapping: JSONValue = [
      "request": [
        "method": "POST", "urlPath": "/x",
        "bodyPatterns": [["equalToXml": .string(document), "enablePlaceholders": true]],
      ],
      "response": ["status": 200],
    ]
    let run = try ImportRun("a.json", mapping.canonicalText)
    #expect(run.stubs.count == 1)
    #expect(lines(run.result) == [])
  }

  @Test func aContractAnswersItsOwnRequest() throws {
    let run = try contract([
      interaction([
        "method": "POST", "path": "/a b/ü", "query": ["x": ["1", "2"], "y": ["&"]],
        "headers": ["Accept": "a, b"], "body": ["a": 1, "b": [true, .null]],
      ]),
      interaction([
        "method": "POST", "path": "/form",
        "headers": ["Content-Type": "application/x-www-form-urlencoded"], "body": "a=1&b=2",
      ]),
      interaction([
        "method": "POST", "path": "/form",
        "headers": ["Content-Type": "application/x-www-form-urlencoded"], "body": "a=1&b=2&b=3",
      ]),
    ])
    #expect(lines(run.result) == [])
  }

  private func collection(_ requests: String...) throws -> ImportRun {
    let responses = requests.enumerated().map { place, request in
      #"{"code": 200, "body": "\#(place)", "originalRequest": \#(request)}"#
    }
    return try ImportRun(
      "shop.json",
      #"""
      {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [{"name": "x", "request": \#(requests[0]), "response": [\#(responses.joined(separator: ","))]}]}
      """#)
  }

  @Test func theSavedRequestsOfACollectionGetTheirAnswers() throws {
    let run = try collection(
      #""https://a.test/x""#, #""https://a.test/x?q=a%20b&r=1+2""#,
      #"{"method": "GET", "url": {"protocol": "http", "host": ["{{host}}"], "path": ["users", ":id", "{{what}}"], "query": [{"key": "q", "value": "a&b"}, {"key": "r", "value": "{{r}}"}], "variable": [{"key": "id", "value": "7"}]}}"#,
      #"{"method": "POST", "url": "https://a.test/x", "body": {"mode": "raw", "raw": "{\"a\": 1}", "options": {"raw": {"language": "json"}}}}"#,
      #"{"method": "POST", "url": "https://a.test/x", "body": {"mode": "urlencoded", "urlencoded": [{"key": "a b", "value": "c+d"}]}}"#,
      #"{"method": "POST", "url": "https://a.test/x", "body": {"mode": "formdata", "formdata": [{"key": "a", "value": "b", "type": "text"}]}}"#,
      #"{"method": "POST", "url": "https://a.test/x", "body": {"mode": "graphql", "graphql": {"query": "{ a }", "variables": "{\"b\": 1}"}}}"#
    )
    #expect(run.stubs.count == 7)
    #expect(lines(run.result) == [])
    let loaded = try LoadedScenario(try #require(run.result.scenarios.first))
    for (query, text) in [("", "0"), ("?q=a%20b&r=1%2B2", "1")] {
      let request = StubRequest(method: "GET", url: "https://a.test/x\(query)")
      #expect(
        loaded.firstMatch(for: request)?.stub.responses[0].body?.bytes == Data(text.utf8))
    }
  }

  @Test func aSavedRequestThatAnotherStubAnswersIsReported() throws {
    let run = try collection(#""https://a.test/x?a=1&a=2""#, #""https://a.test/x?a=2&a=1""#)
    #expect(
      lines(run.result) == [
        "shop.json /item/0/response/1 x-2: other-answer: The request of the file gets another "
          + "answer, of the stub x"
      ])
  }

  private func description(
    _ paths: String, requiring: Set<ImportOptions.Requirement> = []
  ) throws -> ImportRun {
    var options = ImportOptions()
    options.requirements = requiring
    return try ImportRun(
      "shop.json",
      #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://a.test/v1"}], "paths": {\#(paths)}}"#,
      options: options)
  }

  @Test func theExamplesOfADescriptionGetTheirAnswers() throws {
    let run = try description(
      #"""
      "/items/{id}": {"put": {"operationId": "put",
        "parameters": [
          {"in": "path", "name": "id", "required": true, "examples": {"cat": {"value": "a b"}, "dog": {"value": 2}}},
          {"in": "query", "name": "tags", "required": true, "example": ["x", "y"]},
          {"in": "header", "name": "X-Tenant", "required": true, "example": "one"},
          {"in": "cookie", "name": "lang", "required": true, "example": "de"}],
        "requestBody": {"required": true, "content": {"application/json": {
          "schema": {"type": "object", "required": ["n"]}, "example": {"n": 1}, "examples": {"cat": {"value": "{\"n\": 2}"}}}}},
        "responses": {"200": {"content": {"application/json": {"examples": {"cat": {"value": 1}}}}}}}}
      """#, requiring: [.required, .body])
    #expect(run.stubs.count == 2)
    #expect(lines(run.result) == [])
  }

  @Test func anExampleThatAnotherOperationAnswersIsReported() throws {
    let run = try description(
      #"""
      "/items/{id}": {"get": {"operationId": "one", "parameters": [{"in": "path", "name": "id", "example": "new"}], "responses": {"200": {}}}},
      "/items/new": {"get": {"operationId": "form", "responses": {"201": {}}}}
      """#)
    #expect(
      lines(run.result) == [
        "shop.json  one: other-answer: The request of the file gets another answer, of the stub form"
      ])
  }

  @Test func anExampleThatItsOwnSchemaRefusesIsReported() throws {
    let run = try description(
      #"""
      "/items": {"post": {"operationId": "make", "requestBody": {"content": {"application/json": {
        "schema": {"type": "object", "required": ["n"]}, "example": {"m": 1}}}}, "responses": {"200": {}}}}
      """#, requiring: [.body])
    #expect(
      lines(run.result) == [
        "shop.json  make: unanswered: The request of the file gets no answer"
      ])
  }

  private func failures(_ requests: RequestPattern...) -> [ExampleProof.Failure?] {
    let stubs = requests.enumerated().map { place, request in
      Stub(
        key: Stub.Key(unchecked: "s\(place)"), request: request,
        responses: [StubResponse(status: 200 + place)])
    }
    let scenario = Scenario(name: ScenarioName(unchecked: "s"), stubs: stubs)
    return ExampleProof(scenario, requests: [:]).map { proof in
      stubs.indices.map { proof.failure(at: $0) }
    } ?? []
  }

  @Test func aStubThatAnswersNoPathWithoutAnOriginIsReported() {
    #expect(
      failures(
        RequestPattern(wholeURL: .matches("[a-z]+://[^/?]*/items/[0-9]+")),
        RequestPattern(wholeURL: .matches("(?:[a-z]+://[^/?]*)?/items/[0-9]+/more")),
        RequestPattern(wholeURL: .matches("https://a\\.test/.*")))
        == [.pathUnanswered, nil, nil])
    #expect(
      failures(
        RequestPattern(wholeURL: .matches("[a-z]+://[^/?]*/c/[0-9]+")),
        RequestPattern(path: .template("/c/{id}"))) == [.pathOtherAnswer("s1"), nil])
  }

  @Test(arguments: [
    "^/a/[0-9]+$", "/a/(b|c)/[A-Z]{2,3}", "(?i)/a/B?", "/(?<id>[\\w.-]+)/x", "/a/\\d{4}-\\d\\d",
    "/a/[^/?]+", "^(?!.*admin)/.*$", "/\\Qa.b\\E/\\p{Lu}", "/a/[[:alpha:]]+", "b|/a/(?:x|y)|c",
  ])
  func expressionsHaveExamples(expression: String) {
    let bare = expression.trimmingCharacters(in: CharacterSet(charactersIn: "^$"))
    #expect(
      failures(
        RequestPattern(path: .value(.matches(expression))),
        RequestPattern(
          wholeURL: .matches("(?:[a-z]+://[^/?]*+)?+(?:\(bare)\\?one=1&two=([0-9]*))")),
        RequestPattern(
          path: .template("/h"), headers: [HeaderPattern(.accept, .matches(expression))]))
        == [nil, nil, nil])
  }

  @Test(arguments: [
    "$.thing", "$..id", "$..*", "$[?(@.stream == false)]", "$.a[?@.number > 2 && @.b]",
    "$.numbers[?$.numbers[0] && (match(@.number, '[2b]+')) || !$.numbers[0] && (match($.numbers.number, '2'))]",
    "$[?$[0] && (length(@.numbers) == 2) || !$[0] && (length($.numbers) == 2)]",
    "$..[?@[*] && !@[0] && (@.Author.ISBN)]", "$.items[1,2].sku", "$['a b']['c'][-1:]",
    "$.a[?search(@.b, 'x.z') && @.c != 'any']", "$.a[?(@.b == 'x' || @.c == ']')]",
  ])
  func queriesHaveExamples(query: String) {
    let present = BodyPattern.matchesJSONPath(query, .not(.equalToJSON(.null)))
    #expect(
      failures(
        RequestPattern(path: .template("/a"), body: [.matchesJSONPath(query)]),
        RequestPattern(path: .template("/b"), body: [present])) == [nil, nil])
  }

  @Test func severalQueriesHaveOneExample() {
    let queries = ["$.a[?@.b == 1]", "$.a[?@.c == 2]", "$..d", "$.e[1]"]
    #expect(
      failures(
        RequestPattern(path: .template("/c"), body: queries.map { .matchesJSONPath($0) })) == [nil])
  }

  @Test(arguments: [
    "/*[local-name()='thing']/*[local-name()='sub'][.='The stuff']", "//*",
    "//*[local-name()='Order']/*",
    "//*[local-name()='intA' and text()='5']", "/todo[count(item) = 3]", "/a[b > 2]/@c",
    "//a[@id='1'][b/c='x']/text()", "(//*[local-name()='a']/b)//text()",
    "//a[contains(b, 'x') and not(d)]", "/a/b = 'x'",
    "//a[normalize-space(text())='x' or @b]", "boolean(/a/b)", "/a[b[c='1' and d='2']]",
  ])
  func xmlExpressionsHaveExamples(expression: String) {
    let first = BodyPattern.matchesXPath(XPathPattern(expression))
    #expect(
      failures(
        RequestPattern(path: .template("/a"), body: [first]),
        RequestPattern(
          path: .template("/b"),
          body: [first, .matchesXPath(XPathPattern("//other[text()='3']"))]))
        == [nil, nil])
  }

  @Test func aStubWithoutAnExampleIsReportedAsUntried() {
    #expect(
      failures(
        RequestPattern(path: .template("/a"), query: [NamedPattern("a", .and(["1", "2"]))]),
        RequestPattern(path: .template("/a"), query: [NamedPattern("a", .matches("[0-9]{3}"))]))
        == [.untried, nil])
  }

  @Test func aPathThatNoRequestHasIsReportedAsUnanswered() {
    #expect(
      failures(
        RequestPattern(path: .value(.matches("thing?query=value"))),
        RequestPattern(path: .value(.equalTo("thing"))),
        RequestPattern(path: .value(.matches("t?/thing"))),
        RequestPattern(path: .value(.matches("/?q=correct"))),
        RequestPattern(path: .value(.matches("things|/thing"))))
        == [.impossible, .impossible, nil, nil, nil])
  }

  @Test func whatCouldNotBeTriedIsSaidAndNoLoss() throws {
    let run = try ImportRun(
      "m.json",
      """
      {"request": {"urlPath": "/a", "queryParameters": {"a": {"and": [{"equalTo": "1"}, {"equalTo": "2"}]}}},
       "response": {"status": 200}}
      """)
    #expect(
      lines(run.result).map { $0.hasSuffix("untried: No request was found to try the stub with") }
        == [true])
    #expect(!run.result.report.hasLosses)
    #expect(
      run.result.report.text().contains {
        $0.hasSuffix("No request was found to try the stub with")
      })
  }
}
