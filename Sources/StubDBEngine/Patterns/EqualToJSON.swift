import StubDBJSON
import StubDBModel
import StubDBSupport

extension EqualToJSONOperator: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try EqualToJSON(self, &compiler)
  }
}

/// The operator `equalToJson`.
struct EqualToJSON: CompiledBody {
  /// How deep the members of a value are looked at for the index, and how many of them.
  private static let indexed = (depth: 6, count: 64)

  private let operation: EqualToJSONOperator
  private let expected: ExpectedJSON

  init(
    _ operation: EqualToJSONOperator, _ compiler: inout PatternCompiler
  ) throws(CompileError) {
    self.operation = operation
    expected = try compiler.placed("equalToJson") { (compiler) throws(CompileError) in
      try Self.checkText(operation.value)
      return try compiler.json(operation.value)
    }
  }

  var pattern: BodyPattern { BodyPattern(operation) }

  /// Refuses a text that is an object or array itself, as WireMock's stubs write it: it would only match a JSON string.
  private static func checkText(_ value: JSONValue) throws(CompileError) {
    guard case .string(let text) = value, let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let inner = try? JSONValue(parsing: text)
    else { return }
    throw CompileError(
      code: .invalidPattern,
      reason: "a text that is JSON itself matches only a body that is this string; write "
        + "\"equalToJson\": \(TextExcerpt.plain(inner.canonicalText)), or for the string "
        + "\"matchesJsonPath\": {\"expression\": \"$\", \"equalTo\": …}")
  }

  var form: PreparedBody.FormKind { .json }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    body.json.decided { actual in
      var comparison = JSONComparison(
        ignoreArrayOrder: operation.ignoreArrayOrder,
        ignoreExtraElements: operation.ignoreExtraElements,
        reports: report != nil, scope.context)
      let verdict = comparison.verdict(expected, actual)
      if let report, let differences = comparison.differences, verdict != true {
        report.distance = differences.distance(of: operation.value)
        report.add(differences)
      }
      return verdict
    }
  }

  var facets: [StubFacet] {
    let members = Self.members(of: expected, at: [])
    return operation.ignoreExtraElements ? members : members + [.json]
  }

  func key(for facet: StubFacet) -> String? {
    switch facet {
    case .member(let path): Self.key(of: expected, at: path[...])
    case .json:
      operation.ignoreExtraElements
        ? nil : expected.plainValue.map { String(JSONComparison.fingerprint($0)) }
    default: nil
    }
  }
}

extension EqualToJSON {
  /// The scalars that lie in objects only, whose places the order and extra elements of arrays do not change.
  static func members(of value: ExpectedJSON, at path: [String]) -> [StubFacet] {
    guard path.count < indexed.depth else { return [] }
    let found: [StubFacet]
    switch value {
    case .plain(.object(let members)):
      found = members.flatMap { Self.facets(of: .plain($0.value), at: path + [$0.key]) }
    case .object(let members):
      found = members.flatMap { Self.facets(of: $0.value, at: path + [$0.key.string]) }
    default: return []
    }
    return Array(found.prefix(indexed.count))
  }

  private static func facets(of value: ExpectedJSON, at path: [String]) -> [StubFacet] {
    switch value {
    case .plain(.object), .object: members(of: value, at: path)
    case .plain(let scalar): scalarKey(scalar) == nil ? [] : [.member(path)]
    default: []
    }
  }

  /// The key of the scalar at a place; nil if there is none without placeholders.
  static func key(of value: ExpectedJSON, at path: ArraySlice<String>) -> String? {
    guard let name = path.first else { return value.plainValue.flatMap(scalarKey) }
    switch value {
    case .plain(.object(let members)):
      return members[name].flatMap { key(of: .plain($0), at: path.dropFirst()) }
    case .object(let members):
      return members[ByteText(name)].flatMap { key(of: $0, at: path.dropFirst()) }
    default: return nil
    }
  }

  /// A text that is the same for scalars that are equal; nil for arrays and objects.
  static func scalarKey(_ value: JSONValue) -> String? {
    switch value {
    case .null: "null"
    case .bool(let value): String(value)
    // Zero has two signs.
    case .number(let number): String(number.doubleValue + 0)
    case .string(let text): "\"" + text
    case .array, .object: nil
    }
  }
}
