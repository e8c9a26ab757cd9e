package import StubDBCatalogEditing
package import StubDBModel

/// Finds stubs that never answer because of a change.
package enum HiddenStubs {
  /// The stubs that another one hides since the change, besides those with the keys.
  package static func problems(
    in scenario: Scenario, before: Scenario? = nil, besides keys: Set<Stub.Key> = []
  ) -> [CheckProblem] {
    let problems = ScenarioProblems.shadowed(in: scenario)
    if problems.isEmpty { return [] }
    let known = Set((before.map(ScenarioProblems.shadowed) ?? []).compactMap(\.key))
      .union(keys.map(\.rawValue))
    return problems.filter { problem in problem.key.map { !known.contains($0) } ?? false }
  }
}
