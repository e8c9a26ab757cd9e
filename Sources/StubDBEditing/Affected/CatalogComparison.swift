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
  private var wholes: [InState: ScenarioChange] = [:]
  private var overlaps: [Candidates: OverlapIndex] = [:]
  private var meetings: [Meeting: [Stub]] = [:]

  /// A scenario in one of the states.
  private struct InState: Hashable {
    let scenario: String
    let isNew: Bool
  }

  /// The stubs of a scenario in one of the states, all or those that differ.
  struct Candidates: Hashable {
    let scenario: String
    let isNew: Bool
    let areAll: Bool
  }

  private struct Meeting: Hashable {
    let place: StubPlace
    let candidates: Candidates
  }

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

  /// The change that adds or removes all stubs of a scenario, which only one of the states loads.
  func wholeChange(of scenario: String, isNew: Bool) throws(CatalogError) -> ScenarioChange {
    let key = InState(scenario: scenario, isNew: isNew)
    if let known = wholes[key] { return known }
    let change = ScenarioChange(only: try state(isNew: isNew).stubs(of: scenario))
    wholes[key] = change
    return change
  }

  private func state(isNew: Bool) -> ComparedState { isNew ? new : old }

  /// The candidates that may take a request which a stub of the other state answers; kept, because many loads ask.
  func stubs(
    among candidates: Candidates, meeting stub: Stub, at place: StubPlace
  ) throws(CatalogError) -> [Stub] {
    let key = Meeting(place: place, candidates: candidates)
    if let known = meetings[key] { return known }
    let found = try overlaps(candidates).stubs(meeting: stub.request)
    meetings[key] = found
    return found
  }

  private func overlaps(_ candidates: Candidates) throws(CatalogError) -> OverlapIndex {
    if let known = overlaps[candidates] { return known }
    var stubs = try state(isNew: candidates.isNew).stubs(of: candidates.scenario).stubs
    if !candidates.areAll {
      let differing = try change(of: candidates.scenario)?.differing ?? []
      stubs = stubs.filter { differing.contains($0.key) }
    }
    let index = OverlapIndex(stubs)
    overlaps[candidates] = index
    return index
  }
}
