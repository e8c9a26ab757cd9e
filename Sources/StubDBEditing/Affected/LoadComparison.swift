internal import StubDBCatalog
internal import StubDBContainment
internal import StubDBModel
internal import StubDBPlayback

/// How what a load resolves to differs between two states of a catalog.
final class LoadComparison {
  /// How many reasons of a kind a stub gets: enough to see why, where a change touches thousands of stubs.
  private static let maximumCount = 20

  private enum Outcome {
    case same
    case failure(String)
    case lists(old: ResolvedLoad, new: ResolvedLoad)
  }

  /// One of the two lists, with the stubs that it has.
  private struct Side {
    let list: ResolvedLoad
    let state: ComparedState

    func places(of stub: Found) throws(CatalogError) -> (
      first: ResolvedLoad.Place, last: ResolvedLoad.Place
    )? {
      guard let index = try state.stubs(of: stub.scenario).indexes[stub.stub.key] else {
        return nil
      }
      return list.places(of: stub.scenario, priority: stub.stub.priority, index: index)
    }
  }

  private struct Found {
    let scenario: String
    let stub: Stub
  }

  private let load: ScenarioLoad
  private let comparison: CatalogComparison
  private let outcome: Outcome
  /// The differences of the scenarios that differ.
  private let changes: [String: ScenarioChange]
  /// The scenarios of both lists whose stubs may have another place among the others.
  private let moved: Set<String>
  /// The scenarios that changed or moved, sorted.
  private let touched: [String]
  /// The stubs that have to answer in one of the states, and differ.
  private let required: [AffectedReason]
  /// What may take the requests of stubs, by the state in which these answered.
  private var earlier: [Bool: [StubPlace: [AffectedReason]]] = [:]

  init(_ load: ScenarioLoad, in comparison: CatalogComparison) throws(CatalogError) {
    (self.load, self.comparison) = (load, comparison)
    let (old, new) = (Self.resolved(load, comparison.old), Self.resolved(load, comparison.new))
    guard case .success(let old) = old, case .success(let new) = new else {
      (changes, moved, touched, required) = ([:], [], [], [])
      outcome = Self.failure(old, new)
      return
    }
    var changes: [String: ScenarioChange] = [:]
    for scenario in old.scenarios.union(new.scenarios) {
      if !new.scenarios.contains(scenario) {
        changes[scenario] = try comparison.wholeChange(of: scenario, isNew: false)
      } else if !old.scenarios.contains(scenario) {
        changes[scenario] = try comparison.wholeChange(of: scenario, isNew: true)
      } else {
        changes[scenario] = try comparison.change(of: scenario)
      }
    }
    let moved = Self.moved(old, new).union(changes.filter { $1.isReordered }.keys)
    (self.changes, self.moved) = (changes, moved)
    touched = moved.union(changes.keys).sorted()
    required = Self.required(changes)
    if changes.isEmpty && moved.isEmpty {
      outcome = .same
      return
    }
    for scenario in changes.keys.sorted() {
      let isPlayable = (
        try comparison.old.isPlayable(scenario), try comparison.new.isPlayable(scenario)
      )
      guard isPlayable != (true, true) else { continue }
      let isBoth = isPlayable == (false, false)
      outcome = isBoth ? .same : .failure("\(scenario) has a stub that cannot be played")
      return
    }
    outcome = .lists(old: old, new: new)
  }

  private static func resolved(
    _ load: ScenarioLoad, _ state: ComparedState
  ) -> Result<ResolvedLoad, CatalogError> {
    Result { () throws(CatalogError) in try state.resolved(load) }
  }

  /// What it means that a load fails in one state, or in both, where the test fails.
  private static func failure(
    _ old: Result<ResolvedLoad, CatalogError>, _ new: Result<ResolvedLoad, CatalogError>
  ) -> Outcome {
    switch (old, new) {
    case (.success, .failure(let error)): .failure(error.description)
    // The message would name a temporary file.
    case (.failure, .success): .failure("could not be loaded before, and can be now")
    default: .same
    }
  }

  private static func moved(_ old: ResolvedLoad, _ new: ResolvedLoad) -> Set<String> {
    let both = old.scenarios.intersection(new.scenarios)
    let inOld = Set(old.parts)
    let common = new.parts.filter(inOld.contains)
    let inCommon = Set(common)
    if common != old.parts.filter(inCommon.contains) { return both }
    return both.filter { old.layers(of: $0) != new.layers(of: $0) }
  }

  /// Whether nothing differs that a test could notice.
  var isSame: Bool {
    if case .same = outcome { true } else { false }
  }

  /// Whether a line of the ledger is of one of the two states, so that it says what answers there.
  func knows(_ entry: LedgerEntry) -> Bool {
    switch outcome {
    case .same, .failure: true
    case .lists(let old, let new): entry.resolved == old.digest || entry.resolved == new.digest
    }
  }

