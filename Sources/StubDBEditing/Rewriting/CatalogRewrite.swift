package import StubDBCatalog
package import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBDescriptions
internal import StubDBJSON
internal import StubDBJobs
package import StubDBModel
internal import StubDBSupport

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
    /// The stubs that would never answer any more, because another one comes first.
    package fileprivate(set) var hidden: [CheckProblem] = []

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
      plan.hidden += Self.hidden(by: change, in: scenario)
      plan.changes.append(change)
    }
    if let error = impossible.error { throw error }
    let own = Set(selected.map { ScenarioReference($0) })
    plan.outside = includes.subtracting(own).sorted()
    return (plan, checked)
  }

  private func rewritten(_ stub: Stub) -> RewrittenStub {
    var result =
      switch change {
      case .values(let change, let query):
        StubRewrite(change: change, query: query).rewritten(stub)
      case .host(let change): change.rewritten(stub)
      }
    result.placeInDocument()
    return result
  }

  private func selected(of names: [ScenarioName]) throws -> [ScenarioName] {
    let known = Set(names)
    var chosen: Set<ScenarioName> = []
    for word in selection {
      if let name = word.name {
        guard known.contains(name) else {
          throw NameError.scenario(name, in: catalog, among: names)
        }
        chosen.insert(name)
        continue
      }
      let matches = names.filter(word.matches)
      if matches.isEmpty {
        throw JobError(
          .notFound,
          word.text.hasSuffix("/")
            ? "there is no scenario below \(quoted: word.text) in \(file: catalog.url)"
            : "the name of no scenario in \(file: catalog.url) has the form \(quoted: word.text)",
          hints: ["To see all: \(command: ["list"], catalog: catalog.url)"])
      }
      chosen.formUnion(matches)
    }
    return names.filter(chosen.contains)
  }

  /// The stubs that a change of requests makes unreachable.
  private static func hidden(
    by change: (before: Scenario, after: Scenario), in scenario: Scenario
  ) -> [CheckProblem] {
    // Answers hide nothing.
    guard zip(change.before.stubs, change.after.stubs).contains(where: { $0.request != $1.request })
    else { return [] }
    var after = scenario
    var next = change.after.stubs[...]
    for index in after.stubs.indices where after.stubs[index].key == next.first?.key {
      if let stub = next.popFirst() { after.stubs[index] = stub }
    }
    return HiddenStubs.problems(in: after, before: scenario)
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

  /// A reason, and the places that have it.
  private struct Problem {
    let message: JobText
    let hint: JobText
    var places: [String] = []
  }

  private var taken = Problem(
    message: "nothing was changed: a member with the new name is there already",
    hint: "To leave such objects out, give --where a filter, as in $..[?@.email && !@.mail].email")
  private var removed = Problem(
    message: "nothing was changed: the whole content would be removed",
    hint: "To take the content of an answer out: stubdb set SCENARIO KEY --text ''")
  private var removedSeeds = Problem(
    message: "nothing was changed: all items of a resource would be removed",
    hint: "To let it begin without items, give --set '[]' in place of --remove")
  private var removedPatterns = Problem(
    message: "nothing was changed: the whole JSON that equalToJson asks for would be removed",
    hint: "To let the stub match any content: stubdb set SCENARIO KEY --when '{\"body\": []}'")
  private var tooDeep = Problem(
    message: """
      nothing was changed: a stub would have more than \(JSONValue.maximumDepth) arrays and objects inside each other, \
      which stubdb cannot read
      """,
    hint: "To leave such places out, give --where a JSONPath that does not select them")

  private var problem: Problem? {
    [taken, removed, removedSeeds, removedPatterns, tooDeep].first { !$0.places.isEmpty }
  }
  var isEmpty: Bool { problem == nil }

  mutating func add(_ result: RewrittenStub, of name: ScenarioName) {
    func text(_ pointer: JSONPointer) -> String {
      "\(name) \(result.stub.key) \(pointer.shortened)"
    }
    func places(in part: String) -> [String] {
      result.removed.filter { $0.tokens.first == part }.map(text)
    }
    taken.places += result.taken.map(text)
    removed.places += places(in: "responses")
    removedSeeds.places += places(in: "resource")
    removedPatterns.places += places(in: "request")
    tooDeep.places += result.tooDeep.map(text)
  }

  /// The error that names the places; nil if there are none.
  var error: JobError? {
    guard let problem else { return nil }
    var hints: [JobText] = problem.places.prefix(Self.mostShown).map { "There: \($0)" }
    let rest = problem.places.count - Self.mostShown
    if rest > 0 { hints.append("and \(Plural.of(rest, "more place", "more places"))") }
    return JobError(.refused, problem.message, hints: hints + [problem.hint])
  }
}
