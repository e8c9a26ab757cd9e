package import Foundation
internal import StubDBJSON
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

  private let rules: [RedactionRule]
  private var budget = RedactionBudget()
  private var redaction = Redaction()
  private var scanner = SecretScanner()
  private var prepared: PreparedRedaction

  /// Begins with rules and with values that are secrets wherever they are.
  package init(rules: [RedactionRule], known: [String]) {
    self.rules = rules
    for value in known { redaction.add(value) }
    prepared = PreparedRedaction(redaction, [:])
  }

  /// The number of values that are taken out so far.
  package var count: Int { redaction.secrets.count }

  /// The scenario without its secrets, and without those of the scenarios before.
  ///
  /// - Throws: ``Failure`` if a rule takes too long, if nothing valid would be left, or if a secret would stay.
  package mutating func redacted(_ scenario: Scenario) throws(Failure) -> Scenario {
    let short = try study(scenario)
    let prepared = short.isEmpty ? prepared : PreparedRedaction(redaction, [scenario.name: short])
    var scanner = scanner
    let result: Scenario
    do throws(DocumentError) {
      result =
        try prepared.redacted(scenario) { left in
          // What is only a placeholder by now is no secret.
          scanner.findings(in: left).filter { !Redaction.isPlaceholder($0.redactedText) }
        }?.scenario ?? scenario
    } catch {
      throw Failure(reason: "without its secrets it is not a valid document")
    }
    self.scanner = scanner
    guard prepared.remainder(in: result).isEmpty else {
      throw Failure(reason: "a secret in it has an encoding that cannot be rewritten")
    }
    return result
  }

  /// Collects the values of a scenario; returns the places of those that are too short to be replaced everywhere.
  private mutating func study(_ scenario: Scenario) throws(Failure) -> [JSONPointer: [String]] {
    var collector = SecretCollector(rules: rules, scenario, number: 1, budget)
    do throws(RedactionTimeout) {
      try collector.collect(from: scenario.documentValue)
    } catch {
      throw Failure(reason: "a rule of redaction takes too long on it")
    }
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
  package var needsWholeContent: Bool {
    rules.contains { rule in
      switch rule {
      case .jsonPath, .jsonPointer: true
      case .header, .query, .cookie, .regex: false
      }
    }
  }

  /// Collects the secrets of a part of a content.
  mutating func study(content body: ResponseBody) throws(Failure) {
    _ = try study(Self.scenario(with: body))
  }

  /// Whether a scan finds a secret in a part of a content that has been freed of the known ones.
  func holdsSecret(_ content: Data) -> Bool {
    var scanner = scanner
    let body = String(strictUTF8: content).map(ResponseBody.text) ?? .data(content)
    return scanner.findings(in: Self.scenario(with: body))
      .contains { !Redaction.isPlaceholder($0.redactedText) }
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
