import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBEngine

/// Contents made to be slow, large or deep are answered within the suite's time limit, for every operator.
@Suite(.timeLimit(.minutes(10))) struct HostileBodyTests {
  /// The near miss of a stub with the body pattern for a request; nil if the stub answers.
  private func actual(_ pattern: String, _ request: StubRequest) throws -> String? {
    let document = #"{"scenario": "a", "stubs": [{"key": "s", "request": {"body": \#(pattern)}}]}"#
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    guard case .unmatched(let event) = run.respond(to: request) else { return nil }
    #expect(run.report(on: run.journal[0]).text.utf8.count < 20_000)
    return event.nearMisses[0].mismatches.map(\.actual).joined(separator: "; ")
  }

  private func post(_ text: String, _ fields: HTTPFields = [:]) -> StubRequest {
    StubRequest(
      method: "POST", url: "https://a.test/", headers: fields, body: .bytes(Data(text.utf8)))
  }

  private func nested(_ open: String, _ inner: String, _ close: String, _ count: Int) -> String {
    String(repeating: open, count: count) + inner + String(repeating: close, count: count)
  }

  /// Every operator, so that each has to read the whole content.
  private static let operators = [
    #"{"contains": "zzz"}"#, #"{"matches": "(a+)+$"}"#,
    #"{"equalTo": "zz", "caseInsensitive": true}"#,
    #"{"equalToNumber": 1}"#, #"{"before": "now"}"#, #"{"binaryEqualTo": "AA=="}"#,
    #"{"equalToJson": {"a": 1}}"#, #"{"matchesJsonPath": "$..zzz"}"#,
    #"{"matchesJsonSchema": {"type": "null"}}"#, #"{"form": {"zzz": "1"}}"#,
    #"{"multipart": [{"name": "zzz"}]}"#, #"{"graphql": {"query": "{a}"}}"#,
    #"{"equalToXml": "<zzz/>"}"#, #"{"matchesXPath": "//zzz"}"#,
  ]

  private static let large: [String: @Sendable () -> String] = [
    "letters": { String(repeating: "a", count: 4_000_000) },
    "numbers": { "[" + String(repeating: "1,", count: 150_000) + "1]" },
    "elements": { "<a>" + String(repeating: "<b c='d'/>", count: 30_000) + "</a>" },
    "fields": { String(repeating: "&", count: 4_000_000) },
    "digits": { "{\"a\": 1" + String(repeating: "0", count: 1_000_000) + "e999999999999}" },
    "controls": { "\u{0}\u{1}\u{FEFF}" },
  ]

  @Test(arguments: large.keys.sorted())
  func largeContentsAreAnsweredByEveryOperator(kind: String) throws {
    let make = try #require(Self.large[kind])
    let text = make()
    let stubs = Self.operators.enumerated().map {
      #"{"key": "\#($0)", "request": {"body": \#($1)}}"#
    }
    let document = #"{"scenario": "a", "stubs": [\#(stubs.joined(separator: ","))]}"#
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    _ = run.respond(to: post(text, [.contentType: "multipart/form-data; boundary=a"]))
    #expect(run.journal[0].nearMisses.count == 3)
  }

  /// A thread of the system has 512 KiB of stack on Apple's systems.
  @Test func deepContentsNeedLittleStack() throws {
    let json = nested("[", "1", "]", 512)
    let xml = nested("<a>", "", "</a>", 512)
    let patterns: [(String, BodyPattern)] = [
      ("json", .equalToJSON(try JSONValue(parsing: json), ignoreArrayOrder: true)),
      ("path", .matchesJSONPath("$..[?@ == 1]")),
      (
        "schema",
        .matchesJSONSchema(["anyOf": [["const": 1], ["items": ["$ref": "#"], "type": "array"]]])
      ),
      ("xml", .equalToXML(XMLPattern(xml, ignoreOrderOfSameNode: true))),
      ("xPath", .matchesXPath(XPathPattern("//a[not(a)]"))),
    ]
    let scenario = try LoadedScenario(
      Scenario(
        name: try #require(ScenarioName("a")),
        stubs: patterns.map {
          Stub(key: Stub.Key(unchecked: $0.0), request: RequestPattern(body: [$0.1]))
        }))
    let done = DispatchSemaphore(value: 0)
    let answers = Locked<[String?]>([])
    let requests = [
      post(json), post(xml), post(nested("[", "2", "]", 512)),
      post(nested("<a>", "x", "</a>", 512)),
    ]
    let thread = Thread {
      let run = scenario.run()
      for request in requests { _ = run.respond(to: request) }
      answers.withLock { $0 = run.journal.map(\.stubKey) }
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
    #expect(answers.withLock { $0 } == ["json", "xml", nil, "xPath"])
  }

  @Test func contentWithTooManyValuesIsNotJSONAndADocumentWithThemIs() throws {
    let count = JSONValue.maximumContentValues
    let text = "[" + String(repeating: "1,", count: count) + "1]"
    for pattern in [#"{"matchesJsonPath": "$"}"#, #"{"equalToJson": {"a": 1}}"#] {
      let actual = try #require(try actual(pattern, post(text)))
      #expect(actual.contains("not JSON: more than \(count) values"), "\(actual)")
    }
    let document = try JSONValue(parsing: text)
    guard case .array(let elements) = document else { return #expect(Bool(false)) }
    #expect(elements.count == count + 1)
  }

  @Test func aBombIsNotUnpacked() throws {
    let bomb = Self.zeros(byteCount: 70_000_000)
    #expect(bomb.count < 600_000)
    var request = StubRequest(
      method: "POST", url: "https://a.test/", headers: [.contentEncoding: "deflate"])
    request.body = .bytes(bomb)
    #expect(
      try actual(#"{"doesNotContain": "x"}"#, request)
        == "not visible: its Content-Encoding deflate cannot be undone: it contains too many bytes"
    )
  }

  /// A number of zeros as deflate: one literal, then copies of 258 bytes from one byte back.
  private static func zeros(byteCount: Int) -> Data {
    var (bytes, buffer, count) = (Data(), 0, 0)
    func put(_ value: Int, _ width: Int) {
      buffer |= value << count
      count += width
      while count >= 8 {
        bytes.append(UInt8(buffer & 0xFF))
        buffer >>= 8
        count -= 8
      }
    }
    put(0b011, 3)
    put(0b0000_1100, 8)
    // The length 258 is 11000101 from its first bit on, the distance 1 is five zeros.
    for _ in 0..<(byteCount / 258) { put(0b1010_0011, 13) }
    put(0, 7)
    put(0, 8)
    return bytes
  }

  @Test func queriesThatMultiplyAreGivenUp() throws {
    let wide =
      "[" + Array(repeating: "[1,2,3,4,5,6,7,8,9]", count: 200).joined(separator: ",") + "]"
    #expect(
      try actual(#"{"matchesJsonPath": "$[?count($..*[?count($..*) > 1]) == 0]"}"#, post(wide))?
        .hasSuffix("visits too many values or takes too long") == true)
    #expect(
      try actual(
        #"{"matchesJsonPath": "$[?search(@, '(a+)+b')]"}"#,
        post("[\"\(String(repeating: "a", count: 60))\"]"))?
        .hasSuffix("visits too many values or takes too long") == true)
    let evil =
      ##"{"matchesJsonSchema": {"anyOf": [{"allOf": [{"$ref": "#"}, {"$ref": "#"}]}, {"$ref": "#"}]}}"##
    #expect(try actual(evil, post("1")) == "(the schema takes too long to check)")
    let slow = #"{"matchesJsonSchema": {"pattern": "^(a+)+b"}}"#
    #expect(
      try actual(slow, post("\"\(String(repeating: "a", count: 60))\""))
        == "(the schema takes too long to check)")
    let nodes = "<a>" + String(repeating: "<b/>", count: 4_000) + "</a>"
    #expect(
      try actual(#"{"matchesXPath": "//b[count(//b) = 1]"}"#, post(nodes))?
        .hasSuffix("visits too many nodes") == true)
  }

  @Test func anExpressionThatNeedsTooMuchStackIsNotToldFromNoMatch() throws {
    let text = String(repeating: "a", count: 250_000)
    #expect(try actual(#"{"matches": "(a|b)*"}"#, post(text)) != nil)
    #expect(try actual(#"{"doesNotMatch": "(a|b)*"}"#, post(text))?.contains("too slow") == true)
  }

  @Test func oneExpressionThatExplodesOnManyValuesSharesOneBudget() throws {
    let text = String(repeating: "a", count: 50)
    let values = "[" + Array(repeating: "\"\(text)\"", count: 20_000).joined(separator: ",") + "]"
    let pattern = #"{"matchesJsonPath": {"expression": "$[*]", "matches": "(a+)+b"}}"#
    #expect(
      try actual(pattern, post(values))?.hasSuffix("too long or too slow to compare)") == true)
  }

  @Test func thousandsOfFieldsAndParametersAreRead() throws {
    let name = try #require(HTTPField.Name("x-a"))
    var request = StubRequest(
      url: "https://a.test/?" + String(repeating: "q=a&", count: 20_000),
      headers: HTTPFields((0..<5_000).map { HTTPField(name: name, value: "v\($0), w") }))
    request.headers.append(
      HTTPField(name: .cookie, value: String(repeating: "c=1; ", count: 20_000)))
    let pattern = RequestPattern(
      query: [NamedPattern("q", .equalTo("b"))],
      headers: [HeaderPattern(HTTPField.Name("x-a") ?? .accept, .equalTo("v"))],
      cookies: [NamedPattern("c", .includes(["2"]))])
    let stubs = (0..<5).map { Stub(key: "\($0)", request: pattern) }
    let run = try LoadedScenario(
      Scenario(name: try #require(ScenarioName("a")), stubs: stubs)
    ).run()
    _ = run.respond(to: request)
    #expect(
      run.journal[0].nearMisses[0].mismatches.map(\.part.description) == [
        "query q", "header x-a", "cookie c",
      ])
    #expect(run.report(on: run.journal[0]).text.utf8.count < 40_000)
  }

  @Test(arguments: [
    ("form", #"{"body": {"form": {"a": "1"}, "isExact": true}}"#),
    ("query", #"{"query": {"a": "1"}, "queryIsExact": true}"#),
  ])
  func whatAnExactPatternDoesNotAllowIsListedUpToALimit(part: String, pattern: String) throws {
    let stubs = (0..<5).map { #"{"key": "\#($0)", "request": \#(pattern)}"# }
    let document = #"{"scenario": "a", "stubs": [\#(stubs.joined(separator: ","))]}"#
    let run = try LoadedScenario(try ScenarioDocument.decode(Data(document.utf8))).run()
    let fields = "a=1&" + (0..<20_000).map { "n\($0)=v&n\($0)=w" }.joined(separator: "&")
    _ = run.respond(
      to: part == "form"
        ? post(fields) : StubRequest(method: "POST", url: "https://a.test/?" + fields))
    let mismatches = run.journal[0].nearMisses[0].mismatches
    #expect(
      mismatches.map(\.part.description) == (0..<20).map { "\(part) n\($0)" } + [part])
    #expect(
      mismatches.map(\.expected) == Array(repeating: "absent (the \(part) is exact)", count: 20)
        + ["(19980 more places)"])
    #expect(mismatches.dropLast().allSatisfy { $0.actual == #""v", "w""# })
    #expect(run.report(on: run.journal[0]).text.utf8.count < 40_000)
  }
}
