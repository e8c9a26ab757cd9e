package import Foundation
internal import StubDBDocuments
package import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Takes secrets out of one scenario after another, while later ones are not known yet.
///
/// A value has the same placeholder throughout, in all its encodings, so that a token that one answer gives and the next
/// request sends still fits. The values are only in memory.
package struct RunningRedaction {
  /// Reports a scenario that cannot be freed of secrets, and must not be written.
  package struct Failure: Error, Hashable {
    /// The reason, without any value; the end of a sentence.
    package let reason: String
  }

  private let rules: SelectionRules
  private var budget = RedactionBudget()
  private var redaction = Redaction()
  private var scanner = SecretScanner()
  private var prepared: PreparedRedaction

  /// Begins with rules and with values that are secrets wherever they are.
  package init(rules: [RedactionRule], known: [String]) {
    self.rules = SelectionRules(rules)
    for value in known { redaction.add(value) }
    prepared = PreparedRedaction(redaction, [:])
  }

  /// The number of values that are taken out so far.
  package var count: Int { redaction.secrets.count }

  /// Differs after each scenario that has an effect on those after it.
  package var changeCount: Int { redaction.changeCount }

  /// The placeholders in a document that replace numbers; other numbers that look like them are not placeholders.
  package func numbers(in document: JSONValue) -> Set<String> {
    redaction.numbers.isEmpty
      ? [] : RedactionPlaceholders.all(in: document).intersection(redaction.numbers)
  }

  /// The values that were found after some others, of those that are replaced everywhere.
  package func secrets(after count: Int) -> LateSecrets {
    LateSecrets(
      redaction.secrets.dropFirst(count).map(\.revealed).filter {
        $0.utf8.count >= Redaction.shortestEverywhere
      }, redaction)
  }

  /// The scenario without its secrets, and without those of the scenarios before.
  ///
  /// - Throws: ``Failure`` if a rule takes too long, if nothing valid would be left, or if a secret would stay.
  package mutating func redacted(_ scenario: Scenario) throws(Failure) -> Scenario {
    // Made once, because it has to be parsed for JSON content.
    let document = scenario.documentValue
    let short = try study(scenario, document)
    let prepared = short.isEmpty ? prepared : PreparedRedaction(redaction, [scenario.name: short])
    var scanner = scanner
    let result: PreparedRedaction.Result
    do throws(DocumentError) {
      result =
        try prepared.redacted(scenario, document: document) { left in
          // What is only a placeholder by now is no secret.
          scanner.findings(in: left).filter { !RedactionPlaceholders.isOne($0.redactedText) }
        } ?? PreparedRedaction.Result(scenario: scenario)
    } catch {
      throw Failure(reason: "without its secrets it is not a valid document")
    }
    self.scanner = scanner
    let left = result.places.isEmpty ? document : result.scenario.documentValue
    guard result.kept.isEmpty, prepared.remainder(in: result.scenario, document: left).isEmpty
    else {
      throw Failure(reason: "a secret in it has an encoding that cannot be rewritten")
    }
    return result.scenario
  }

  /// Collects the values of a scenario; returns the places of those that are too short to be replaced everywhere.
  private mutating func study(
    _ scenario: Scenario, _ document: JSONValue
  ) throws(Failure) -> [JSONPointer: [String]] {
    var collector = SecretCollector(rules: rules, scenario, number: 1, budget)
    do throws(RedactionTimeout) {
      try collector.collect(from: document)
    } catch {
      throw Failure(reason: "a rule of redaction takes too long on it")
    }
    // A client may send a placeholder that it got from a stub.
    redaction.skip(to: collector.earlier)
    var short: [JSONPointer: [String]] = [:]
    let before = redaction.secrets.count
    for secret in collector.selected {
      redaction.add(secret.text)
      guard secret.text.utf8.count < Redaction.shortestEverywhere else { continue }
      short[secret.pointer, default: []].append(secret.text)
    }
    for finding in scanner.findings(in: scenario) { redaction.add(finding.redactedText) }
    if redaction.secrets.count > before { prepared = PreparedRedaction(redaction, [:]) }
    return short
  }

  /// Whether a rule selects places of JSON content, which only a whole content has.
  package var needsWholeContent: Bool { !rules.content.isEmpty }

  /// Collects the secrets of a part of a content.
  mutating func study(content body: ResponseBody) throws(Failure) {
    let scenario = Self.scenario(with: body)
    _ = try study(scenario, scenario.documentValue)
  }

  /// Whether a scan finds a secret in a part of a content that has been freed of the known ones.
  func holdsSecret(_ content: Data) -> Bool {
    var scanner = scanner
    let body = String(strictUTF8: content).map(ResponseBody.text) ?? .data(content)
    return scanner.findings(in: Self.scenario(with: body))
      .contains { !RedactionPlaceholders.isOne($0.redactedText) }
  }

  /// The bytes without the known values.
  func replaced(_ bytes: Data) -> Data { prepared.replaced(bytes) }

  private static func scenario(with body: ResponseBody) -> Scenario {
    Scenario(
      name: ScenarioName(unchecked: "content"),
      stubs: [Stub(key: "content", responses: [StubResponse(body: body)])])
  }

  /// Whether what was written before contains one of the values that are known by now, in any encoding.
  package func isFound(in written: Data) -> Bool {
    prepared.isFound(in: written, words: true)
  }
}
