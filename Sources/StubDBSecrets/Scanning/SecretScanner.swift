internal import Foundation
package import StubDBModel

/// Finds the secrets of scenarios, one after the other.
///
/// Looks at every text of the document: names, URLs, header fields, cookies, patterns, JSON, texts,
/// bodies in base64, summaries. Keeps what it learned about names from one scenario to the next.
package struct SecretScanner {
  /// Operators and containers, which take over what the name around them says.
  private static let transparent: Set<String> = [
    "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "and", "or", "not",
    "hasExactly", "includes", "equalToJson", "binaryEqualTo", "value",
  ]
  /// Texts in base64 whose bytes are what is looked at.
  private static let encoded: Set<String> = ["base64", "binaryEqualTo"]

  private var prefilter = StubPrefilter()
  private var hints: [String: FieldHint] = [:]
  private var findings: [SecretFinding] = []
  private var scenario = ScenarioName(unchecked: "")
  private var key: String?
  private var place: [String] = []

  package init() {}

  /// The secrets of a scenario, in the order of its document.
  package mutating func findings(in scenario: Scenario) -> [SecretFinding] {
    self.scenario = scenario.name
    findings = []
    key = nil
    place = []
    visit(scenario.headerValue, .none)
    for (index, stub) in scenario.stubs.enumerated() where prefilter.isSuspicious(stub) {
      key = stub.key
      place = ["stubs", String(index)]
      visit(stub.documentValue, .none)
    }
    return findings
  }

  private mutating func visit(_ value: JSONValue, _ hint: FieldHint, isEncoded: Bool = false) {
    switch value {
    case .null, .bool, .number: return
    case .string(let text):
      if isEncoded {
        let bytes = Base64.decoded(text.utf8) ?? Data()
        note(Array(bytes), .none)
      } else {
        note(text, hint)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        place.append(String(index))
        visit(element, hint)
        place.removeLast()
      }
    case .object(let members):
      visit(members, hint)
    }
  }

  private mutating func visit(_ members: [String: JSONValue], _ hint: FieldHint) {
    let names = members.count < 2 ? Array(members.keys) : members.keys.sorted()
    for name in names {
      guard let value = members[name] else { continue }
      place.append(name)
      if name.utf8.count >= 16 { note(name, .none) }
      let inner = Self.transparent.contains(name) ? hint : self.hint(name)
      visit(value, inner, isEncoded: Self.encoded.contains(name))
      place.removeLast()
    }
  }

  private mutating func hint(_ name: String) -> FieldHint {
    if let hint = hints[name] { return hint }
    let hint = FieldHint(name: name.utf8)
    // Names may come from anywhere; what is kept has an end.
    if hints.count > 10_000 { hints = [:] }
    hints[name] = hint
    return hint
  }

  private mutating func note(_ text: String, _ hint: FieldHint) {
    guard text.utf8.count >= 8 else { return }
    var text = text
    let found = text.withUTF8 { Self.secrets(in: $0, hint) }
    append(found)
    // A form, a query or a `Location` may have another URL in it.
    if found.isEmpty, text.utf8.contains(UInt8(ascii: "%")),
      var decoded = text.removingPercentEncoding, decoded != text
    {
      append(decoded.withUTF8 { Self.secrets(in: $0, hint) })
    }
  }

  private mutating func note(_ bytes: [UInt8], _ hint: FieldHint) {
    append(bytes.withUnsafeBufferPointer { Self.secrets(in: $0, hint) })
  }

  private mutating func append(_ secrets: [(kind: SecretKind, text: String)]) {
    for secret in secrets {
      findings.append(
        SecretFinding(
          scenario: scenario, key: key, pointer: JSONPointer(place), kind: secret.kind,
          secret: SecretText(secret.text)))
    }
  }

  /// The secrets in a text; the text itself where its name says so and nothing in it is one.
  private static func secrets(
    in bytes: UnsafeBufferPointer<UInt8>, _ hint: FieldHint
  ) -> [(kind: SecretKind, text: String)] {
    let matches = SecretDetector.matches(in: bytes)
    if matches.isEmpty, hint != .none, let kind = hint.kind(of: bytes) {
      return [(kind, String(decoding: bytes, as: UTF8.self))]
    }
    return matches.map { match in
      let bytes = UnsafeBufferPointer(rebasing: bytes[match.range])
      return (match.kind, String(decoding: bytes, as: UTF8.self))
    }
  }
}
