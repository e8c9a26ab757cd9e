import StubDBModel

/// How the content of a request differs from a body pattern that it does not satisfy.
struct BodyDifference {
  /// From 0 to 1.
  private(set) var distance = 1.0
  /// Never empty.
  var mismatches: [Mismatch]

  init(_ pattern: BodyPattern, _ body: PreparedBody) {
    mismatches = []
    switch (pattern, body.json, body.text) {
    case (.equalToJSON(let expected, let ignoreOrder, let ignoreExtra), .value(let actual), _):
      addDifferences(
        JSONDifferences(
          expected, actual, ignoreArrayOrder: ignoreOrder, ignoreExtraElements: ignoreExtra),
        of: JSONDifferences.leafCount(expected))
    case (.equalToJSON, .malformed(let reason), .value(let text)):
      mismatches = [
        Mismatch(
          part: "body", expected: pattern.phrase,
          actual: "\(reason); the body is \(TextExcerpt.quoted(text))")
      ]
    case (.value(.equalTo(let expected, caseInsensitive: false)), _, .value(let actual)):
      distance = TextDistance.between(expected, actual)
      let texts = TextExcerpt.quoted(expected, actual)
      mismatches = [Mismatch(part: "body", expected: texts.expected, actual: texts.actual)]
    default:
      break
    }
    if mismatches.isEmpty {
      mismatches = [
        Mismatch(part: "body", expected: pattern.phrase, actual: Self.text(body, for: pattern))
      ]
    }
  }

  private mutating func addDifferences(_ differences: JSONDifferences, of leafCount: Int) {
    distance = Double(differences.count) / Double(max(leafCount, differences.count))
    mismatches = differences.listed.map { difference in
      Mismatch(
        part: "body", pointer: difference.pointer, expected: difference.expected,
        actual: difference.actual)
    }
    let rest = differences.count - differences.listed.count
    guard rest > 0 else { return }
    mismatches.append(
      Mismatch(
        part: "body", expected: "(\(rest) more \(rest == 1 ? "place" : "places"))",
        actual: "(also different)"))
  }

  private static func text(_ body: PreparedBody, for pattern: BodyPattern) -> String {
    switch (body.content, body.text) {
    case (.unknown(let reason), _): return "not visible: \(reason)"
    case (.bytes(let data), .malformed(let reason)):
      return "\(reason): \(data.count) bytes \(Phrase.hexadecimal(data))"
    case (.bytes(let data), .value(let text)):
      if case .binaryEqualTo = pattern {
        return "\(data.count) bytes \(Phrase.hexadecimal(data))"
      }
      return TextExcerpt.quoted(text)
    default: return "no body"
    }
  }
}
