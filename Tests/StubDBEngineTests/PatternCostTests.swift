import Foundation
import StubDBDocuments
import StubDBModel
import StubDBServing
import Testing

/// What is told of patterns before they are applied: which requests they compare in a short time.
@Suite struct PatternCostTests {
  private func size(_ request: String) throws -> Int {
    let stub = #"{"key": "a", "request": \#(request), "responses": [{"status": 204}]}"#
    let document = #"{"scenario": "a", "stubs": [\#(stub)]}"#
    let stubs = try ScenarioDocument.decode(Data(document.utf8)).stubs
    return stubs.reduce(Int.max) { min($0, PatternCost.size(of: $1.request)) }
  }

  @Test(arguments: [
    "[0-9]+", "/v1/(items|users)/[^/]+", "[0-9a-f]{8}-[0-9a-f]{4}", "a?b?c", "(/.*)?", "x{2,5}",
    "[a(*+]b*", "a.b", "(?:a|b)c+?", "\\\\d+",
  ])
  func anExpressionWithOneLoopIsQuick(_ text: String) throws {
    #expect(try size(#"{"path": {"matches": "\#(text)"}}"#) == .max)
  }

  @Test(arguments: [".*a.*", "a+b{3,}", "a*?b*+", "(a)*[(]b*"])
  func twoLoopsAreQuickForSmallRequests(_ text: String) throws {
    #expect(try size(#"{"path": {"matches": "\#(text)"}}"#) == 2_000)
  }

  @Test(arguments: [
    "(.*a){30}", "(a+)+b", "(a|a)*b", "((a|b)c)*", "(a?){20}", ".*.*.*.*", "(a)\\\\1", "(?i)a+b+",
    "a?a?a?a?a?a?a?a?a?",
  ])
  func loopsOfLoopsAreNeverQuick(_ text: String) throws {
    #expect(try size(#"{"path": {"matches": "\#(text)"}}"#) == 0)
  }

  @Test(arguments: [
    (#"{"equalToJson": {"a": [1, 2]}}"#, Int.max),
    (#"{"equalToJson": {"a": [1, 2]}, "ignoreArrayOrder": true}"#, 2_000),
    (#"{"matchesJsonPath": "$.a[0].b"}"#, .max),
    (#"{"matchesJsonPath": "$..a[?@.b == 1]"}"#, 2_000),
    (#"{"matchesJsonPath": "$.a[?match(@.b, 'a+')]"}"#, 0),
    (#"{"matchesJsonSchema": {"type": "object"}}"#, 0),
    (#"{"matchesXPath": "/a/b"}"#, .max),
    (#"{"matchesXPath": "//*[count(//*[count(//*)>1])>1]"}"#, 0),
    (#"{"equalToXml": "<a/>"}"#, 2_000),
  ])
  func operatorsOfBodies(_ body: String, _ expected: Int) throws {
    #expect(try size(#"{"method": "POST", "path": "/", "body": \#(body)}"#) == expected)
  }

  @Test func theSlowestPatternCounts() throws {
    #expect(
      try size(
        #"{"path": {"matches": ".*a.*"}, "query": {"a": {"matches": "(a+)+"}}, "host": "a.test"}"#)
        == 0)
    #expect(try size(#"{"url": "https://a.test/b"}"#) == .max)
  }
}
