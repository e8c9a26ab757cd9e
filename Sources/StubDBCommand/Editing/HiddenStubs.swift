import StubDBCatalog
import StubDBModel

/// Finds stubs that never answer because of a change.
enum HiddenStubs {
  /// A line for each stub that another one hides since the change.
  static func notes(on scenario: Scenario, before: Scenario? = nil, besides key: String? = nil)
    -> [String]
  {
    let problems = ScenarioProblems.shadowed(in: scenario)
    if problems.isEmpty { return [] }
    let known = Set(before.map(ScenarioProblems.shadowed)?.compactMap(\.key) ?? []).union(
      key.map { [$0] } ?? [])
    return problems.compactMap { problem in
      guard let key = problem.key, !known.contains(key) else { return nil }
      return "Stub \(Printable.line(key)) of \(scenario.name): \(Printable.line(problem.problem))."
    }
  }
}
