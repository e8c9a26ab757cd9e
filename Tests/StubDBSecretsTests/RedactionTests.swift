import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport
import Testing

struct RedactionTests {
  private func findings(in scenario: Scenario) -> [SecretFinding] {
    var scanner = SecretScanner()
    return scanner.findings(in: scenario)
  }

  /// The scenario without the findings of a scan.
  private func redacted(
    _ scenario: Scenario
  ) throws -> (scenario: Scenario, prepared: PreparedRedaction, places: [SecretPlace]) {
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: findings(in: scenario))
    let prepared = redactor.finished()
    let result = try #require(
      try prepared.redacted(scenario) { findings(in: $0) }, "\(scenario.documentText)")
    return (result.scenario, prepared, result.places)
  }

  /// Encodings of a value that must be gone.
  private func forms(of value: String) -> [String] {
    var forms = SampleEncoding.allCases.filter { !$0.rawValue.hasPrefix("base64") }
      .map { $0.encode(value) }
    for shift in 0..<3 {
      let text = String(repeating: "x", count: shift) + value
      forms.append(String(Samples.base64(text).dropFirst(4).dropLast(4)))
      forms.append(String(Samples.base64URL(text).dropFirst(4).dropLast(4)))
    }
    return forms + forms.map { String(SecretCase.quoted($0).dropFirst().dropLast()) }
  }

  /// Every kind in every place, and every encoding in every place, but not all three combined.
  @Test(arguments: SecretSample.all)
  func whatAScanFindsARedactionTakesOut(sample: SecretSample) throws {
    var found = 0
    let number = SecretKind.allCases.firstIndex(of: sample.kind) ?? 0
    for (placeNumber, place) in SamplePlace.allCases.enumerated() {
      for (encodingNumber, encoding) in SampleEncoding.allCases.enumerated()
      where (number + placeNumber + encodingNumber) % 4 == 0 {
        guard let document = place.document(with: encoding.encode(sample.text)),
          let scenario = try? ScenarioDocument.decode(Data(document.utf8)),
          !findings(in: scenario).isEmpty
        else { continue }
        found += 1
        let label = "\(sample.kind) \(place) \(encoding)"
        let result = try redacted(scenario)
        #expect(findings(in: result.scenario).isEmpty, "\(label)")
        #expect(result.prepared.remainder(in: result.scenario).isEmpty, "\(label)")
        let text = result.scenario.documentText
        for form in forms(of: sample.value) {
          #expect(!text.contains(form), "\(label): \(text)")
        }
        for place in result.places {
          #expect(!"\(place)".contains(sample.value), "\(label): \(place)")
        }
      }
    }
    #expect(found > 40, "\(sample.kind): \(found)")
  }

  @Test(arguments: SecretSample.all)
  func aSecretIsFoundInEveryEncoding(sample: SecretSample) {
    var missed: [String] = []
    for encoding in SampleEncoding.allCases {
      for place in [SamplePlace.json, .matches, .text, .base64] {
        // Not every text is a valid regular expression.
        guard let document = place.document(with: encoding.encode(sample.text)),
          let scenario = try? ScenarioDocument.decode(Data(document.utf8))
        else { continue }
        if !findings(in: scenario).contains(where: { $0.kind == sample.kind }) {
          missed.append("\(place) \(encoding)")
        }
      }
    }
    #expect(missed == [], "\(sample.kind)")
  }

  @Test(arguments: SecretSample.all)
  func aNameThatIsASecretIsNotPrinted(sample: SecretSample) throws {
    for place in SamplePlace.allCases where place.isName {
      guard let document = place.document(with: sample.text),
        let scenario = try? ScenarioDocument.decode(Data(document.utf8))
      else { continue }
      let found = findings(in: scenario)
      #expect(!found.isEmpty, "\(sample.kind) \(place)")
      for finding in found {
        #expect(
          !"\(finding) \(finding.place)".contains(sample.value), "\(place): \(finding)")
      }
    }
  }

  @Test func aNameIsReplacedByItsPositionAndKind() throws {
    let token = "ghp_" + Samples.random40.prefix(36)
    let document =
      #"{"scenario":"a/b","stubs":[{"key":"k","responses":[{"json":{"tokens":{"a":1,"\#(token)":2}}}]}]}"#
    let found = findings(in: try ScenarioDocument.decode(Data(document.utf8)))
    #expect(
      found.map(\.place.pointer) == [
        "/stubs/0/responses/0/json/tokens/<member 2: GitHub token, 40 bytes>"
      ])
  }

  @Test func anExceptionMayNameAPlaceAsItIsPrinted() throws {
    let token = "ghp_" + Samples.random40.prefix(36)
    let document =
      #"{"scenario":"a/b","stubs":[{"key":"k","responses":[{"json":{"\#(token)":2}}]}]}"#
    let finding = try #require(
      findings(in: try ScenarioDocument.decode(Data(document.utf8))).first)
    let file = #"""
      {"exceptions": [{"scenario": "a/b", "key": "k", "reason": "public",
        "pointer": "/stubs/0/responses/0/json/<member 1: GitHub token, 40 bytes>"}]}
      """#
    let exceptions = try ScanExceptions(parsing: Data(file.utf8), file: "x.json")
    #expect(exceptions.index(for: finding) { $0 } == 0)
  }

  @Test func anExpressionThatTakesTooLongIsAnErrorWithThePlace() throws {
    let text = String(repeating: "a", count: 60) + "!"
    let document = #"{"scenario":"a/b","stubs":[{"key":"k","responses":[{"text":"\#(text)"}]}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    var redactor = ScenarioRedactor(rules: [.regex(try #require(BoundedRegex("(a+)+b")))])
    #expect {
      try redactor.study(scenario, findings: [])
    } throws: { error in
      guard let error = error as? RedactionTimeout else { return false }
      return error.rule == "(a+)+b" && error.place.pointer == "/stubs/0/responses/0/text"
    }
  }

  @Test func aPatternThatMatchesOneTextOnlyIsAValueOfItsHeader() throws {
    let document =
      #"{"scenario":"a/b","stubs":[{"key":"k","request":{"headers":{"X-A":{"matches":"^a1b2\\.c3d4$"}}}}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    var redactor = ScenarioRedactor(rules: [.header("x-a")])
    try redactor.study(scenario, findings: [])
    let result = try #require(try redactor.finished().redacted(scenario))
    #expect(result.scenario.documentText.contains(#""matches": "^REDACTED-1$""#))
  }

  /// An operator inside a token must not leave the rest of it.
  @Test(arguments: [#"\\.{1}"#, #"\\.?"#, "(?:.)", "[.]+"])
  func aTokenThatAnOperatorInterruptsIsTakenOutWhole(dot: String) throws {
    let parts = [
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiJhZGFAc2hvcC50ZXN0IiwiaWF0IjoxNX0",
      "qKx8RmZp3vYtN6bMkE2wQz7LcJ4hGf1sUoTiA9dXr5B",
    ]
    let document =
      #"{"scenario":"a/b","stubs":[{"key":"k","request":{"headers":{"Authorization":{"matches":"^Bearer "#
      + parts.joined(separator: dot) + #"$"}}}}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let found = findings(in: scenario)
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: found)
    let result = try #require(try redactor.finished().redacted(scenario))
    #expect(result.scenario.documentText.contains(#""matches": "^Bearer REDACTED-1$""#))
    #expect(self.findings(in: result.scenario).isEmpty)
  }

  @Test(arguments: ["(?:", "("])
  func aTokenInGroupsIsTakenOut(group: String) throws {
    let parts = [
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiJhZGFAc2hvcC50ZXN0IiwiaWF0IjoxNX0",
      "qKx8RmZp3vYtN6bMkE2wQz7LcJ4hGf1sUoTiA9dXr5B",
    ]
    let pattern = parts.map { group + $0 + ")" }.joined(separator: #"\\."#)
    let document =
      #"{"scenario":"a/b","stubs":[{"key":"k","request":{"headers":{"X-A":{"matches":"\#(pattern)"}}},"#
      + #""responses":[{"text":"\#(parts.joined(separator: "."))"}]}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    var redactor = ScenarioRedactor(rules: [])
    try redactor.study(scenario, findings: findings(in: scenario))
    let prepared = redactor.finished()
    let result = try #require(try prepared.redacted(scenario, findings: findings))
    for part in parts { #expect(!result.scenario.documentText.contains(part)) }
    #expect(self.findings(in: result.scenario).isEmpty)
  }

  @Test func aPartOfALongerNumberIsReplacedToo() throws {
    let pan = "4929" + "831047725563"
    let document =
      #"{"scenario":"a/b","stubs":[{"key":"k","responses":[{"json":{"card":\#(pan),"long":7\#(pan)1}}]}]}"#
    let scenario = try ScenarioDocument.decode(Data(document.utf8))
    let pointer = try #require(JSONPointer(parsing: "/card"))
    var redactor = ScenarioRedactor(rules: [.jsonPointer(pointer)])
    try redactor.study(scenario, findings: [])
    let prepared = redactor.finished()
    let result = try #require(try prepared.redacted(scenario))
    #expect(!result.scenario.documentText.contains(pan))
    #expect(prepared.remainder(in: result.scenario).isEmpty)
  }
}

extension Scenario {
  fileprivate var documentText: String { ScenarioDocument.encode(self) }
}
