package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBDescriptions
internal import StubDBJSON
internal import StubDBJobs
package import StubDBModel

/// Changes many stubs of a catalog in one edit.
package struct CatalogRewrite {
  /// What is changed.
  package enum Change: Sendable {
    case values(ValueRewrite, RewriteQuery)
    case host(HostRewrite)
  }

  /// What a change makes of a catalog.
  package struct Plan {
    /// The scenarios with the stubs that change, and with no others, before and after; ordered by name.
    package fileprivate(set) var changes: [(before: Scenario, after: Scenario)] = []
    package fileprivate(set) var left: [LeftPlace] = []
    /// What the scenarios include that is not selected.
    package fileprivate(set) var outside: [ScenarioReference] = []
    /// How many scenarios were selected.
    package fileprivate(set) var selectedCount = 0

    package var stubCount: Int { changes.reduce(0) { $0 + $1.after.stubs.count } }
    /// The differences, a scenario at a time.
    package var differences: some Sequence<ScenarioDifference> {
      changes.lazy.map { ScenarioDifference(from: $0.before, to: $0.after) }
    }
  }

  private let catalog: Catalog
  private let selection: [ScenarioGlob]
  private let change: Change
  private let progress: (_ done: Int, _ count: Int) -> Void

  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - selection: The words that select scenarios; not empty.
  ///   - change: The change of their stubs.
  ///   - progress: Called with the number of scenarios that were read, and with that of all.
  package init(
    _ catalog: Catalog, _ selection: [ScenarioGlob], _ change: Change,
    progress: @escaping (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) {
    (self.catalog, self.selection, self.change) = (catalog, selection, change)
    self.progress = progress
  }

  /// What would change in the catalog as it is; nothing is written.
  ///
  /// - Throws: `JobError` for a name that no scenario has, for a place where the change is impossible, and for a stub that
  ///   could not be played afterwards.
  package func plan() throws -> Plan {
    let snapshot = try CatalogSnapshot(contentsOf: catalog.url)
    return try plan(snapshot.scenarios.map(\.name), snapshot.scenario).plan
  }

  /// Writes the change in one edit.
  ///
  /// - Throws: As ``plan()``; then nothing is written.
  package func run() throws -> Plan {
    try catalog.edit { editor in
      let (plan, checked) = try plan(editor.scenarioNames()) { try editor.scenario(named: $0) }
      for (change, stubs) in zip(plan.changes, checked) {
        let name = change.after.name
        guard stubs.count > 1, var scenario = try editor.checked(named: name) else {
          for stub in stubs { try editor.replace(stub, in: name) }
          continue
        }
        let places = Dictionary(
          scenario.scenario.stubs.enumerated().map { ($1.key, $0) }
        ) { first, _ in first }
        for stub in stubs { scenario.put(stub, at: places[stub.stub.key]) }
        try editor.replace(scenario)
      }
      return plan
    }
  }

  /// The plan, and the changed stubs of each of its scenarios.
  private func plan(
    _ names: [ScenarioName], _ read: (ScenarioName) throws -> Scenario?
  ) throws -> (plan: Plan, checked: [[CheckedStub]]) {
    let selected = try selected(of: names)
    var plan = Plan()
    plan.selectedCount = selected.count
    var checked: [[CheckedStub]] = []
    var impossible = ImpossiblePlaces()
    var includes: Set<ScenarioReference> = []
    for (index, name) in selected.enumerated() {
      progress(index, selected.count)
      // A description of the API that the catalog keeps is no stub.
      guard let scenario = try read(name), !KeptDescription.isKept(in: scenario) else { continue }
      includes.formUnion(scenario.includes)
      var change = (before: Scenario(name: name), after: Scenario(name: name))
      for stub in scenario.stubs {
        let result = rewritten(stub)
        impossible.add(result, of: name)
        plan.left += result.left.map {
          LeftPlace(scenario: name, key: stub.key, pointer: $0.pointer, reason: $0.reason)
        }
        guard result.stub != stub else { continue }
        change.before.stubs.append(stub)
        change.after.stubs.append(result.stub)
      }
      guard !change.after.stubs.isEmpty, impossible.isEmpty else { continue }
      checked.append(try Self.checked(change, in: catalog))
      plan.changes.append(change)
    }
    if let error = impossible.error { throw error }
    let own = Set(selected.map { ScenarioReference($0) })
    plan.outside = includes.subtracting(own).sorted()
    return (plan, checked)
  }

  private func rewritten(_ stub: Stub) -> RewrittenStub {
    switch change {
    case .values(let change, let query):
      StubRewrite(change: change, query: query).rewritten(stub)
    case .host(let change): change.rewritten(stub)
    }
  }

  private func selected(of names: [ScenarioName]) throws -> [ScenarioName] {
    let known = Set(names)
    let words = selection.compactMap(\.name)
    if let missing = words.first(where: { !known.contains($0) }) {
      throw NameError.scenario(missing, in: catalog, among: names)
    }
    let (exact, globs) = (Set(words), selection.filter { $0.name == nil })
    return names.filter { name in exact.contains(name) || globs.contains { $0.matches(name) } }
  }

  private static func checked(
    _ change: (before: Scenario, after: Scenario), in catalog: Catalog
  ) throws -> [CheckedStub] {
    let name = change.after.name
    let stubs = try change.after.stubs.map { stub in
      do throws(DocumentError) {
        return try CheckedStub(stub)
      } catch {
        throw refusal(stub.key, of: name, in: catalog, "\(error.pointer): \(error.message)")
      }
    }
    if let problem = WriteCheck.problem(of: stubs, besides: change.before.stubs, in: name) {
      throw refusal(
        stubs[problem.index].stub.key, of: name, in: catalog,
        "\(problem.pointer): \(problem.reason)")
    }
    return stubs
  }

  private static func refusal(
    _ key: Stub.Key, of name: ScenarioName, in catalog: Catalog, _ reason: String
  ) -> JobError {
    JobError(
      .refused,
      "nothing was changed: stub \(quoted: key.rawValue) of \(name) could not be played: \(reason)",
      hints: [
        "To see it: \(command: "show", on: [name.rawValue, key.rawValue], catalog: catalog.url)"
      ])
  }
}

/// Places where a change is impossible.
private struct ImpossiblePlaces {
  private static let mostShown = 5

  private var taken: [String] = []
  private var removed: [String] = []

  var isEmpty: Bool { taken.isEmpty && removed.isEmpty }

  mutating func add(_ result: RewrittenStub, of name: ScenarioName) {
    func text(_ pointer: JSONPointer) -> String { "\(name) \(result.stub.key) \(pointer)" }
    taken += result.taken.map(text)
    removed += result.removed.map(text)
  }

  /// The error that names the places; nil if there are none.
  var error: JobError? {
    if isEmpty { return nil }
    let isTaken = !taken.isEmpty
    let places = isTaken ? taken : removed
    var hints: [JobText] = places.prefix(Self.mostShown).map { "There: \($0)" }
    if places.count > Self.mostShown {
      hints.append("and \(places.count - Self.mostShown) more places")
    }
    hints.append(
      isTaken
        ? "To leave such objects out, give --where a filter, as in $..[?@.email && !@.mail].email"
        : "To take the content of an answer out: stubdb set SCENARIO KEY --text ''")
    return JobError(
      .refused,
      isTaken
        ? "nothing was changed: a member with the new name is there already"
        : "nothing was changed: the whole content would be removed",
      hints: hints)
  }
}
