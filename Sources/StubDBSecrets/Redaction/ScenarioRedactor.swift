package import Foundation
internal import StubDBDocuments
package import StubDBJSON
package import StubDBModel

/// Takes values out of scenarios: first all scenarios are studied, then each is redacted.
package struct ScenarioRedactor {
  private let rules: SelectionRules
  private var budget = RedactionBudget()
  private var redaction = Redaction()
  /// The places where short values were selected; they are replaced nowhere else.
  private var shortSecrets: [ScenarioName: [JSONPointer: [String]]] = [:]
  private var found: [String] = []

  package init(rules: [RedactionRule]) {
    self.rules = SelectionRules(rules)
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
    redaction.skip(to: collector.earlier)
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

  /// The placeholders of values that are numbers.
  package var numbers: Set<String> { redaction.numbers }

  /// The number of values that are replaced only where a rule selects them, because they are short.
  package var shortCount: Int { redaction.secrets.count - redaction.everywhere.count }

  /// A scenario without the values.
  package struct Result {
    package var scenario: Scenario
    /// The places that changed.
    package var places: [SecretPlace] = []
    /// The places that still hold a value, because nothing valid would be left without it.
    package var kept: [SecretPlace] = []
  }

  /// The most places of a scenario that can stay.
  private static let mostKept = 100

  /// Takes the values out of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - number: Its position in the catalog, from 1.
  ///   - document: Its document, if it is known.
  ///   - findings: Returns the secrets that a scan finds in the result and that must not stay. A text with such a secret
  ///     is replaced as a whole.
  ///   - problems: Returns the places where the result cannot be played, though the scenario can.
  /// - Returns: The scenario without the values, and the places that changed or stayed; nil if there are none.
  /// - Throws: `DocumentError` if what is left is not a valid document, and no place is the reason.
  package func redacted(
    _ scenario: Scenario, number: Int = 1, document: JSONValue? = nil,
    findings: (Scenario) -> [SecretFinding] = { _ in [] },
    problems: (Scenario) -> [JSONPointer] = { _ in [] }
  ) throws(DocumentError) -> Result? {
    var kept: [JSONPointer: SecretPlace] = [:]
    let original = document ?? scenario.documentValue
    while true {
      var pass = RedactionPass(
        scenario, number: number, everywhere: everywhere, redaction: redaction,
        shortSecrets: shortSecrets[scenario.name] ?? [:], kept: Set(kept.keys))
      let document = pass.redacted(original)
      let refused: [JSONPointer]
      do throws(DocumentError) {
        var result = Result(scenario: scenario, places: pass.places)
        if !pass.places.isEmpty { result.scenario = try Scenario(documentValue: document) }
        try takeOutRest(of: &result, number, &pass, Set(kept.keys), findings)
        refused = result.places.isEmpty ? [] : problems(result.scenario)
        if refused.isEmpty {
          result.kept = kept.sorted { $0.key.description < $1.key.description }.map(\.value)
          return result.places.isEmpty && kept.isEmpty ? nil : result
        }
      } catch {
        refused = [error.pointer]
        if Self.places(pass.changed, around: refused).isEmpty || kept.count > Self.mostKept {
          throw error
        }
      }
      let stay = Self.places(pass.changed, around: refused)
      if stay.isEmpty || kept.count > Self.mostKept {
        throw DocumentError(
          .invalidValue, pointer: refused[0], message: "without its secrets it cannot be played")
      }
      kept.merge(stay) { first, _ in first }
    }
  }

  /// Replaces texts as a whole in which a scan still finds a secret, since it decodes more than replacing can write.
  private func takeOutRest(
    of result: inout Result, _ number: Int, _ changes: inout RedactionPass,
    _ kept: Set<JSONPointer>, _ findings: (Scenario) -> [SecretFinding]
  ) throws(DocumentError) {
    for _ in 0..<4 {
      let left = findings(result.scenario).filter { !kept.contains($0.pointer) }
      if left.isEmpty { return }
      let whole = left.map {
        ($0.pointer, redaction.placeholder(for: $0.redactedText) ?? "REDACTED")
      }
      var pass = RedactionPass(
        result.scenario, number: number, everywhere: everywhere, redaction: redaction,
        whole: Dictionary(whole) { first, _ in first }, kept: kept)
      let document = pass.redacted(result.scenario.documentValue)
      if pass.places.isEmpty { return }
      result.places += pass.places.filter { !result.places.contains($0) }
      changes.changed.merge(pass.changed) { first, _ in first }
      result.scenario = try Scenario(documentValue: document)
    }
  }

  /// The changed places that are at, in or around others.
  private static func places(
    _ changed: [JSONPointer: SecretPlace], around pointers: [JSONPointer]
  ) -> [JSONPointer: SecretPlace] {
    changed.filter { place, _ in
      pointers.contains { pointer in
        place.tokens.starts(with: pointer.tokens) || pointer.tokens.starts(with: place.tokens)
      }
    }
  }

  /// The bytes without the values, in any encoding.
  package func replaced(_ bytes: Data) -> Data {
    bytes.withUnsafeBytes { everywhere.replaced($0.bindMemory(to: UInt8.self)) }.map { Data($0) }
      ?? bytes
  }

  /// The places where a scenario contains one of the values, in any encoding.
  package func remainder(
    in scenario: Scenario, number: Int = 1, document: JSONValue? = nil
  ) -> [SecretPlace] {
    var search = RemainderSearch(scenario, number: number, everywhere: everywhere)
    search.visit(document ?? scenario.documentValue)
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
    let search =
      values.count == redaction.everywhere.count ? everywhere : SecretReplacement(values, redaction)
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
