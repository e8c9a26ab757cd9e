import StubDBJSON
import StubDBModel

/// How the content of a request differs from a body pattern that it does not satisfy.
struct BodyDifference {
  /// From 0 to 1.
  var distance = 1.0
  /// Whether the mismatches say why it cannot be told.
  var saysWhy = false
  /// Never empty.
  var mismatches: [Mismatch] = []
  let body: PreparedBody
  let matching: BodyMatching

  init(_ pattern: BodyPattern, _ body: PreparedBody, _ matching: BodyMatching) {
    self.body = body
    self.matching = matching
    body.context.going(deep: body.isDeep) { compare(pattern) }
    if mismatches.isEmpty { add("body", pattern.phrase, text(for: pattern)) }
  }

  var distances: ValueDistance { ValueDistance(matching.values, body.context) }

  private mutating func compare(_ pattern: BodyPattern) {
    switch (pattern, body.json, body.text) {
    case (.equalToJSON(let expected, let ignoreOrder, let ignoreExtra), .value(let actual), _):
      let differences = JSONDifferences(
        expected, actual, ignoreArrayOrder: ignoreOrder, ignoreExtraElements: ignoreExtra,
        placeholders: placeholders)
      distance = differences.distance(of: expected)
      add(differences)
    case (.value(.equalTo(let expected, caseInsensitive: false)), _, .value(let actual)):
      distance = TextDistance.between(expected, actual)
      let texts = TextExcerpt.quoted(expected, actual)
      add("body", texts.expected, texts.actual)
    case (.value(let value), _, .value(let actual)):
      distance = distances.between([actual], value)
    case (.matchesJSONPath(let path, let operand), .value, _):
      compare(path: path, operand, pattern.phrase)
    case (.matchesJSONSchema(let schema, let version), _, .value):
      compare(schema: schema, version: version)
    case (.form(let fields), _, _): compare(fields)
    case (.multipart(let patterns), _, _): compare(patterns)
    case (.graphQL(let pattern), _, _):
      if case .value(let json) = body.graphQL { compare(pattern, json) }
    case (.equalToXML(let pattern), _, _): compare(pattern)
    case (.matchesXPath(let pattern), _, _): compare(pattern)
    case (.or(let patterns), _, _):
      distance =
        patterns.map { BodyDifference($0, body, matching).distance }.min() ?? 1
    default: break
    }
  }

  var placeholders: JSONPlaceholders {
    JSONPlaceholders(operands: matching.values.operands, context: body.context)
  }

  mutating func add(_ part: String, _ expected: String, _ actual: String) {
    mismatches.append(Mismatch(part: part, expected: expected, actual: actual))
  }

  mutating func add(_ differences: JSONDifferences, at place: [String] = []) {
    for difference in differences.listed {
      mismatches.append(
        Mismatch(
          part: "body", pointer: JSONPointer(place + difference.pointer.tokens),
          expected: difference.expected, actual: difference.actual))
    }
    let rest = differences.count - differences.listed.count
    guard rest > 0 else { return }
    add("body", "(\(rest) more \(rest == 1 ? "place" : "places"))", "(also different)")
  }

  private func text(for pattern: BodyPattern) -> String {
    switch (body.bytes, body.text) {
    case (.unknown(let reason), _): return "not visible: \(reason)"
    case (.value(let data), .malformed(let reason)):
      return "\(reason): \(data.count) bytes \(Phrase.hexadecimal(data))"
    case (.value(let data), .value(let text)):
      if case .binaryEqualTo = pattern {
        return "\(data.count) bytes \(Phrase.hexadecimal(data))"
      }
      if pattern.needsXML, case .malformed(let reason) = body.xml {
        return "\(reason); the body is \(TextExcerpt.quoted(text))"
      }
      guard pattern.needsJSON, case .malformed(let reason) = body.json else {
        return TextExcerpt.quoted(text)
      }
      return "\(reason); the body is \(TextExcerpt.quoted(text))"
    default:
      if case .graphQL = pattern, case .malformed(let reason) = body.graphQL { return reason }
      return "no body"
    }
  }
}

extension BodyPattern {
  /// Whether only JSON can satisfy the pattern.
  var needsJSON: Bool {
    switch self {
    case .equalToJSON, .matchesJSONPath, .matchesJSONSchema, .graphQL: true
    default: false
    }
  }

  /// Whether only XML can satisfy the pattern.
  var needsXML: Bool {
    switch self {
    case .equalToXML, .matchesXPath: true
    default: false
    }
  }
}
