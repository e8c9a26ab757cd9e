import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport
import Testing

/// Secrets in patterns whose name is beside them: in a part of a form, in a JSONPath or an XPath.
struct PatternNameTests {
  private static let secret = Samples.random20 + Samples.random20
  private static let password = "Tr0ub4dor" + "-3zq"

  private func decoded(_ body: String) throws -> Scenario {
    let stub = #"{"key": "a", "request": {"body": \#(body)}, "responses": [{"text": "ok"}]}"#
    return try ScenarioDocument.decode(
      Data(#"{"scenario": "a/x", "stubs": [\#(stub)]}"#.utf8))
  }

  private func findings(in scenario: Scenario) -> [SecretFinding] {
    var scanner = SecretScanner()
    return scanner.findings(in: scenario)
  }

  /// The secret is found, a redaction takes it out, and a second scan is clean.
  private func checkSecret(_ value: String, in body: String) throws {
    let scenario = try decoded(body)
    let found = findings(in: scenario)
    #expect(found.map(\.secret.revealed) == [value], "\(body)")
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: found)
    let prepared = redactor.finished()
    let result = try #require(try prepared.redacted(scenario) { findings(in: $0) }, "\(body)")
    #expect(findings(in: result.scenario).isEmpty, "\(body)")
    let text = ScenarioDocument.encode(result.scenario)
    #expect(!text.contains(value) && text.contains("REDACTED-1"), "\(text)")
  }

  @Test(arguments: [
    #"{"equalTo": "VALUE"}"#, #"{"matches": "^VALUE$"}"#, #"[{"contains": "VALUE"}]"#,
    #"{"or": [{"equalTo": "VALUE"}, {"equalTo": "other"}]}"#,
    #"{"matchesJsonPath": {"expression": "$.password", "equalTo": "VALUE"}}"#,
  ])
  func aSecretInAPartOfAFormIsFoundByTheNameOfThePart(pattern: String) throws {
    for (name, value) in [("password", Self.password), ("client_secret", Self.secret)] {
      let part = pattern.replacing("VALUE", with: value)
      try checkSecret(
        value, in: #"{"multipart": [{"name": "a"}, {"name": "\#(name)", "body": \#(part)}]}"#)
    }
  }

  @Test func aSecretInAHeaderFieldOfAPartIsFoundByTheNameOfTheField() throws {
    try checkSecret(
      Self.secret,
      in: #"{"multipart": [{"name": "a", "headers": {"X-Api-Key": "\#(Self.secret)"}}]}"#)
  }

  @Test(arguments: [
    #"{"name": "title", "body": {"equalTo": "VALUE"}}"#, #"{"body": {"equalTo": "VALUE"}}"#,
    #"{"name": "password", "filename": {"equalTo": "VALUE"}}"#,
  ])
  func whatThePartDoesNotNameIsNoSecret(part: String) throws {
    let part = part.replacing("VALUE", with: Self.secret)
    let scenario = try decoded(#"{"multipart": [\#(part)]}"#)
    #expect(findings(in: scenario).isEmpty)
  }

  @Test(arguments: [
    "//password", "//password/text()", "//password[1]", "//password[1]/text()",
    "//password[@type='plain']", "//item[@name='password']/value", "string(//password)",
    "//*[local-name()='password']/text()", "//user/@password", "//child::password",
  ])
  func theLastNameOfAnXPathCounts(path: String) throws {
    try checkSecret(
      Self.password,
      in: #"{"matchesXPath": {"expression": "\#(path)", "equalTo": "\#(Self.password)"}}"#)
  }

  @Test(arguments: [
    "$.password", "$['password']", "$..password", "$.password[*]", "$.a.password[0]",
    "$['user']['password'][0]", "$.fields[?(@.name == 'password')].value",
  ])
  func theLastNameOfAJSONPathCounts(path: String) throws {
    try checkSecret(
      Self.password,
      in: #"{"matchesJsonPath": {"expression": "\#(path)", "equalTo": "\#(Self.password)"}}"#)
  }

  @Test(arguments: [
    "$.password.hint", "$.passwords[0].id", "$['password']['hint']",
    "$.fields[?(@.name == 'password')].hint", "$.a",
  ])
  func whatIsBelowANameIsNoSecret(path: String) throws {
    let body =
      #"{"matchesJsonPath": {"expression": "\#(path)", "equalTo": "\#(Self.password)"}}"#
    let scenario = try decoded(body)
    #expect(findings(in: scenario).isEmpty)
  }
}
