import StubDBJSON
import StubDBModel
import StubDBSupport

extension BodyDifference {
  mutating func compare(path: String, _ operand: BodyPattern?, _ phrase: String) {
    guard let query = matching.values.operands.paths[path] else { return }
    switch body.selection(of: query) {
    case .value(let selection) where selection.values.isEmpty:
      add("body", phrase, "selects nothing" + (adviceOnFilter(in: path) ?? ""))
    case .value(let selection):
      if let operand { distance = self.distance(selection, operand) }
      let name = SensitiveName.isNamed(in: path) ? "secret" : ""
      let shown = selection.texts.prefix(3)
        .map { TextExcerpt.quoted(SecretDisplay.value($0, of: name)) }.joined(separator: ", ")
      let rest = selection.values.count - 3
      add("body", phrase, "selects " + shown + (rest > 0 ? " and \(rest) more" : ""))
    case .unknown(let reason):
      add("body", phrase, reason)
      saysWhy = true
    case .empty, .malformed: break
    }
  }

  /// What to write for a filter that stands on an object: by RFC 9535 it tests the members, by WireMock's dialect the
  /// object itself.
  private func adviceOnFilter(in path: String) -> String? {
    guard let filter = path.firstRange(of: "[?"), case .value(let json) = body.json,
      case .object? = values(of: path[..<filter.lowerBound], in: json).first
    else { return nil }
    let tested = path[..<filter.lowerBound]
    let reason =
      ": \(TextExcerpt.quoted(String(tested))) is an object, and a filter tests its members (RFC 9535)"
    guard let point = tested.lastIndex(of: "."), point > tested.startIndex else { return reason }
    let other = tested[..<point] + path[filter.lowerBound...]
    guard !values(of: other, in: json).isEmpty else { return reason }
    return reason + "; to test the object itself write \(TextExcerpt.quoted(String(other)))"
  }

  private func values(of path: Substring, in json: JSONValue) -> [JSONValue] {
    guard let query = try? JSONPath(String(path)) else { return [] }
    return body.context.visiting { query.values(in: json, visiting: &$0) } ?? []
  }

  private func distance(_ selection: JSONSelection, _ operand: BodyPattern) -> Double {
    if case .value(let pattern) = operand { return distances.between(selection.texts, pattern) }
    return selection.bodies.prefix(100)
      .map { BodyDifference(operand, $0, matching).distance }.min() ?? 1
  }

  mutating func compare(schema: JSONValue, version: String?) {
    let key = CompiledOperands.SchemaOperand(schema: schema, version: version)
    guard case .value(let value) = body.json, let compiled = matching.values.operands.schemas[key]
    else { return }
    guard
      let violations = body.context.visiting({ compiled.violations(in: value, checks: &$0) })
    else {
      add("body", "JSON that satisfies the schema", "(the schema takes too long to check)")
      saysWhy = true
      return
    }
    distance = min(1, Double(violations.count) / Double(JSONDifferences.leafCount(value)))
    for violation in violations.prefix(JSONDifferences.limit) {
      let actual =
        value.value(at: violation.pointer).map {
          JSONDifferences.text($0, at: violation.pointer)
        } ?? "absent"
      mismatches.append(
        Mismatch(
          part: "body", pointer: violation.pointer,
          expected: "\(violation.message) (schema \(violation.keyword))", actual: actual))
    }
  }
}
