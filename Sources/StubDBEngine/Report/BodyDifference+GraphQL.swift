import StubDBJSON
import StubDBModel

extension BodyDifference {
  mutating func compare(_ pattern: GraphQLPattern, _ json: JSONValue) {
    let comparison = GraphQLComparison(pattern, json, matching, body.context)
    guard comparison.isRequest else {
      add(
        "body", BodyPattern.graphQL(pattern).phrase,
        "not a GraphQL request: \(JSONDifferences.text(json))")
      return
    }
    distance = 0
    if comparison.operationNameMatches != true, let expected = pattern.operationName {
      add(
        "graphql operationName", expected.phrase,
        Phrase.actual(comparison.operationName.map { [$0] } ?? []))
      distance += 0.5
    }
    if comparison.queryMatches != true, let expected = pattern.query {
      compareQuery(expected, comparison.query)
    }
    if comparison.variablesMatch != true, let expected = pattern.variables {
      let differences = JSONDifferences(
        expected, comparison.variables, placeholders: placeholders)
      distance += 0.3 * differences.distance(of: expected)
      add(differences, at: ["variables"])
    }
    distance = min(1, distance)
  }

  private mutating func compareQuery(_ expected: String, _ actual: String?) {
    guard let tokens = matching.values.operands.queries[expected], let actual,
      let found = try? GraphQLTokens(actual)
    else {
      add(
        "graphql query", TextExcerpt.quoted(expected),
        actual.map { TextExcerpt.quoted($0) + " (not GraphQL)" } ?? "absent")
      distance += 0.5
      return
    }
    add("graphql query", tokens.excerpt(around: found), found.excerpt(around: tokens))
    distance += 0.5 * tokens.distance(to: found)
  }
}
