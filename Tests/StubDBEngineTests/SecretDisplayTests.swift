import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBModel
import Testing

@testable import StubDBEngine

@Suite struct SecretDisplayTests {
  /// The text that must not be visible anywhere.
  private static let sent = "S3ntS3cret9876"
  private static let wanted = "W4ntedS3cret123"

  /// A request and a stub with a secret in the same place; the stub as in its document.
  private struct Case: CustomTestStringConvertible, Sendable {
    var pattern: String
    var url = "https://h.test/a"
    var headers: [String: String] = [:]
    var body = ""
    var isShownForStub = false
    var testDescription: String { pattern }
  }

  private static let cases: [Case] = [
    Case(
      pattern: #""headers": {"Authorization": "Bearer WANTED"}"#,
      headers: ["Authorization": "Bearer SENT"]),
    Case(
      pattern: #""headers": {"Authorization": {"matches": "Bearer WANTED"}}"#,
      headers: ["Authorization": "SENT"]),
    Case(
      pattern: #""headers": {"Proxy-Authorization": {"contains": "WANTED"}}"#,
      headers: ["Proxy-Authorization": "Basic SENT"]),
    Case(
      pattern: #""headers": {"X-Api-Key": {"or": ["WANTED", {"not": {"contains": "SENT"}}]}}"#,
      headers: ["X-Api-Key": "SENT"]),
    Case(
      pattern: #""headers": {"X-Auth-Token": ["WANTED", "x"]}"#,
      headers: ["X-Auth-Token": "SENT"]),
    Case(
      pattern: #""headers": {"X-Amz-Security-Token": "WANTED"}"#,
      headers: ["X-Amz-Security-Token": "SENT"]),
    Case(
      pattern: #""headers": {"X-Client-Secret": {"doesNotContain": "SENT"}}"#,
      headers: ["X-Client-Secret": "SENT"]),
    Case(pattern: #""headers": {"Cookie": "sid=WANTED"}"#, headers: ["Cookie": "a=SENT; sid=SENT"]),
    Case(
      pattern: #""headers": {"Set-Cookie": "sid=WANTED; Path=/"}"#,
      headers: ["Set-Cookie": "sid=SENT; Path=/"]),
    Case(pattern: #""cookies": {"theme": "WANTED"}"#, headers: ["Cookie": "theme=SENT"]),
    Case(
      pattern: #""headers": {"Referer": "https://h.test/?access_token=WANTED"}"#,
      headers: ["Referer": "https://u:SENT@h.test/?access_token=SENT"]),
    Case(
      pattern: #""basicAuth": {"username": "ada", "password": "WANTED"}"#,
      headers: ["Authorization": "Basic SENT"]),
    Case(
      pattern: #""query": {"access_token": "WANTED"}"#,
      url: "https://h.test/a?access_token=SENT"),
    Case(
      pattern: #""query": {"api_key": {"hasExactly": ["WANTED"]}}"#,
      url: "https://h.test/a?api_key=SENT"),
    Case(
      pattern: #""query": {"sig": "WANTED"}, "queryIsExact": true"#,
      url: "https://h.test/a?sig=SENT&X-Amz-Signature=SENT&token=SENT"),
    Case(pattern: #""path": "/b""#, url: "https://ada:SENT@h.test/a"),
    Case(
      pattern: #""body": {"equalTo": "grant_type=password&password=WANTED"}"#,
      body: "grant_type=password&password=SENT"),
    Case(
      pattern: #""body": {"form": {"password": "WANTED", "client_secret": "WANTED"}}"#,
      body: "password=SENT&client_secret=SENT"),
    Case(
      pattern: #""body": {"equalToJson": {"user": {"password": "WANTED"}}}"#,
      body: #"{"user": {"password": "SENT", "refresh_token": ["SENT"]}}"#),
    Case(pattern: #""body": {"equalToJson": {"credentials": {"a": "WANTED"}}}"#, body: "[]"),
    Case(pattern: #""body": {"equalToJson": {"a": 1}}"#, body: #"{"token": "SENT", "password": "#),
    Case(pattern: #""body": {"equalToJson": {"a": 1}}"#, body: #"{"token": {"id": "SENT"}}"#),
    Case(
      pattern: #""body": {"equalTo": "{\"token\": \"WANTED\"}"}"#,
      body: #"{"token": "SENT"}"#),
    Case(
      pattern:
        #""body": {"matchesJsonPath": {"expression": "$.user.password", "equalTo": "WANTED"}}"#,
      body: #"{"user": {"password": "SENT"}}"#),
    Case(
      pattern: #""body": {"equalToXml": "<a><password>WANTED</password></a>"}"#,
      body: "<a><password>SENT</password></a>"),
    Case(
      pattern:
        #""body": {"matchesXPath": {"expression": "//password/text()", "equalTo": "WANTED"}}"#,
      body: "<a><password>SENT</password></a>"),
    Case(
      pattern: #""body": {"graphql": {"query": "mutation { login(password: \"WANTED\") }"}}"#,
      body: #"{"query": "mutation { login(password: \"SENT\") }"}"#),
    Case(
      pattern: #""body": {"multipart": [{"name": "password", "body": {"equalTo": "WANTED"}}]}"#,
      headers: ["Content-Type": "multipart/form-data; boundary=b"],
      body:
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nSENT\r\n--b--\r\n"),
    Case(
      pattern: #""body": {"equalTo": "Bearer WANTED"}"#,
      body: String(repeating: "-", count: 300) + " Authorization: Bearer SENT"),
  ]

  /// Stubs that ask for the placeholder of a redaction, and requests with the secret that was there.
  private static let redacted = [
    Case(pattern: #""query": {"api_key": "REDACTED-1"}"#, url: "https://h.test/a?api_key=SENT"),
    Case(
      pattern: #""query": {"sid": {"equalTo": "REDACTED-1"}}"#, url: "https://h.test/a?sid=SENT"),
    Case(pattern: #""headers": {"X-Api-Key": "REDACTED-1"}"#, headers: ["X-Api-Key": "SENT"]),
    Case(
      pattern: #""headers": {"Authorization": "Bearer REDACTED-1"}"#,
      headers: ["Authorization": "Bearer SENT"]),
    Case(pattern: #""headers": {"Cookie": "a=REDACTED-1"}"#, headers: ["Cookie": "a=SENT"]),
    Case(pattern: #""cookies": {"theme": "REDACTED-1"}"#, headers: ["Cookie": "theme=SENT"]),
    Case(pattern: #""body": {"form": {"password": "REDACTED-1"}}"#, body: "password=SENT"),
    Case(
      pattern: #""body": {"equalToJson": {"password": "REDACTED-1"}}"#,
      body: #"{"password": "SENT"}"#),
    Case(
      pattern: #""body": {"equalToXml": "<a><password>REDACTED-1</password></a>"}"#,
      body: "<a><password>SENT</password></a>"),
    Case(
      pattern: #""body": {"multipart": [{"name": "password", "body": {"equalTo": "REDACTED-1"}}]}"#,
      headers: ["Content-Type": "multipart/form-data; boundary=b"],
      body: "--b\r\nContent-Disposition: form-data; name=password\r\n\r\nSENT\r\n--b--\r\n"),
  ]

  /// A login in multipart content, for which the stub expects something else.
  private static let logins = [
    #"{"equalToXml": "<a/>"}"#, #"{"matchesXPath": "//a"}"#, #"{"equalToJson": {"a": 1}}"#,
    #"{"matchesJsonPath": "$.a"}"#, #"{"matchesJsonSchema": {"type": "object"}}"#,
    #"{"graphql": {"query": "{a}"}}"#, #"{"form": {"a": "b"}}"#,
    #"{"form": {"a": "b"}, "isExact": true}"#, #"{"matches": "a"}"#, #"{"equalTo": "a"}"#,
    #"{"contains": "zzz"}"#, #"{"binaryEqualTo": "YWJj"}"#,
  ].flatMap { pattern in
    ["; boundary=b", "; boundary=other"].map { boundary in
      Case(
        pattern: #""body": \#(pattern)"#,
        headers: ["Content-Type": "multipart/form-data" + boundary],
        body: "--b\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nada\r\n--b\r\n"
          + "content-disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\n"
          + "a&SENT\r\n--b--\r\n")
    }
  }

  private func report(_ item: Case) throws -> (text: String, mismatches: [Mismatch]) {
    func filled(_ text: String) -> String {
      text.replacing("SENT", with: Self.sent).replacing("WANTED", with: Self.wanted)
    }
    let document =
      #"{"scenario": "a", "stubs": [{"key": "s", "request": {\#(filled(item.pattern))}}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let sources = scenario.stubs.map { LoadedScenario.Source(origin: scenario.name, stub: $0) }
    let run = try LoadedScenario(
      name: scenario.name, stubs: sources, catalogDescription: "/shop.stubdb"
    ).run()
    var headers = HTTPFields()
    for (name, value) in item.headers {
      headers.append(HTTPField(name: try #require(.init(name)), value: filled(value)))
    }
    let method = item.body.isEmpty ? "GET" : "POST"
    let request = StubRequest(
      method: method, url: filled(item.url), headers: headers,
      body: .bytes(Data(filled(item.body).utf8)))
    guard case .unmatched(let event) = run.respond(to: request) else {
      throw EngineTestFailure.notAnswered
    }
    return (run.report(on: run.journal[0]).text, event.nearMisses.flatMap(\.mismatches))
  }

  @Test(arguments: cases + redacted + logins)
  private func noSecretIsInAReport(_ item: Case) throws {
    let (text, mismatches) = try report(item)
    for secret in [Self.sent, Self.wanted] {
      #expect(!text.contains(secret), "\(text)")
      #expect(!mismatches.contains { ($0.expected + $0.actual).contains(secret) }, "\(mismatches)")
    }
  }

  @Test(arguments: redacted)
  private func besideAPlaceholderOnlyTheLengthOfTheSecretIsTold(_ item: Case) throws {
    let mismatch = try #require(try report(item).mismatches.first)
    #expect(mismatch.expected.contains("REDACTED-1"), "\(mismatch)")
    #expect(mismatch.actual.contains("(secret, \(Self.sent.utf8.count) bytes)"), "\(mismatch)")
  }

  @Test(arguments: cases + redacted)
  private func whoeverAsksForThemSeesThem(_ item: Case) throws {
    let (text, _) = try SecretDisplay.$isShown.withValue(true) { try report(item) }
    let (hidden, _) = try report(item)
    #expect(text.contains(Self.sent) || text.contains(Self.wanted))
    #expect(hidden.contains("bytes)") || hidden.contains("REDACTED"), "\(hidden)")
  }

  @Test func kindLengthAndEqualityAreTold() throws {
    var item = Case(
      pattern: #""headers": {"Authorization": "Bearer WANTED", "X-Api-Key": "SENT"}"#,
      headers: ["Authorization": "Bearer SENT", "X-Api-Key": "WANTED"])
    #expect(
      try report(item).mismatches == [
        Mismatch(
          part: Mismatch.Part(.header, "Authorization"), expected: "\"Bearer (secret, 15 bytes)\"",
          actual: "\"Bearer (secret, 14 bytes)\", not equal"),
        Mismatch(
          part: Mismatch.Part(.header, "X-Api-Key"), expected: "\"(secret, 14 bytes)\"",
          actual: "\"(secret, 15 bytes)\", not equal"),
      ])
    item = Case(
      pattern: #""headers": {"Authorization": "Bearer SENT"}"#,
      headers: ["Authorization": "Token SENT"])
    #expect(
      try report(item).mismatches[0].actual
        == "\"Token (secret, 14 bytes)\", equal but for the scheme")
  }

  private static let token = "ghp_" + "Zq8wK3vNp5tRx7yB" + "m2cLd9fGh4jS"

  private static func encoded(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
  }

  @Test(arguments: [
    ("nothing of note", "nothing of note"),
    ("https://h.test/a?page=2&token=abc1#x", "https://h.test/a?page=2&token=(secret, 4 bytes)#x"),
    ("https://ada:pw@h.test/", "https://(secret, 6 bytes)@h.test/"),
    ("https://h.test/@ada", "https://h.test/@ada"),
    ("https://h.test/?next_token=abc1", "https://h.test/?next_token=abc1"),
    ("https://h.test/?key=name", "https://h.test/?key=name"),
    (
      "https://h.test/?key=AIzaSyA1234567890abcdefghij",
      "https://h.test/?key=(secret, 27 bytes)"
    ),
    (#"{"password": 1234, "n": 1}"#, #"{"password": "(secret, 4 bytes)", "n": 1}"#),
    (
      #"{"token": {"id": "abc1", "n": [-1, 2]}, "b": "c"}"#,
      ##"{"token": {"id": "(secret, 4 bytes)", "n": ["(secret, 2 bytes)", "(secret, 1 byte)"]}, "b": "c"}"##
    ),
    (#"{"password": null}"#, #"{"password": null}"#),
    (#"{"a": "{\"token\":\"abc1\"}"}"#, #"{"a": "{\"token\":\"(secret, 4 bytes)\"}"}"#),
    ("Bearer .+", "Bearer .+"),
    ("say Bearer abcdef123", "say Bearer (secret, 9 bytes)"),
    ("Basic information", "Basic information"),
    (
      "--b\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\n\n--x\n1\n--b \nA: b\n",
      "--b\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\n\n(secret, 5 bytes)\n--b \nA: b\n"
    ),
    (
      "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nabc1\r\n--b--",
      "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nabc1\r\n--b--"
    ),
    ("password=REDACTED-1", "password=REDACTED-1"),
    ("{{request.query.token}}", "{{request.query.token}}"),
    ("<Token x='1'>abc1</Token>", "<Token x='1'>(secret, 4 bytes)</Token>"),
    ("Authorization: Digest a=1, b", "Authorization: Digest (secret, 6 bytes)"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln", "(secret, 38 bytes)"),
    ("raw sk_live_1234567890ab", "raw (secret, 20 bytes)"),
    ("key-ghp_1234567890ab", "key-(secret, 16 bytes)"),
    ("ghp_short", "ghp_short"),
    (
      encoded(#"{"name":"Jürgen!","token":"\#(token)"}"#), "(secret, 83 bytes)="
    ),
    (encoded(#"{"b":"\#(encoded("id=\(token)"))"}"#), "(secret, 75 bytes)="),
    ("/u/" + encoded("Jürgen \(token)") + "/x", "/u/(secret, 54 bytes)==/x"),
    (encoded("Jürgen, who has no tokens"), encoded("Jürgen, who has no tokens")),
    ("tökén=é&password=ü1", "tökén=é&password=(secret, 3 bytes)"),
  ])
  func ofATextOnlyTheSecretsAreHidden(_ text: String, _ shown: String) {
    #expect(SecretDisplay.text(text) == shown)
    #expect(SecretDisplay.text(shown) == shown)
  }

  private static let part = "Content-Disposition: form-data; name=token\n"

  /// Beginnings of secrets that do not follow, and parts without an end or a boundary, to be repeated.
  private static let beginnings: [String] = [
    "MT-", "sk-", "SG.", "eyJ-", "AIza-", "NRAK-", "bearer+", "key:{{", "token={{", "a:",
    "\"token\":[", "<token>{{", part, "\(part)\n{{", "\(part)\nab12cd34\n", "--b\n\(part)\n{{",
  ]

  @Test(arguments: beginnings)
  func aSearchLooksAtTheBytesOfALongTextAFewTimes(_ beginning: String) {
    let count = 20_000 / beginning.utf8.count
    let text = String(repeating: beginning, count: count) + "\n\n" + Self.token
    #expect(!SecretDisplay.text(text).contains(Self.token))
    var search = SecretSearch(bytes: Array(text.utf8), hasNames: true)
    search.run()
    #expect(search.examined + search.runs.examined < 16 * text.utf8.count)
  }

  @Test func partsWithBoundariesOfTheirOwnAreLookedAtOnce() {
    let parts = (0..<400).map { "--b\($0)\n\(Self.part)\n{{name}}\n" }
    let text = parts.joined() + "--c\n\(Self.part)\n\(Self.sent)\n--c--\n"
    #expect(!SecretDisplay.text(text).contains(Self.sent))
    var search = SecretSearch(bytes: Array(text.utf8), hasNames: true)
    search.run()
    #expect(search.examined + search.runs.examined < 16 * text.utf8.count)
  }

  /// Every excerpt of a long text hides a secret, even if its name is outside the excerpt.
  @Test func aCutInTheMiddleOfASecretShowsNothingOfIt() {
    for length in 0..<400 {
      let text = #"{"a":""# + String(repeating: "-", count: length) + #"","token":"\#(Self.sent)"}"#
      let other = text.replacing("S3cret9876", with: "S3cret9875")
      let shown = TextExcerpt.quoted(text, other)
      #expect(!(shown.expected + shown.actual).contains("cret98"), "\(shown)")
    }
  }
}
