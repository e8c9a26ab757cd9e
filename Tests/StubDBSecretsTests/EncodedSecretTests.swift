import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

@testable import StubDBSecrets

/// Secrets behind layers of encoding: what a scan finds, a redaction takes out, and leaves valid.
struct EncodedSecretTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let token = "ghp_" + "x9Kd82LqPz7RtVw3" + "YbNm5HcJf1GsAe4UoTi6"

  private static func stub(_ members: String) throws -> Scenario {
    try ScenarioDocument.decode(
      Data(#"{"scenario":"a/b","stubs":[{"key":"k",\#(members)}]}"#.utf8))
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  private static func percent(_ text: String) -> String {
    text.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
  }

  private static let encoded = Data(token.utf8).base64EncodedString()

  /// Members of a stub with the token behind something that looks like base64.
  private static let hidden = [
    #""request":{"url":"https://h.net/v1/t/\#(encoded)"}"#,
    #""responses":[{"json":{"base64":"\#(token)"}}]"#,
    #""request":{"url":"/unsubscribe/\#(encoded)/now"}"#,
    #""request":{"url":"/u_\#(encoded)"}"#,
    #""request":{"url":"/l"},"capture":{"x/\#(encoded)":{"query":"a"}}"#,
    #""responses":[{"text":"go to https://h.net/unsubscribe/\#(encoded) now"}]"#,
    #""responses":[{"text":"https://h.net/a-b-c/\#(encoded.replacing("=", with: ""))?x=1"}]"#,
    #""responses":[{"base64":"\#((Data([0xFF, 0xFE]) + Data(" \(token) ".utf8) + Data([0xFF])).base64EncodedString())"}]"#,
    #""responses":[{"base64":"\#((Data([0xFF, 0x80]) + Data("password=\("Tr0ub4dor" + "-3zq")".utf8) + Data([0xFF])).base64EncodedString())"}]"#,
  ]

  @Test(arguments: hidden)
  func aSecretIsFoundBehindAPathAndInBinaryContent(_ members: String) throws {
    let scenario = try Self.stub(members)
    var scanner = SecretScanner()
    let findings = scanner.findings(in: scenario)
    #expect(findings.count == 1, "\(findings)")
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: findings)
    let prepared = redactor.finished()
    let result = try #require(try prepared.redacted(scenario) { scanner.findings(in: $0) })
    #expect(scanner.findings(in: result.scenario).isEmpty)
    #expect(prepared.remainder(in: result.scenario).isEmpty)
    #expect(result.kept.isEmpty)
  }

  /// The encodings of a text inside percent-encoding.
  private static let inner: [String] = [
    token.utf8.map { "\\u00" + String($0, radix: 16) }.joined(),
    token.utf8.map { "\\x" + String($0, radix: 16) }.joined(),
    token.utf8.map { "&#\($0);" }.joined(), percent(token),
  ]

  @Test(arguments: inner)
  func aURLWithATextThatIsEncodedTwiceStaysAURL(_ inner: String) throws {
    let scenario = try Self.stub(
      #""request":{"url":\#(Self.quoted("https://h.test/a?b=1&x=" + Self.percent(inner)))}"#)
    var scanner = SecretScanner()
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: scanner.findings(in: scenario))
    let prepared = redactor.finished()
    let result = try #require(try prepared.redacted(scenario) { scanner.findings(in: $0) })
    let expected = try Self.stub(#""request":{"url":"https://h.test/a?b=1&x=REDACTED-1"}"#)
    #expect(result.scenario == expected)
  }

  /// Places whose text has a syntax, with a secret that can only be taken out with the whole text.
  @Test(arguments: [
    #""request":{"url":"TEXT"}"#, #""request":{"path":"TEXT"}"#,
    #""request":{"body":{"equalToXml":"<a>TEXT</a>"}}"#,
    #""request":{"body":{"matchesJsonPath":"$.a[?@.b == 'TEXT']"}}"#,
    #""request":{"body":{"matchesJsonPath":{"expression":"$.a[?@.b == 'TEXT']","equalTo":"1"}}}"#,
    #""request":{"body":{"matchesXPath":"//a[text() = 'TEXT']"}}"#,
    #""request":{"headers":{"X-A":{"matches":"TEXT"}}}"#,
    #""responses":[{"text":"TEXT"}]"#,
  ])
  func aTextThatIsReplacedAsAWholeIsValid(_ members: String) throws {
    // Percent-encoded base64, of which no character stands for itself.
    let text = "/" + Self.percent(Self.encoded)
    let scenario = try Self.stub(members.replacing("TEXT", with: text))
    var scanner = SecretScanner()
    let findings = scanner.findings(in: scenario)
    #expect(!findings.isEmpty)
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: findings)
    let prepared = redactor.finished()
    let result = try #require(try prepared.redacted(scenario) { scanner.findings(in: $0) })
    #expect(result.kept.isEmpty)
    #expect(scanner.findings(in: result.scenario).isEmpty)
  }

  @Test func aPlaceThatCannotStayValidIsNamedAndTheOthersAreRedacted() throws {
    let scenario = try Self.stub(
      #""request":{"url":"/\#(Self.token)"},"responses":[{"text":"\#(Self.token)"}]"#)
    var scanner = SecretScanner()
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: scanner.findings(in: scenario))
    let url = ["stubs", "0", "request", "url"]
    let result = try #require(
      try redactor.finished().redacted(
        scenario,
        problems: { left in
          left.stubs[0].request == scenario.stubs[0].request ? [] : [.init(url)]
        }))
    #expect(result.kept.map(\.pointer) == ["/stubs/0/request/url"])
    #expect(result.places.map(\.pointer) == ["/stubs/0/responses/0/text"])
    #expect(result.scenario.stubs[0].request == scenario.stubs[0].request)
  }

  /// Whatever redaction finds of a value in what was written before, the filter lets it look for.
  @Test func aFilterPassesOverNoContentWithTheValue() {
    var random = SeededRandom(seed: 28)
    let alphabet = Array("abcXYZ019-_.~+/=%&\\ \"'")
    for round in 0..<400 {
      let count = Int.random(in: 6...40, using: &random)
      let value = String((0..<count).map { _ in alphabet.randomElement(using: &random) ?? "a" })
      var text = value
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        text = SampleEncoding.allCases.randomElement(using: &random)?.encode(text) ?? text
      }
      let content = Data((String(repeating: "x y;", count: round % 4) + text + " z").utf8)
      var redaction = Redaction()
      redaction.add(value)
      guard !redaction.secrets.isEmpty else { continue }
      let late = LateSecrets([value], redaction)
      var filter = ContentFilter(byteCount: content.count)
      filter.insert(content)
      if late.isFound(in: content) {
        #expect(late.mayBe(in: filter), "\(value) in \(String(decoding: content, as: UTF8.self))")
      }
      let other = LateSecrets(["qQ7" + "zT3vW9kXb2mN5pRs8Yd4"], redaction)
      #expect(!other.mayBe(in: filter))
    }
  }
}
