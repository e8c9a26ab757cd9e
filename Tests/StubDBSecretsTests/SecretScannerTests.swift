import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSecrets
import Testing

/// Values that look like secrets, concatenated here so that secret scanners do not report this file.
enum Samples {
  static let random40 = "q7Zt3Vw9" + "KxB2mN5p" + "Rs8Yd4Fg" + "Hj6LcQ1v" + "Tb0WnXe3"
  static let random20 = "q7Zt3Vw9KxB2" + "mN5pRs8Y"
  static let capitals = "Q7ZT3VW5" + "KXB2MN4P"
  static let jwt =
    base64URL(#"{"alg":"HS256","typ":"JWT"}"#) + "." + base64URL(#"{"sub":"8842","scope":"all"}"#)
    + "." + random40
  static let pem =
    "-----BEGIN RSA PRIVATE" + " KEY-----\n" + random40 + random20
    + "\n-----END RSA PRIVATE KEY-----"

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static func base64URL(_ text: String) -> String {
    base64(text).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

/// The content of a stub, and the expected finding as kind and pointer, or none.
struct SecretCase: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var stub: String
  var expected: [String]

  init(_ description: String, _ stub: String, _ expected: String...) {
    testDescription = description
    self.stub = stub
    self.expected = expected
  }

  static func header(_ name: String, _ value: String, _ expected: String...) -> SecretCase {
    var sample = SecretCase(
      "\(name): \(expected)", #""responses": [{"headers": {"\#(name)": \#(quoted(value))}}]"#)
    sample.expected = expected.map { "\($0) /stubs/0/responses/0/headers/\(name)" }
    return sample
  }

  static func text(_ value: String, _ expected: String...) -> SecretCase {
    var sample = SecretCase(
      "text \(expected) \(value.prefix(12))",
      #""responses": [{"text": \#(quoted(value))}]"#)
    sample.expected = expected.map { "\($0) /stubs/0/responses/0/text" }
    return sample
  }

  static func json(_ name: String, _ value: String, _ expected: String...) -> SecretCase {
    var sample = SecretCase(
      "json \(name) \(expected)",
      #""responses": [{"json": {"a": [{"\#(name)": \#(quoted(value))}]}}]"#)
    sample.expected = expected.map { "\($0) /stubs/0/responses/0/json/a/0/\(name)" }
    return sample
  }

  static func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }
}

struct SecretScannerTests {
  private func findings(_ stub: String) throws -> [SecretFinding] {
    let document = #"{"scenario":"a/b","stubs":[{"key":"k",\#(stub)}]}"#
    var scanner = SecretScanner()
    return scanner.findings(in: try ScenarioDocument.decode(Data(document.utf8)))
  }

  private func check(_ sample: SecretCase) throws {
    let found = try findings(sample.stub)
    #expect(found.map { "\($0.kind.rawValue) \($0.pointer)" } == sample.expected)
    #expect(found.allSatisfy { $0.scenario.rawValue == "a/b" && $0.key == "k" })
  }

  private static let r40 = Samples.random40

  /// A multipart body of one part.
  private static func part(_ name: String, _ value: String, _ fields: String = "") -> String {
    "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\(fields)\r\n\(value)\r\n--B--\r\n"
  }

  @Test(arguments: [
    SecretCase.header("Authorization", "Bearer \(r40)", "bearerToken"),
    .header("Authorization", "Bearer \(Samples.jwt)", "jwt"),
    .header("Authorization", r40, "namedSecret"),
    .header("Authorization", "Basic " + Samples.base64("ada:Tr0ub4dor&3"), "basicCredentials"),
    .header("Set-Cookie", "sessionid=\(r40); Path=/; HttpOnly", "sessionCookie"),
    .header("Location", "https://ada:Tr0ub4dor3@shop.test/x", "urlCredentials"),
    .header("Location", "/next?access_token=\(r40)&a=b", "namedSecret"),
    .header("Location", "/in?to=" + "%2Fx%3Fapi_key%3D\(r40)", "namedSecret"),
    .text("AKIA" + Samples.capitals, "awsAccessKey"),
    .text("aws_secret_access_key = \(r40)", "awsSecretKey"),
    .text("ghp_" + r40.prefix(36), "gitHubToken"),
    .text("github_pat_" + r40 + "_" + r40, "gitHubToken"),
    .text("glpat-" + Samples.random20, "gitLabToken"),
    .text("xoxb-" + "1029384756-" + Samples.random20, "slackToken"),
    .text("sk_live_" + Samples.random20, "stripeKey"),
    .text("AIza" + r40.prefix(35), "googleKey"),
    .text("sk-proj-" + r40, "openAIKey"), .text("npm_" + r40.prefix(36), "npmToken"),
    .text("pypi-AgEI" + r40 + r40, "pyPIToken"),
    .text("SG." + Samples.random20 + "." + r40, "sendGridKey"), .text(Samples.pem, "privateKey"),
    .text("postgres://app:Tr0ub4dor3@db.shop.test/main", "urlCredentials"),
    .text(#"{"user":"ada","password":"Tr0ub4dor3"}"#, "password"),
    .text(#"{"inner":"{\"client_secret\":\"\#(r40)\"}"}"#, "namedSecret"),
    .text("user=ada&password=Tr0ub4dor3", "password"),
    .text("<login><password>Tr0ub4dor3</password></login>", "password"),
    .text("<a><password><![CDATA[Tr0ub4dor3]]></password></a>", "password"),
    .text("<a><password>\n  <![CDATA[Tr0]ub4dor3]]>\n</password></a>", "password"),
    .text(part("access_token", Samples.random40), "namedSecret"),
    .text(part("password", "Tr0ub4dor3").replacing("\r\n", with: "\n"), "password"),
    .text(
      part("token", Samples.random40, "X-Key: ghp_\(r40.prefix(36))\r\n"), "gitHubToken",
      "namedSecret"),
    .text("<input type='hidden' name='access_token' value='\(r40)'>", "namedSecret"),
    .text(#"<p><INPUT VALUE="Tr0ub4dor3" NAME="password"/></p>"#, "password"),
    .text(#"{"html":"<input name=\"api_key\" value=\"\#(r40)\">"}"#, "namedSecret"),
    .json("access_token", r40, "namedSecret"), .json("apiKey", r40, "namedSecret"),
    .json("password", "Tr0ub4dor3", "password"),
    // A weak word counts once, however often it is there.
    .json("password", "hunter2hunter2", "password"),
    .json("password", "secret-of-Tr0ub4dor", "password"),
    .json("note", "use ghp_\(r40.prefix(36))", "gitHubToken"),
    SecretCase(
      "a callback",
      #""responses": [{"callbacks": [{"request": {"url": "https://a.test/", "headers": {"Authorization": "Bearer \#(r40)"}}}]}]"#,
      "bearerToken /stubs/0/responses/0/callbacks/0/request/headers/Authorization"),
    SecretCase(
      "a query parameter", #""request": {"url": "/x?api_key=\#(r40)"}"#,
      "namedSecret /stubs/0/request/query/api_key"),
    SecretCase(
      "a header pattern",
      #""request": {"headers": {"X-Api-Key": {"and": [{"contains": "\#(r40)"}]}}}"#,
      "namedSecret /stubs/0/request/headers/X-Api-Key/and/0/contains"),
    SecretCase(
      "a regular expression",
      #""request": {"headers": {"Authorization": {"matches": "Bearer \#(r40)"}}}"#,
      "bearerToken /stubs/0/request/headers/Authorization/matches"),
    SecretCase(
      "a regular expression with groups",
      #""request": {"headers": {"X-A": {"matches": "^(\#(Samples.jwt.replacing(".", with: #")\\.("#)))$"}}}"#,
      "jwt /stubs/0/request/headers/X-A/matches"),
    .header("X-Amz-Security-Token", r40, "namedSecret"),
    .json("security_token", r40, "namedSecret"),
    .json("curl_secret", r40, "namedSecret"), .json("license_key", r40, "namedSecret"),
    .json("ci_session", r40, "sessionCookie"),
    SecretCase(
      "a cookie", #""request": {"cookies": {"PHPSESSID": "\#(r40)"}}"#,
      "sessionCookie /stubs/0/request/cookies/PHPSESSID"),
    SecretCase(
      "basic authentication",
      #""request": {"basicAuth": {"username": "ada", "password": "Tr0ub4dor3"}}"#,
      "password /stubs/0/request/basicAuth/password"),
    SecretCase(
      "a form", #""request": {"body": {"form": {"client_secret": "\#(r40)"}}}"#,
      "namedSecret /stubs/0/request/body/form/client_secret"),
    SecretCase(
      "a body in base64",
      #""responses": [{"base64": "\#(Samples.base64("\u{0}" + "ghp_" + r40.prefix(36) + "\u{0}"))"}]"#,
      "gitHubToken /stubs/0/responses/0/base64"),
    SecretCase(
      "the user information of an error",
      #""responses": [{"error": {"domain": "d", "code": 1, "userInfo": {"token": "\#(r40)"}}}]"#,
      "namedSecret /stubs/0/responses/0/error/userInfo/token"),
    SecretCase(
      "a summary", #""summary": "with ghp_\#(r40.prefix(36))""#, "gitHubToken /stubs/0/summary"),
  ])
  func secretsAreFound(sample: SecretCase) throws {
    try check(sample)
  }

  @Test(arguments: [
    SecretCase.header("Authorization", "Bearer REDACTED-1"),
    .header("Authorization", "Bearer {{token}}"),
    .header("Authorization", "Bearer test-token-123456"),
    .header("Authorization", "Basic " + Samples.base64("user:password")),
    .header("Authorization", "Basic " + Samples.base64("ada:ada")),
    .header("ETag", "\"\(r40)\""), .header("X-Request-Id", r40),
    .header("Set-Cookie", "theme=dark; Path=/"),
    .header("Set-Cookie", "sessionid=123e4567-e89b-12d3-a456-426614174000"),
    .header("Location", "https://user@shop.test/x:y"),
    .json("sha256", r40), .json("passwordHash", r40), .json("id", r40),
    .json("token", "123e4567-e89b-12d3-a456-426614174000"),
    .json("token", "xxxxxxxxxxxxxxxxxxxxxxxx"),
    .json("secret_url", r40), .json("token_uri", r40), .json("signature", r40),
    .json("tokenType", "bearer"), .json("token_expires", "2026-11-21T10:00:00.000Z"),
    .json("token", "2026-11-21T10:00:00.123456Z"),
    .json("access_token", "YOUR-TOKEN-GOES-HERE-0001"),
    .json("nextPageToken", r40), .json("password", "correct horse battery staple 9"),
    .json("password", "********"), .json("password", "password123"),
    .json("password", "hunter2hunter"), .json("password", "adminadmin123456"),
    .json("secret", "1234567890123456"),
    .json("token", "{{randomValue length=32}}"), .json("integrity_token", "sha256-" + r40),
    .text("AKIA" + "IOSFODNN7" + "EXAMPLE"), .text("sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc"),
    .text(
      Samples.base64URL(#"{"alg":"HS256"}"#) + "." + Samples.base64URL(#"{"name":"John Doe"}"#)
        + "."
        + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"),
    .text("the risk-based approach-with-many-hyphens of task-list-items"),
    .text("-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----"),
    .text("-----BEGIN CERTIFICATE-----\n\(r40)\(r40)\n-----END CERTIFICATE-----"),
    .text("Basic understanding of things: yes"), .text("password: at least 8 characters"),
    .text("https://shop.test:8443/a@b"),
    .text("<a><password><![CDATA[]]></password><id><![CDATA[\(r40)]]></id></a>"),
    .text("<password><![CDATA[Tr0ub4dor3"), .text(part("note", r40)),
    .text(part("access_token", "a text with \(r40) in it")),
    .text("Say name=\"access_token\" first.\n\n\(r40)\n"),
    .text("<input name='note' value='\(r40)'>"), .text("<input name='csrf_token' value='\(r40)'>"),
    .text("<input name='access_token'><p>value='\(r40)'</p>"),
    SecretCase(
      "a pattern", #""request": {"headers": {"Authorization": {"matches": "Bearer .+"}}}"#),
    SecretCase(
      "a pattern of characters",
      #""request": {"headers": {"X-Api-Key": {"matches": "[A-Za-z0-9]{32}"}}}"#),
  ])
  func whatOnlyLooksLikeASecretIsNone(sample: SecretCase) throws {
    try check(sample)
  }

  @Test func aFindingNeverShowsTheSecret() throws {
    let found = try findings(#""responses": [{"json": {"token": "\#(Self.r40)"}}]"#)
    let finding = try #require(found.first)
    var dumped = ""
    dump(finding, to: &dumped)
    #expect(!"\(finding)\(dumped)\(String(reflecting: finding))".contains(Self.r40.prefix(8)))
    #expect(finding.secret.revealed == Self.r40)
  }
}
