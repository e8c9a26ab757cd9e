import StubDBJSON
import StubDBModel

extension GraphQLPattern: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try GraphQL(self, &compiler)
  }
}

/// The operator `graphql`.
///
/// https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
struct GraphQL: CompiledBody {
  private let operation: GraphQLPattern
  private let operationName: (any CompiledValue)?
  private let variables: ExpectedJSON?
  private let query: GraphQLTokens?

  init(_ operation: GraphQLPattern, _ compiler: inout PatternCompiler) throws(CompileError) {
    self.operation = operation
    (operationName, variables, query) = try compiler.placed("graphql") {
      (compiler) throws(CompileError) in
      var operationName: (any CompiledValue)?
      if let pattern = operation.operationName {
        operationName = try compiler.placed("operationName") { (compiler) throws(CompileError) in
          try compiler.value(pattern)
        }
      }
      var variables: ExpectedJSON?
      if let value = operation.variables {
        variables = try compiler.placed("variables") { (compiler) throws(CompileError) in
          try compiler.json(value == .null ? .object([:]) : value)
        }
      }
      var query: GraphQLTokens?
      if let text = operation.query {
        query = try compiler.placed("query") { (compiler) throws(CompileError) in
          try compiler.cache.tokens(text)
        }
      }
      return (operationName, variables, query)
    }
  }

  var pattern: BodyPattern { .graphQL(operation) }
  var form: PreparedBody.FormKind { .graphQL }
  var asksForCaptured: Bool { operationName?.asksForCaptured ?? false }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    body.graphQL.decided { json in
      guard case .object(let members) = json, Self.isRequest(members) else {
        report?.add(
          Mismatch.Part(.body), pattern.phrase,
          "not a GraphQL request: \(JSONDifferences.text(json))")
        return false
      }
      report?.distance = 0
      let verdicts = [
        { compareName(members, scope, report) }, { compareQuery(body, members, report) },
        { compareVariables(members, scope, report) },
      ]
      defer { report?.distance = min(1, report?.distance ?? 0) }
      guard report != nil else { return Verdict.all(verdicts) { $0() } }
      return Verdict.all(verdicts.map { $0() }) { $0 }
    }
  }

  /// Whether an object holds a query, or names an operation that the server knows.
  private static func isRequest(_ members: JSONObject) -> Bool {
    ["query", "operationName", "extensions"].contains { members[$0] != nil }
  }

  private func compareName(
    _ members: JSONObject, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    guard let operationName, let expected = operation.operationName else { return true }
    let actual: String? = if case .string(let name) = members["operationName"] { name } else { nil }
    let verdict = operationName.matches(actual, scope)
    if let report, verdict != true {
      report.add(
        Mismatch.Part(.graphQL, "operationName"), expected.phrase,
        ReportPhrase.actual(actual.map { [$0] } ?? []))
      report.distance += 0.5
    }
    return verdict
  }

  private func compareQuery(
    _ body: PreparedBody, _ members: JSONObject, _ report: BodyReport?
  ) -> Bool? {
    guard let query, let expected = operation.query else { return true }
    if case .unknown(let reason) = body.graphQLTokens {
      report?.addReason(reason, TextExcerpt.quoted(expected))
      report?.distance += 0.5
      return nil
    }
    guard case .value(let actual) = body.graphQLTokens else {
      if let report {
        var shown = "absent"
        if case .string(let text) = members["query"] {
          shown = TextExcerpt.quoted(text) + " (not GraphQL)"
        }
        report.add(Mismatch.Part(.graphQL, "query"), TextExcerpt.quoted(expected), shown)
        report.distance += 0.5
      }
      return false
    }
    let isEqual = query == actual
    if let report, !isEqual {
      report.add(
        Mismatch.Part(.graphQL, "query"), query.excerpt(around: actual),
        actual.excerpt(around: query))
      report.distance += 0.5 * query.distance(to: actual)
    }
    return isEqual
  }

  /// Compares the variables; missing variables count as an empty object.
  private func compareVariables(
    _ members: JSONObject, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    guard let variables else { return true }
    let actual =
      switch members["variables"] {
      case nil, .null: JSONValue.object([:])
      case let variables?: variables
      }
    var comparison = JSONComparison(reports: report != nil, scope.context)
    let verdict = comparison.verdict(variables, actual)
    if let report, let differences = comparison.differences, verdict != true {
      report.distance += 0.3 * differences.distance(of: variables.written)
      report.add(differences, at: ["variables"])
    }
    return verdict
  }

  var facets: [StubFacet] {
    let members = variables.map { EqualToJSON.members(of: $0, at: ["variables"]) } ?? []
    return members + (operationName?.literal == nil ? [] : [.operation])
  }

  func key(for facet: StubFacet) -> String? {
    switch facet {
    case .operation: return operationName?.literal
    case .member(let path):
      guard path.first == "variables", let variables else { return nil }
      return EqualToJSON.key(of: variables, at: path.dropFirst())
    default: return nil
    }
  }
}
