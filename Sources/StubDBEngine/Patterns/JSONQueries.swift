import StubDBJSON
import StubDBModel

extension JSONPathOperator: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try MatchesJSONPath(self, &compiler)
  }
}

/// The operator `matchesJsonPath`.
struct MatchesJSONPath: CompiledBody {
  private let operation: JSONPathOperator
  private let path: CompiledQuery<JSONPath>
  /// What something that is selected satisfies; nil if it is enough that something is.
  private let operand: (any CompiledBody)?

  init(_ operation: JSONPathOperator, _ compiler: inout PatternCompiler) throws(CompileError) {
    self.operation = operation
    let text = operation.query
    (path, operand) = try compiler.placed("matchesJsonPath") {
      (compiler) throws(CompileError) in
      guard let operand = operation.pattern else { return (try compiler.cache.path(text), nil) }
      // A path with an operator is written as an object with `expression`.
      let path = try compiler.placed("expression") { (compiler) throws(CompileError) in
        try compiler.cache.path(text)
      }
      return (path, try compiler.body(operand))
    }
  }

  var pattern: BodyPattern { BodyPattern(operation) }
  var form: PreparedBody.FormKind { .json }
  var asksForCaptured: Bool { operand?.asksForCaptured ?? false }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    let selection = body.selection(of: path)
    let verdict = selection.decided { matches($0, scope) }
    if let report, verdict != true, case .value = body.json {
      explain(selection, body, scope, report)
    }
    return verdict
  }

  private func matches(_ selection: JSONSelection, _ scope: MatchScope) -> Bool? {
    guard let operand else { return !selection.values.isEmpty }
    if let text = operand as? BodyText {
      return text.value.matches(FieldValues(selection.texts), scope)
    }
    let inside = Verdict.any(selection.bodies) { operand.verdict($0, scope) }
    if inside == true { return true }
    let embedded = Verdict.any(selection.embedded) { operand.verdict($0, scope) }
    guard operand is EqualToJSON, selection.values.count > 1 else {
      return Verdict.either(inside, embedded)
    }
    return Verdict.either(
      Verdict.either(inside, embedded), operand.verdict(selection.list, scope))
  }

  private func explain(
    _ selection: PreparedBody.Form<JSONSelection>, _ body: PreparedBody, _ scope: MatchScope,
    _ report: BodyReport
  ) {
    switch selection {
    case .value(let selection) where selection.values.isEmpty:
      report.add(
        Mismatch.Part(.body), pattern.phrase, "selects nothing" + (adviceOnFilter(body) ?? ""))
    case .value(let selection):
      if let operand { report.distance = distance(selection, operand, scope) }
      report.addSelection(selection.texts, by: path.query.description, pattern.phrase)
    case .unknown(let reason): report.addReason(reason, pattern.phrase)
    case .empty, .malformed: break
    }
  }

  private func distance(
    _ selection: JSONSelection, _ operand: any CompiledBody, _ scope: MatchScope
  ) -> Double {
    if let text = operand as? BodyText { return text.value.distance(selection.texts, scope) }
    return selection.bodies.prefix(100).map { operand.distance($0, scope) }.min() ?? 1
  }

  private func adviceOnFilter(_ body: PreparedBody) -> String? {
    guard case .value(let json) = body.json else { return nil }
    return FilterAdvice.advice(on: operation.query) { values(of: $0, in: json, body) }
      .map { ": " + $0 }
  }

  private func values(
    of path: String, in json: JSONValue, _ body: PreparedBody
  ) -> [JSONValue] {
    guard let query = try? JSONPath(path) else { return [] }
    return body.context.visiting { query.values(in: json, visiting: &$0) } ?? []
  }

  var facets: [StubFacet] { literal == nil ? [] : [.path(path)] }

  func key(for facet: StubFacet) -> String? { facet == .path(path) ? literal : nil }

  /// The only text that satisfies the operand; nil also for the text of an array or an object, which the index does not have.
  private var literal: String? {
    guard let text = (operand as? BodyText)?.value.literal,
      text.utf8.first != UInt8(ascii: "["), text.utf8.first != UInt8(ascii: "{")
    else { return nil }
    return text
  }
}

extension JSONSchemaOperator: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try MatchesJSONSchema(self, &compiler)
  }
}

/// The operator `matchesJsonSchema`.
struct MatchesJSONSchema: CompiledBody {
  private let operation: JSONSchemaOperator
  private let schema: JSONSchema

  init(_ operation: JSONSchemaOperator, _ compiler: inout PatternCompiler) throws(CompileError) {
    self.operation = operation
    schema = try compiler.placed("matchesJsonSchema") { (compiler) throws(CompileError) in
      try compiler.cache.schema(operation.schema, dialect: operation.dialect?.kind)
    }
  }

  var pattern: BodyPattern { BodyPattern(operation) }
  var form: PreparedBody.FormKind { .json }

  /// Content that is not JSON is checked as a string, as WireMock does.
  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    let value: JSONValue
    switch (body.json, body.text) {
    case (.value(let json), _): value = json
    case (.malformed, .value(let text)): value = .string(text)
    case (.empty, _), (.malformed, _): return false
    case (.unknown, _): return nil
    }
    let violations = scope.context.visiting { schema.violations(in: value, checks: &$0) }
    if let report, case .value = body.json { explain(violations, value, report) }
    return violations.map(\.isEmpty)
  }

  private func explain(
    _ violations: [JSONSchemaViolation]?, _ value: JSONValue, _ report: BodyReport
  ) {
    guard let violations else {
      report.addReason(
        "(the schema takes too long to check)", "JSON that satisfies the schema")
      return
    }
    report.distance = min(1, Double(violations.count) / Double(JSONDifferences.leafCount(value)))
    for violation in violations.prefix(JSONDifferences.limit) {
      let actual =
        value.value(at: violation.pointer).map {
          JSONDifferences.text($0, at: violation.pointer)
        } ?? "absent"
      report.add(
        Mismatch(
          part: Mismatch.Part(.body), pointer: violation.pointer,
          expected: "\(violation.message) (schema \(violation.keyword))", actual: actual))
    }
  }
}
