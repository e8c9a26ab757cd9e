import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBTestSupport
import StubDBTransfer
import Testing

struct RedactionJobTests {
  // Concatenated here so that secret scanners do not report this file.
  private static let token = "q7Zt3Vw9/KxB+" + "2mN5p=Rs8Yd4Fg"
  private static let password = "Tr0ub4dor" + "&3\"x"
  private static let pan = "4929" + "831047725563"

  /// Scenarios that contain the same values in many forms.
  private static var document: String {
    let basic = Data("ada:\(password)".utf8).base64EncodedString()
    let percent = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let inner = #"{"token":"\#(token.replacing("/", with: "\\/"))"}"#
    return """
      [{"scenario": "auth/login", "stubs": [
        {"key": "login", "request": {"method": "POST", "url": "https://api.shop.test/login",
          "basicAuth": {"username": "ada", "password": \(quoted(password))}},
         "responses": [{"headers": {"Location": "/me?access_token=\(percent)",
            "Set-Cookie": "sid=\(token); Path=/"},
          "json": {"access_token": \(quoted(token)), "card": \(pan), "ok": true, "none": null,
            "pin": 73}}]},
        {"key": "me", "request": {"url": "/me?access_token=\(percent)",
          "headers": {"Authorization": "Basic \(basic)", "X-Copy": {"matches":
            \(quoted(NSRegularExpression.escapedPattern(for: token)))}}},
         "responses": [{"text": \(quoted(inner))}]}]},
       {"scenario": "cards/list", "stubs": [{"key": "cards", "request": {"url": "/cards/\(pan)"},
         "responses": [{"json": {"number": "\(pan)", "count": 73}}]}]}]
      """
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).canonicalText }

  private static func rules(
    headers: [String] = [], query: [String] = [], cookies: [String] = [], pointers: [String] = [],
    paths: [String] = [], regexes: [String] = []
  ) throws -> [RedactionRule] {
    try RedactionRules(
      headers: headers, query: query, cookies: cookies, pointers: pointers, paths: paths,
      regexes: regexes
    ).rules
  }

  private static func redact(
    _ catalog: Catalog, _ rules: [RedactionRule]
  ) throws -> RedactionJob.Outcome {
    try RedactionJob(catalog: catalog, rules: rules, findingsBesides: nil).run()
  }

  private static func text(_ name: String, of catalog: Catalog) throws -> String {
    ScenarioDocument.encode(try catalog.scenario(named: ScenarioName(unchecked: name)))
  }

  @Test func oneValueGetsOnePlaceholderAndTypesStay() throws {
    try withCatalog(Self.document) { catalog in
      let rules = try Self.rules(
        headers: ["Authorization"], pointers: ["/card"], paths: ["$..access_token"])
      _ = try Self.redact(catalog, rules)
      let login = try Self.text("auth/login", of: catalog)
      let cards = try Self.text("cards/list", of: catalog)
      let token = try firstMatch(of: /"access_token": "(REDACTED-\d)"/, in: login).1
      let card = try firstMatch(of: /"card": (9\d{8})[,\n]/, in: login).1
      let password = try firstMatch(of: /"password": "(REDACTED-\d)"/, in: login).1
      #expect(token != password)
      for part in [
        "\"Location\": \"/me?access_token=\(token)\"", "\"Set-Cookie\": \"sid=\(token); Path=/\"",
        "\"matches\": \"\(token)\"", "{\\\"token\\\":\\\"\(token)\\\"}",
        "Basic " + Data("ada:\(password)".utf8).base64EncodedString(), "\"ok\": true",
        "\"none\": null", "\"pin\": 73",
      ] {
        #expect(login.contains(part), "\(part)")
      }
      #expect(cards.contains("/cards/\(card)") && cards.contains("\"number\": \"\(card)\""))
      #expect(try catalog.check().isEmpty)
    }
  }

  @Test func shortValuesAreReplacedWhereTheyAreSelectedOnly() throws {
    try withCatalog(Self.document) { catalog in
      let outcome = try Self.redact(catalog, Self.rules(paths: ["$.pin"]))
      #expect(outcome.places.map(\.pointer) == ["/stubs/0/responses/0/json/pin"])
      #expect((outcome.count, outcome.shortCount) == (1, 1))
      #expect(try Self.text("cards/list", of: catalog).contains("\"count\": 73"))
    }
  }

  @Test func everyRuleSelectsTheValueEverywhere() throws {
    let secret = Data(Self.token.utf8)
    for rules in [
      try Self.rules(headers: ["set-cookie"]), try Self.rules(query: ["access_token"]),
      try Self.rules(cookies: ["sid"]), try Self.rules(pointers: ["/access_token"]),
      try Self.rules(regexes: ["q7Zt3Vw9[^\"\\\\; ]{5}2mN5p=Rs8Yd4Fg"]),
    ] {
      try withCatalog(Self.document) { catalog in
        #expect(try Data(contentsOf: catalog.url).range(of: secret) != nil)
        _ = try Self.redact(catalog, rules)
        #expect(try Data(contentsOf: catalog.url).range(of: secret) == nil, "\(rules)")
      }
    }
  }

  @Test func aSecondRedactionUsesOtherPlaceholders() throws {
    try withCatalog(Self.document) { catalog in
      _ = try Self.redact(catalog, Self.rules(cookies: ["sid"]))
      _ = try Self.redact(catalog, Self.rules(headers: ["Authorization"], cookies: ["sid"]))
      let login = try Self.text("auth/login", of: catalog)
      #expect(login.contains("sid=REDACTED-1;") && login.contains("\"password\": \"REDACTED-2\""))
    }
  }

  @Test func whatWouldBeRemovedIsKnownWithoutAnEdit() throws {
    try withCatalog(Self.document) { catalog in
      let bytes = try Data(contentsOf: catalog.url)
      let job = RedactionJob(
        catalog: catalog, rules: try Self.rules(cookies: ["sid"]), findingsBesides: nil)
      let outcome = try job.outcome(in: CatalogSnapshot(contentsOf: catalog.url))
      #expect(
        outcome.places.map(\.pointer).contains("/stubs/0/responses/0/headers/Set-Cookie"))
      #expect(try Data(contentsOf: catalog.url) == bytes)
    }
  }

  /// The file of a writer that is still there has all that the catalog had; one of a stopped writer goes with the edit.
  @Test func aFileBesideTheCatalogThatHasAValueIsReported() throws {
    try withCatalog(Self.document) { catalog in
      let left = catalog.url.deletingLastPathComponent()
        .appendingPathComponent(".\(catalog.url.lastPathComponent).tmp-1")
      try FileManager.default.copyItem(at: catalog.url, to: left)
      let writer = try FileHandle(forReadingFrom: left)
      defer { try? writer.close() }
      #expect(flock(writer.fileDescriptor, LOCK_EX) == 0)
      let problem = #expect(throws: RedactionProblem.self) {
        _ = try Self.redact(catalog, Self.rules(cookies: ["sid"]))
      }
      guard case .remainder(let remainder)? = problem else {
        Issue.record("\(String(describing: problem))")
        return
      }
      #expect(remainder.files.map(\.lastPathComponent) == [left.lastPathComponent])
      #expect(remainder.places.isEmpty)
    }
  }
}