  /// Why a run of the ledger may have another result in the other state; empty if it cannot have.
  func reasons(of entry: LedgerEntry) throws(CatalogError) -> [AffectedReason] {
    switch outcome {
    case .same: return []
    case .failure(let message):
      return [AffectedReason(kind: .load, scenario: load.scenario, key: nil, text: message)]
    case .lists(let old, let new):
      guard knows(entry) else { return changed(.stale, "changed; the ledger is older") }
      guard !entry.demands.contains(.allStubs) else {
        return changed(.all, "changed; the test depends on all stubs")
      }
      let (own, other) = (
        Side(list: old, state: comparison.old), Side(list: new, state: comparison.new)
      )
      let isNew = entry.resolved == new.digest
      return try reasons(entry, isNew ? (other, own) : (own, other), isNew: isNew)
    }
  }

  /// All scenarios that changed.
  private func changed(_ kind: AffectedReason.Kind, _ text: String) -> [AffectedReason] {
    touched.map {
      AffectedReason(kind: kind, scenario: $0, key: nil, text: text)
    }
  }

  private func reasons(
    _ entry: LedgerEntry, _ sides: (before: Side, after: Side), isNew: Bool
  ) throws(CatalogError) -> [AffectedReason] {
    var reasons = required
    for use in entry.used {
      let (before, after) = (
        try sides.before.state.stubs(of: use.scenario),
        try sides.after.state.stubs(of: use.scenario)
      )
      for text in use.keys {
        let key = Stub.Key(unchecked: text)
        // A stub that the test itself laid on top is in neither state.
        guard sides.before.list.scenarios.contains(use.scenario), let stub = before[key] else {
          continue
        }
        if changes[use.scenario]?.differing.contains(key) == true
          || !sides.after.list.scenarios.contains(use.scenario)
        {
          reasons.append(answered(use.scenario, text, isLeft: after[key] != nil, isNew: isNew))
          continue
        }
        reasons += try earlier(Found(scenario: use.scenario, stub: stub), sides, isNew: isNew)
      }
    }
    return reasons
  }

  private func answered(
    _ scenario: String, _ key: String, isLeft: Bool, isNew: Bool
  ) -> AffectedReason {
    if isLeft {
      return AffectedReason(kind: .changed, scenario: scenario, key: key, text: "changed")
    }
    return isNew
      ? AffectedReason(kind: .changed, scenario: scenario, key: key, text: "was added")
      : AffectedReason(kind: .removed, scenario: scenario, key: key, text: "was removed")
  }

  private static func required(_ changes: [String: ScenarioChange]) -> [AffectedReason] {
    let all = changes.sorted { $0.key < $1.key }.lazy.flatMap { scenario, change in
      change.required.lazy.map { key in
        AffectedReason(
          kind: .required, scenario: scenario, key: key.rawValue, text: "is required, and changed")
      }
    }
    return Array(all.prefix(maximumCount))
  }

  /// What may take a request that a stub answered before, and did not come before it.
  private func earlier(
    _ stub: Found, _ sides: (before: Side, after: Side), isNew: Bool
  ) throws(CatalogError) -> [AffectedReason] {
    let place = StubPlace(scenario: stub.scenario, key: stub.stub.key.rawValue)
    if let known = earlier[isNew]?[place] { return known }
    var reasons: [AffectedReason] = []
    // Where the stub itself comes later than before, all others may answer instead.
    let isMoved = moved.contains(stub.scenario)
    let scenarios = isMoved ? sides.after.list.scenarios.sorted() : touched
    for scenario in scenarios where sides.after.list.scenarios.contains(scenario) {
      let isOnBothSides = sides.before.list.scenarios.contains(scenario)
      let candidates = CatalogComparison.Candidates(
        scenario: scenario, isNew: !isNew,
        areAll: isMoved || moved.contains(scenario) || !isOnBothSides)
      let differing = changes[scenario]?.differing ?? []
      for other in try comparison.stubs(among: candidates, meeting: stub.stub, at: place) {
        guard reasons.count < Self.maximumCount else { break }
        let found = Found(scenario: scenario, stub: other)
        guard
          try comesEarlier(found, than: stub, sides, isNewcomer: differing.contains(other.key))
        else { continue }
        reasons.append(
          AffectedReason(
            kind: .earlier, scenario: scenario, key: other.key.rawValue,
            text: "may answer instead of \(stub.scenario) \(stub.stub.key)"))
      }
    }
    earlier[isNew, default: [:]][place] = reasons
    return reasons
  }

  /// Whether a stub comes before another one in the second list, and did not in the first one.
  private func comesEarlier(
    _ stub: Found, than other: Found, _ sides: (before: Side, after: Side), isNewcomer: Bool
  ) throws(CatalogError) -> Bool {
    guard stub.scenario != other.scenario || stub.stub.key != other.stub.key,
      let own = try sides.after.places(of: stub), let others = try sides.after.places(of: other)
    else { return false }
    // What names `HEAD` answers it before all that name only `GET`, wherever it comes.
    let isAhead =
      own.first < others.last
      || isNewcomer && stub.stub.request.namesHead && !other.stub.request.namesHead
    guard isAhead, !isNewcomer, let before = try sides.before.places(of: stub),
      let othersBefore = try sides.before.places(of: other)
    else { return isAhead }
    return before.last >= othersBefore.first
  }
}
