import Foundation
import StubDBEngine
import StubDBFormats
import StubDBModel
import Testing

/// Bodies that an XPath of WireMock's matches, and those that it refuses.
///
/// Rendered XML, numbers with separators and values that are no nodes: `XmlDocument.java` and `XmlPrimitiveNode.java`.
@Suite struct WireMockXPathTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String { pattern }
    /// The members of a body pattern, as JSON.
    var pattern: String
    var matching: [String]
    var refused: [String]
    /// Whether the report has a line, because WireMock matches more.
    var isNarrower = true
  }

  private static let cases = [
    Case(
      pattern: #""matchesXPath": "count(//x)""#,
      matching: ["<r><x/></r>"], refused: ["<r/>", "x"]),
    Case(
      pattern: #""matchesXPath": "boolean(//x)""#,
      matching: ["<r><x/></r>"], refused: ["<r/>"]),
    Case(
      pattern: #""matchesXPath": "//x = 'a'""#,
      matching: ["<r><x>a</x></r>"], refused: ["<r><x/></r>"]),
    Case(
      pattern: #""matchesXPath": "string(//x)""#,
      matching: ["<r><x>a</x></r>"], refused: ["<r><x/></r>"]),
    Case(
      pattern: #""matchesXPath": "//x[count(y) = 1]""#,
      matching: ["<r><x><y/></x></r>"], refused: ["<r><x/></r>"], isNarrower: false),
    Case(
      pattern: #""matchesXPath": {"expression": "count(//x)", "equalTo": "1"}"#,
      matching: ["<r><x/></r>"], refused: ["<r/>"], isNarrower: false),
    // WireMock writes 1,500.
    Case(
      pattern: #""matchesXPath": {"expression": "sum(//x)", "greaterThanNumber": 0.5}"#,
      matching: ["<r><x>5</x></r>", "<r><x>0.75</x></r>"],
      refused: ["<r><x>1500</x></r>", "<r><x>0.5</x></r>", "<r><x>a</x></r>"]),
    Case(
      pattern: #""matchesXPath": {"expression": "sum(//x)", "equalTo": "1500"}"#,
      matching: [], refused: ["<r><x>1500</x></r>"]),
    Case(
      pattern: #""matchesXPath": {"expression": "boolean(//x)", "equalTo": "false"}"#,
      matching: ["<r/>"], refused: ["<r><x/></r>"], isNarrower: false),
    // An element is its XML there: a text that goes over elements is not in it.
    Case(
      pattern: #""matchesXPath": {"expression": "//x", "contains": "ab"}"#,
      matching: ["<r><x>1ab2</x></r>", "<r><x><y>ab</y></x></r>"],
      refused: ["<r><x>a<y>b</y></x></r>", "<r><y>ab</y></r>"]),
    Case(
      pattern: #""matchesXPath": {"expression": "//x | //y", "matches": ".*ab.*"}"#,
      matching: ["<r><y>1ab2</y></r>"], refused: ["<r><z>ab</z></r>"]),
    Case(
      pattern: #""matchesXPath": {"expression": "//x/@id", "matches": "[0-9]+"}"#,
      matching: [#"<r><x id="12"/></r>"#], refused: [#"<r><x id="a"/></r>"#], isNarrower: false),
    Case(
      pattern: #""matchesXPath": {"expression": "//x/text()", "doesNotContain": "a"}"#,
      matching: ["<r><x>b</x></r>"], refused: ["<r><x>a</x></r>", "<r/>"], isNarrower: false),
    Case(
      pattern: #""not": {"matchesXPath": "//a:x", "xPathNamespaces": {"a": "urn:a"}}"#,
      matching: ["<x/>"], refused: [#"<x xmlns="urn:a"/>"#], isNarrower: false),
    // Names without a prefix are local names there, as stubs for SOAP are written.
    Case(
      pattern: #""matchesXPath": "/thing/sub-thing[.='x' and @id]""#,
      matching: [
        #"<t:thing xmlns:t="urn:t"><t:sub-thing id="1">x</t:sub-thing></t:thing>"#,
        #"<thing xmlns="urn:t"><sub-thing id="1">x</sub-thing></thing>"#,
        #"<thing><sub-thing id="1">x</sub-thing></thing>"#,
      ],
      refused: [#"<t:thing xmlns:t="urn:t"><t:sub-thing>x</t:sub-thing></t:thing>"#, "<x/>"],
      isNarrower: false),
    Case(
      pattern:
        #""matchesXPath": {"expression": "//order/self::order/item[2]/text()", "equalTo": "b"}"#,
      matching: [#"<o:order xmlns:o="urn:o"><o:item>a</o:item><o:item>b</o:item></o:order>"#],
      refused: [#"<o:order xmlns:o="urn:o"><o:item>b</o:item></o:order>"#], isNarrower: false),
    Case(
      pattern: #""not": {"matchesXPath": "//x"}"#,
      matching: ["<y/>"], refused: ["<x/>", #"<x xmlns="urn:a"/>"#, #"<a:x xmlns:a="urn:a"/>"#],
      isNarrower: false),
  ]

  @Test(arguments: cases)
  private func whatWireMockRefusesIsRefused(_ example: Case) throws {
    let run = try Self.run(example.pattern)
    let stub = try #require(run.stubs.first)
    #expect(run.ids(.changed) == (example.isNarrower ? ["operator"] : []), "\(run.documents)")
    for (bodies, isAnswered) in [(example.matching, true), (example.refused, false)] {
      for body in bodies {
        #expect(try Self.answers(stub, body) == isAnswered, "\(body) \(run.documents)")
      }
    }
  }

  @Test(arguments: [
    #""matchesXPath": {"expression": "//x", "equalTo": "ab"}"#,
    #""matchesXPath": {"expression": "//x", "doesNotContain": "ab"}"#,
    #""matchesXPath": {"expression": "//x", "contains": "<y>"}"#,
    #""matchesXPath": {"expression": "//x", "matches": ".*a+b.*"}"#,
    #""not": {"matchesXPath": "count(//a:x)", "xPathNamespaces": {"a": "urn:a"}}"#,
  ])
  func whatWouldMatchMoreIsLeftOut(pattern: String) throws {
    let run = try Self.run(pattern)
    #expect(run.stubs == [])
    #expect(run.ids(.dropped) == ["stub-left-out"])
  }

  private static func run(_ pattern: String) throws -> ImportRun {
    try ImportRun(
      "a.json",
      #"{"request": {"bodyPatterns": [{\#(pattern)}]}, "response": {"status": 200}}"#)
  }

  private static func answers(_ stub: Stub, _ body: String) throws -> Bool {
    let scenario = ScenarioName(unchecked: "a/b")
    let source = LoadedScenario.Source(origin: scenario, stub: stub)
    let run = try LoadedScenario(name: scenario, stubs: [source]).run(seed: 0)
    let request = StubRequest(
      method: "POST", url: "https://h.test/a", body: .bytes(Data(body.utf8)))
    if case .respond = run.respond(to: request) { return true }
    return false
  }
}
