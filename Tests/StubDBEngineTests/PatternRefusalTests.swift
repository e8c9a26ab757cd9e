import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import Testing

/// Invalid operands are refused with their places when the scenario is loaded.
@Suite struct PatternRefusalTests {
  static let rows: [(pattern: String, pointer: String, reason: String)] = [
    (
      #"{"headers": {"X-A": {"before": "yesterday"}}}"#, "headers/X-A/before",
      #""yesterday" is not a date; write one such as "2026-11-21T08:00:00Z", or an offset such as "now +3 days""#
    ),
    (
      #"{"query": {"a/b": {"after": "now", "actualFormat": "HH:mm"}}}"#, "query/a~1b/actualFormat",
      #"the format "HH:mm" has no year, so that no text is a date"#
    ),
    (
      #"{"body": {"not": {"or": [{"after": "now", "actualFormat": "yyyy-ww"}]}}}"#,
      "body/not/or/0/actualFormat",
      #"the format "yyyy-ww" holds "ww"; the letters are y M d H h k K a m s S n E and X x Z z V; put others in quotes"#
    ),
    (
      #"{"query": {"a": {"before": "now -9223372036854775808 days"}}}"#, "query/a/before",
      "the offset is beyond 1000000000"
    ),
    (
      #"""
      {"query": {"a": {"before": "now", "expectedOffset": -9223372036854775808, "expectedOffsetUnit": "days"}}}
      """#, "query/a/before", "the offset is beyond 1000000000"
    ),
    (
      #"{"body": {"matchesJsonPath": "$[-9223372036854775808]"}}"#, "body/matchesJsonPath",
      "an integer beyond 2^53 - 1 at character 3"
    ),
    (
      #"{"body": {"matchesJsonPath": "$.a["}}"#, "body/matchesJsonPath",
      #""$.a[" is not a JSONPath of RFC 9535: expected a selector at character 5"#
    ),
    (
      #"{"body": [{"contains": "a"}, {"matchesJsonPath": {"expression": "a", "absent": true}}]}"#,
      "body/1/matchesJsonPath/expression",
      #""a" is not a JSONPath of RFC 9535: a query begins with '$' at character 1"#
    ),
    (
      #"{"body": {"matchesJsonPath": {"expression": "$", "before": "x"}}}"#,
      "body/matchesJsonPath/before", #""x" is not a date"#
    ),
    (
      #"{"body": {"matchesJsonSchema": {"properties": {"a": {"minLength": "x"}}}}}"#,
      "body/matchesJsonSchema/properties/a/minLength", "the JSON Schema cannot be used"
    ),
    (
      #"{"body": {"equalToJson": {"a": ["${json-unit.any-strings}"]}}}"#, "body/equalToJson/a/0",
      #"unknown placeholder "${json-unit.any-strings}"; did you mean ${json-unit.any-string}?"#
    ),
    (
      #"{"body": {"equalToJson": "${json-unit.regex}("}}"#, "body/equalToJson",
      #""(" is not a regular expression"#
    ),
    (
      #"{"body": {"form": {"a": ["1", {"before": "x"}]}}}"#, "body/form/a/1/before",
      #""x" is not a date"#
    ),
    (
      #"{"body": {"multipart": [{"name": "a"}, {"body": [{"contains": ""}, {"matchesJsonPath": "x"}]}]}}"#,
      "body/multipart/1/body/1/matchesJsonPath", "is not a JSONPath"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: \"x) }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: a string that is not closed at byte 8"
    ),
    (
      #"{"body": {"equalToJson": "{\"thing\": 1}"}}"#, "body/equalToJson",
      #"a text that is JSON itself matches only a body that is this string; write "equalToJson": {"thing":1}"#
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: 00) }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: an invalid number at byte 10"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: 1.) }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: a number without digits after its point at byte 10"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: 1e) }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: a number without digits in its exponent at byte 10"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: 0xF) }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: a number that goes on as something else at byte 9"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: \"bad \\z\") }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: an invalid escape at byte 13"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a { b }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: a bracket that is not closed at byte 1"
    ),
    (
      #"{"body": {"graphql": {"query": "{ a(b: 1] }"}}}"#, "body/graphql/query",
      "the query is not GraphQL: a bracket that closes none at byte 9"
    ),
    (
      #"{"body": {"equalToXml": "<a><b></a>"}}"#, "body/equalToXml",
      "it is not XML: expected </b>, found </a> (line 1, column 7)"
    ),
    (
      #"{"body": {"equalToXml": "<a>${xmlunit.isNumbr}</a>", "enablePlaceholders": true}}"#,
      "body/equalToXml", #"unknown placeholder "${xmlunit.isNumbr}"; there are"#
    ),
    (
      #"{"body": {"matchesXPath": "//a["}}"#, "body/matchesXPath",
      #""//a[" is not an XPath 1.0: expected an expression, found the end at character 5"#
    ),
    (
      #"{"body": {"matchesXPath": {"expression": "//a:b", "namespaces": {"c": "urn:c"}}}}"#,
      "body/matchesXPath/expression", #"the prefix a is not in "namespaces""#
    ),
  ]

  @Test(arguments: rows)
  func whatMeansNothingIsRefusedAtItsPlace(pattern: String, pointer: String, reason: String) throws
  {
    let document = #"{"scenario": "a", "stubs": [{"key": "s", "request": \#(pattern)}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let error = try #require(throws: EngineError.self) { try LoadedScenario(scenario) }
    #expect(error.code == .invalidPattern || error.code == .invalidRegularExpression)
    #expect(error.pointer?.description == "/stubs/0/request/\(pointer)")
    #expect(error.stubKey == "s")
    #expect(error.message.contains(reason), "\(error.message)")
  }
}
