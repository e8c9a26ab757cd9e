package import Foundation
package import StubDBModel

/// Takes values out of scenarios: first every scenario is studied, then each is redacted.
package struct ScenarioRedactor {
  /// A text or a number that was changed.
  package struct Place: Hashable {
    /// The scenario.
    package let scenario: ScenarioName
    /// The stub's key; nil for a place in the scenario itself.
    package let key: String?
    /// The place in the scenario's document.
    package let pointer: JSONPointer
  }

  /// Where JSON content stands, in which numbers are values like others.
  private static let contentKeys: Set<String> = [
    "json", "equalToJson", "variables", "userInfo", "matchesJsonSchema",
  ]

  private let rules: [RedactionRule]
  /// The values that were found so far.
  package private(set) var redaction = Redaction()
  /// Where short values were selected: they are replaced there and nowhere else.
  private var shortSecrets: [ScenarioName: [JSONPointer: [String]]] = [:]
  private var found: [String] = []

  package init(rules: [RedactionRule]) {
    self.rules = rules
  }

  /// Collects what is to be taken out of a scenario; `findings` are what a scan found in it.
  package mutating func study(_ scenario: Scenario, findings: [SecretFinding]) {
    var collector = SecretCollector(rules: rules)
    collector.collect(from: scenario.documentValue)
    for value in collector.earlier { redaction.note(earlier: value) }
    for secret in collector.selected {
      found.append(secret.text)
      guard secret.text.utf8.count < Redaction.shortestEverywhere else { continue }
      shortSecrets[scenario.name, default: [:]][secret.pointer, default: []].append(secret.text)
    }
    found += findings.map(Self.text)
  }

  /// Chooses the placeholders, after the last scenario was studied.
  package mutating func finishStudy() {
    for secret in found { redaction.add(secret) }
    found = []
  }

  /// What is taken out for a finding: of credentials in base64 the password, so that a pattern that
  /// has it in plain text gets the same placeholder.
  private static func text(of finding: SecretFinding) -> String {
    finding.kind == .basicCredentials
      ? HeaderSecrets.password(inBasic: finding.secret.revealed) : finding.secret.revealed
  }

  /// Redacts scenarios one after the other, with everything prepared once.
  package func prepared() -> Prepared {
    Prepared(redactor: self, everywhere: SecretReplacement(redaction.everywhere, redaction))
  }

  /// A redactor that has studied everything.
  package struct Prepared {
    private let redactor: ScenarioRedactor
    private let everywhere: SecretReplacement

    fileprivate init(redactor: ScenarioRedactor, everywhere: SecretReplacement) {
      self.redactor = redactor
      self.everywhere = everywhere
    }

    /// The scenario without the values, and the places that changed; nil where none did.
    ///
    /// - Throws: `DocumentError` where what is left is no valid document.
    package func redacted(
      _ scenario: Scenario
    ) throws(DocumentError) -> (scenario: Scenario, places: [Place])? {
      var pass = RedactionPass(
        everywhere: everywhere, redaction: redactor.redaction, contentKeys: contentKeys,
        shortSecrets: redactor.shortSecrets[scenario.name] ?? [:])
      let document = pass.redacted(scenario.documentValue)
      if pass.places.isEmpty { return nil }
      let places = pass.places.map { pointer in
        Place(scenario: scenario.name, key: Self.key(at: pointer, in: scenario), pointer: pointer)
      }
      return (try Scenario(documentValue: document), places)
    }

    /// Whether the bytes of a file hold one of the values, in any way of writing it.
    package func isFound(in bytes: Data) -> Bool {
      everywhere.isFound(in: Array(bytes))
    }

    private static func key(at pointer: JSONPointer, in scenario: Scenario) -> String? {
      guard pointer.tokens.count > 1, pointer.tokens[0] == "stubs",
        let index = Int(pointer.tokens[1])
      else { return nil }
      return scenario.stubs[index].key
    }
  }
}
