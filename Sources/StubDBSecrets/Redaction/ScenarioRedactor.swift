package import Foundation
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Takes values out of scenarios: first all scenarios are studied, then each is redacted.
package struct ScenarioRedactor {
  private let rules: [RedactionRule]
  private var budget = RedactionBudget()
  private var redaction = Redaction()
  /// The places where short values were selected; they are replaced nowhere else.
  private var shortSecrets: [ScenarioName: [JSONPointer: [String]]] = [:]
  private var found: [String] = []

  package init(rules: [RedactionRule]) {
    self.rules = rules
  }

  /// Collects the values to take out of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - number: Its position in the catalog, from 1.
  ///   - findings: The findings of a scan to take out too.
  /// - Throws: `RedactionTimeout` if a rule takes too long on a text.
  package mutating func study(
    _ scenario: Scenario, number: Int = 1, findings: [SecretFinding]
  ) throws(RedactionTimeout) {
    var collector = SecretCollector(rules: rules, scenario, number: number, budget)
    try collector.collect(from: scenario.documentValue)
    budget = collector.budget
    for value in collector.earlier { redaction.note(earlier: value) }
    for secret in collector.selected {
      found.append(secret.text)
      guard secret.text.utf8.count < Redaction.shortestEverywhere else { continue }
      shortSecrets[scenario.name, default: [:]][secret.pointer, default: []].append(secret.text)
    }
    found += findings.map(\.redactedText)
  }

  /// Chooses the placeholders, after the last scenario was studied.
  package consuming func finished() -> PreparedRedaction {
    for secret in found { redaction.add(secret) }
    return PreparedRedaction(redaction, shortSecrets)
  }
}

/// Takes out the values that a ``ScenarioRedactor`` collected.
package struct PreparedRedaction {
  private let redaction: Redaction
  private let shortSecrets: [ScenarioName: [JSONPointer: [String]]]
  private let everywhere: SecretReplacement

  init(
    _ redaction: Redaction, _ shortSecrets: [ScenarioName: [JSONPointer: [String]]]
  ) {
    self.redaction = redaction
    self.shortSecrets = shortSecrets
    everywhere = SecretReplacement(redaction.everywhere, redaction)
  }

  /// The number of values that are taken out.
  package var count: Int { redaction.secrets.count }

  /// The number of values that are replaced only where a rule selects them, because they are short.
  package var shortCount: Int { redaction.secrets.count - redaction.everywhere.count }

  /// Takes the values out of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - number: Its position in the catalog, from 1.
  ///   - findings: Returns the secrets that a scan finds in the result and that must not stay. A text with such a secret
  ///     is replaced as a whole.
  /// - Returns: The scenario without the values, and the places that changed; nil if none did.
  /// - Throws: `DocumentError` if what is left is not a valid document.
  package func redacted(
    _ scenario: Scenario, number: Int = 1, findings: (Scenario) -> [SecretFinding] = { _ in [] }
  ) throws(DocumentError) -> (scenario: Scenario, places: [SecretPlace])? {
    var pass = RedactionPass(
      scenario, number: number, everywhere: everywhere, redaction: redaction,
      shortSecrets: shortSecrets[scenario.name] ?? [:])
    let document = pass.redacted(scenario.documentValue)
    var places = pass.places
    var result = places.isEmpty ? scenario : try Scenario(documentValue: document)
    // A scan decodes more encodings than replacing can write.
    for _ in 0..<4 {
      let left = findings(result)
      if left.isEmpty { break }
      let whole = left.map {
        ($0.pointer, redaction.placeholder(for: $0.redactedText) ?? "REDACTED")
      }
      var pass = RedactionPass(
        result, number: number, everywhere: everywhere, redaction: redaction,
        whole: Dictionary(whole) { first, _ in first })
      let document = pass.redacted(result.documentValue)
      if pass.places.isEmpty { break }
      places += pass.places.filter { !places.contains($0) }
      result = try Scenario(documentValue: document)
    }
    return places.isEmpty ? nil : (result, places)
  }

  /// The bytes without the values, in any encoding.
  func replaced(_ bytes: Data) -> Data {
    bytes.withUnsafeBytes { everywhere.replaced($0.bindMemory(to: UInt8.self)) }.map { Data($0) }
      ?? bytes
  }

  /// The places where a scenario contains one of the values, in any encoding.
  package func remainder(in scenario: Scenario, number: Int = 1) -> [SecretPlace] {
    var search = RemainderSearch(scenario, number: number, everywhere: everywhere)
    search.visit(scenario.documentValue)
    return search.places
  }

  /// Whether the secret of a finding is one of the values.
  package func holds(_ finding: SecretFinding) -> Bool {
    redaction.placeholder(for: finding.redactedText) != nil
  }

  /// The number of values of ``Redaction/shortestEverywhere`` bytes or more that consist of letters only.
  package var wordCount: Int { redaction.everywhere.filter(\.isWord).count }

  /// Whether the bytes of a file contain one of the values, in any encoding.
  ///
  /// Values that are replaced only where a rule selects them are ignored.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - words: Whether to look for values of letters only. A catalog contains words such as `priority` for other
  ///     reasons; ``remainder(in:number:)`` finds such values in scenarios.
  ///   - pieceSize: The least number of bytes to examine at a time.
  /// - Returns: True if a value is found.
  package func isFound(in bytes: Data, words: Bool = false, pieceSize: Int = 16 << 20) -> Bool {
    let values = redaction.everywhere.filter { words || !$0.isWord }
    let search = SecretReplacement(values, redaction)
    // Pieces overlap by the space that the longest value may take.
    let overlap = (values.map(\.utf8.count).max() ?? 0) * SecretReplacement.longestSpelling
    let size = max(pieceSize, 2 * overlap)
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = min(start + size, bytes.endIndex)
      let isFound = bytes[start..<end].withUnsafeBytes {
        search.isFound(in: $0.bindMemory(to: UInt8.self))
      }
      if isFound { return true }
      if end == bytes.endIndex { break }
      start = end - overlap
    }
    return false
  }
}

extension SecretFinding {
  /// The part to take out: of credentials in base64 the password, so that a pattern with the password in plain text
  /// gets the same placeholder.
  var redactedText: String {
    kind == .basicCredentials
      ? HeaderSecrets.password(inBasic: secret.revealed) : secret.revealed
  }
}

extension String {
  /// Whether the text consists of letters only.
  fileprivate var isWord: Bool { allSatisfy(\.isLetter) }
  var utf8Data: Data { Data(utf8) }
  var base64: String { utf8Data.base64EncodedString() }
}
