internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel

/// Finds the secrets of scenarios, one scenario after another.
///
/// Examines every text of the document: names, URLs, header fields, cookies, patterns, JSON, texts, bodies in base64,
/// summaries. Facts about names are cached across scenarios.
package struct SecretScanner {
  private var prefilter = StubPrefilter()
  private var names = SensitiveNames()
  private var findings: [SecretFinding] = []
  private var position = DocumentPosition()
  private var scenario = ScenarioName(unchecked: "")

  package init() {}

  /// Finds the secrets of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - number: Its position in the catalog, from 1, which is printed if its name is a secret.
  /// - Returns: The secrets, in the order of the document.
  package mutating func findings(in scenario: Scenario, number: Int = 1) -> [SecretFinding] {
    self.scenario = scenario.name
    findings = []
    position = DocumentPosition(scenario, number: number)
    visit(scenario.headerValue, .none)
    for (index, stub) in scenario.stubs.enumerated() where prefilter.isSuspicious(stub) {
      position.enter(member: "stubs", 1)
      position.enter(element: index)
      visit(stub.documentValue, .none)
      position.leave()
      position.leave()
    }
    return findings
  }

  /// The secrets of a scenario that the one whose place it takes has not.
  ///
  /// - Returns: The secrets, in the order of the document.
  package mutating func findings(
    in scenario: Scenario, besides current: Scenario?
  ) -> [SecretFinding] {
    let found = findings(in: scenario)
    guard !found.isEmpty, let current else { return found }
    let known = Set(findings(in: current).map(\.secret))
    return found.filter { !known.contains($0.secret) }
  }

  private mutating func visit(
    _ value: JSONValue, _ meaning: SensitiveName, under key: String = ""
  ) {
    switch value {
    case .null, .bool, .number: return
    case .string(let text):
      if DocumentKeys.base64.contains(key) {
        note(base64: text)
      } else {
        note(text, meaning, isPattern: DocumentKeys.patterns.contains(key))
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        position.enter(element: index)
        visit(element, meaning, under: key == MultipartOperator.name ? key : "")
        position.leave()
      }
    case .object(let members):
      let isPart = key == MultipartOperator.name
      let named = isPart ? partMeaning(of: members) : selectedMeaning(of: members)
      visit(members, named ?? meaning, isPart: isPart)
    }
  }

  private mutating func visit(
    _ members: JSONObject, _ meaning: SensitiveName, isPart: Bool
  ) {
    let sorted = members.count < 2 ? Array(members.keys) : members.keys.sorted()
    for (index, name) in sorted.enumerated() {
      guard let value = members[name] else { continue }
      position.enter(member: name, index + 1)
      if name.utf8.count >= 16 { note(name, .none) }
      let inner =
        DocumentKeys.operators.contains(name) || name == "value" || isPart && name == "body"
        ? meaning : names.meaning(of: name)
      visit(value, inner, under: name)
      position.leave()
    }
  }

  /// What the query beside an operator says: a password for `{"expression": "$.password"}`.
  private mutating func selectedMeaning(of members: JSONObject) -> SensitiveName? {
    guard case .string(let query)? = members["expression"] else { return nil }
    for name in QueryNames.names(in: query) {
      let meaning = names.meaning(of: name)
      if meaning.mayBeSecret { return meaning }
    }
    return SensitiveName.none
  }

  /// What the name of a part says: a password for `{"name": "password", "body": …}` in `multipart`.
  private mutating func partMeaning(of members: JSONObject) -> SensitiveName? {
    guard case .string(let name)? = members["name"] else { return nil }
    return names.meaning(of: name)
  }

  private mutating func note(_ text: String, _ meaning: SensitiveName, isPattern: Bool = false) {
    var text = text
    append(text.withUTF8 { TextSecrets.find(in: $0, named: meaning, isPattern: isPattern) })
  }

  /// JSON content may have a member of that name too, so that the text itself counts as well.
  private mutating func note(base64: String) {
    var text = base64
    let bytes = Array(Base64.decoded(text.utf8) ?? Data())
    let found = bytes.withUnsafeBufferPointer { TextSecrets.find(inContent: $0) }
    append(
      found
        + text.withUTF8 { TextSecrets.find(in: $0) }.filter { secret in
          !found.contains { $0.text.contains(secret.text) }
        })
  }

  private mutating func append(_ secrets: [TextSecret]) {
    guard !secrets.isEmpty else { return }
    let (pointer, place) = (position.pointer, position.place())
    for secret in secrets {
      findings.append(
        SecretFinding(
          scenario: scenario, key: position.key, pointer: pointer, place: place, kind: secret.kind,
          secret: SecretText(secret.text)))
    }
  }
}
