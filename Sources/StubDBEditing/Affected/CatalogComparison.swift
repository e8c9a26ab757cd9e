internal import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBModel

/// What differs between two states of a catalog, for what tests load.
///
/// The cost is that of two lists of scenarios, and of reading those that changed with what loads them.
final class CatalogComparison {
  let old: ComparedState
  let new: ComparedState
  /// The scenarios that changed, or include one that did, or one of another catalog.
  private let touched: Set<String>
  private var comparisons: [ScenarioLoad: LoadComparison] = [:]
  private var changes: [String: ScenarioChange] = [:]

  init(from old: ComparedState, to new: ComparedState) {
    (self.old, self.new) = (old, new)
    touched = Self.touched(old, new)
  }

  private static func touched(_ old: ComparedState, _ new: ComparedState) -> Set<String> {
    var includers: [String: [String]] = [:]
    var rest: [String] = Array(old.conflicts.union(new.conflicts))
    for (name, one) in old.summaries {
      let other = new.summaries[name]
      if other?.stubsDigest != one.stubsDigest || other?.includes != one.includes {
        rest.append(name)
      }
    }
    for (name, _) in new.summaries where old.summaries[name] == nil { rest.append(name) }
    for summaries in [old.summaries, new.summaries] {
      for (name, summary) in summaries {
        for include in summary.includes {
          if let own = include.ownName {
            includers[own.rawValue, default: []].append(name)
          } else {
            rest.append(name)
          }
        }
      }
    }
    var touched: Set<String> = []
    while let name = rest.popLast() {
      if touched.insert(name).inserted { rest += includers[name] ?? [] }
    }
    return touched
  }

  /// The comparison of what a load resolves to; nil if nothing differs.
  func comparison(of load: ScenarioLoad) throws(CatalogError) -> LoadComparison? {
    guard load.names.contains(where: touched.contains) else { return nil }
    let comparison: LoadComparison
    if let known = comparisons[load] {
      comparison = known
    } else {
      comparison = try LoadComparison(load, in: self)
      comparisons[load] = comparison
    }
    return comparison.isSame ? nil : comparison
  }

  /// How the stubs of a scenario differ; nil if they do not.
  func change(of scenario: String) throws(CatalogError) -> ScenarioChange? {
    if let known = changes[scenario] { return known.isEmpty ? nil : known }
    guard try old.digest(of: scenario) != new.digest(of: scenario) else { return nil }
    let change = ScenarioChange(
      try old.stubs(of: scenario), try new.stubs(of: scenario))
    changes[scenario] = change
    return change.isEmpty ? nil : change
  }
}
