package import Foundation
package import StubDBCatalogEditing
internal import StubDBDocuments
package import StubDBJSON
internal import StubDBJobs
package import StubDBModel
package import StubDBSecrets
internal import StubDBSupport

/// The rules of `check` for what is about to be written.
package enum WriteCheck {
  /// A problem of a stub, with its place.
  package struct Problem: Equatable {
    /// The index of the stub in its list.
    package var index: Int
    /// The place of the value in the stub.
    package var pointer: JSONPointer
    /// The end of a sentence that says what is wrong and what to do.
    package var reason: String
  }

  /// The first problem of the stubs; nil if all can be played.
  ///
  /// A problem that the `known` stub of the same key has too, with the same value, must not prevent other edits and is
  /// skipped.
  package static func problem(
    of stubs: [CheckedStub], besides known: [Stub] = [], in scenario: ScenarioName
  ) -> Problem? {
    problem(of: stubs.map(\.stub), besides: known, in: scenario)
  }

  /// The first problem of the stubs of a scenario.
  package static func problem(of scenario: CheckedScenario, besides known: [Stub]) -> Problem? {
    problem(of: scenario.scenario.stubs, besides: known, in: scenario.scenario.name)
  }

  private static func problem(
    of stubs: [Stub], besides known: [Stub], in scenario: ScenarioName
  ) -> Problem? {
    let known = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
    let changed = stubs.indices.filter { known[stubs[$0].key] != stubs[$0] }
    let problems = problems(of: changed.map { stubs[$0] }, in: scenario)
    return problems.lazy.map { problem in
      var problem = problem
      problem.index = changed.indices.contains(problem.index) ? changed[problem.index] : 0
      return problem
    }.first { problem in
      guard stubs.indices.contains(problem.index), let old = known[stubs[problem.index].key] else {
        return true
      }
      let stub = stubs[problem.index]
      return !self.problems(of: [old], in: scenario).contains {
        $0.pointer == problem.pointer && $0.reason == problem.reason
          && old.documentValue.value(at: $0.pointer) == stub.documentValue.value(at: $0.pointer)
      }
    }
  }

  private static func problems(of stubs: [Stub], in scenario: ScenarioName) -> [Problem] {
    let scenario = Scenario(name: scenario, stubs: stubs)
    let hasTwins = Set(stubs.map(\.key)).count < stubs.count
    let problems =
      hasTwins ? ScenarioProblems.refused(in: scenario) : ScenarioProblems.unplayable(in: scenario)
    return problems.map { problem in
      let tokens = problem.pointer?.tokens ?? []
      return Problem(
        index: tokens.dropFirst().first.flatMap { Int($0) } ?? 0,
        pointer: JSONPointer(Array(tokens.dropFirst(2))), reason: problem.problem)
    }
  }

  static func require(
    _ scenario: CheckedScenario, besides known: [Stub]
  ) throws(EditRefusal) {
    if let problem = problem(of: scenario, besides: known) {
      throw .unplayable(problem, in: scenario.scenario.name)
    }
  }

  static func require(
    _ stubs: [CheckedStub], besides known: [Stub], in scenario: ScenarioName
  ) throws(EditRefusal) {
    if let problem = problem(of: stubs, besides: known, in: scenario) {
      throw .unplayable(problem, in: scenario)
    }
  }

  /// The problems of scenarios that are written although they cannot be played, besides those of `known` stubs.
  ///
  /// Restoring must lose nothing, so it writes such stubs too.
  package static func problems(of scenarios: [Scenario], besides known: [Stub]) -> [CheckProblem] {
    let known = Set(known)
    return problems(of: scenarios, ScenarioProblems.refused).filter { problem in
      let stub = scenarios.first { $0.name == problem.scenario }?.stubs
        .first { problem.key.hasSameBytes(as: $0.key.rawValue) }
      return stub.map { !known.contains($0) } ?? true
    }
  }

  /// The problems of the result of a merge, whose stubs are those of documents.
  package static func problems(ofMerged scenarios: [Scenario]) -> [CheckProblem] {
    problems(of: scenarios, ScenarioProblems.unplayable)
  }

  private static func problems(
    of scenarios: [Scenario], _ find: @escaping @Sendable (Scenario) -> [CheckProblem]
  ) -> [CheckProblem] {
    ParallelWork.values(scenarios.count, progress: { _ in }, { find(scenarios[$0]) })
      .flatMap { $0 ?? [] }
  }
}

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

/// What counts as a secret that gets into a catalog: what a scan finds, was not there before, and no exception accepts.
package struct SecretRule {
  private let catalog: URL
  private var exceptions: ExceptionsFile?
  private var scanner = SecretScanner()

  /// - Parameter catalog: The catalog beside which the file of exceptions is.
  package init(beside catalog: URL) { self.catalog = catalog }

  /// The secrets that a scenario brings in; `current` is the one whose place it takes.
  ///
  /// - Throws: `DocumentError` if the file of exceptions has a mistake, and `ExceptionsFile.Failure`.
  package mutating func findings(
    in scenario: Scenario, besides current: Scenario?
  ) throws -> [SecretFinding] {
    let found = scanner.findings(in: scenario, besides: current)
    if found.isEmpty { return [] }
    let exceptions =
      try self.exceptions
      ?? ExceptionsFile(
        at: ExceptionsFile.url(beside: catalog), named: ScanExceptions.fileName)
    self.exceptions = exceptions
    return exceptions.sort(found).findings
  }
}

/// Why an edit of a catalog is refused: one list for the command line, the admin API and the tools of assistants.
package enum EditRefusal: Error {
  /// The catalog has no such scenario, but these.
  case noSuchScenario(ScenarioName, among: [ScenarioName])
  case noSuchStub(String, in: Scenario)
  case scenarioExists(ScenarioName)
  case stubExists(Stub.Key, in: ScenarioName)
  /// A stub that ``WriteCheck`` refuses, with its place among the stubs that were to be written.
  case unplayable(WriteCheck.Problem, in: ScenarioName)
  /// A new stub that would never answer, because another one always comes first.
  case hidden(Stub, by: Stub, in: ScenarioName)
  /// A further response for a stub that does not exist.
  case nothingToContinue(ScenarioName)
  /// A further response for a stub that answers another request.
  case otherRequest(Stub.Key, in: ScenarioName)
  /// An include of a scenario that the catalog does not have, but these.
  case missingInclude(ScenarioName, of: ScenarioName, among: [ScenarioName])
  /// Includes of a restored scenario that the catalog no longer has.
  case lostIncludes([ScenarioName], of: ScenarioName)
  /// A new name that another scenario has.
  case nameTaken(ScenarioName)
  /// A reference that is to be removed from the includes, and is not there.
  case notIncluded(ScenarioReference, by: Scenario)
  /// A tag to be removed that no scenario has.
  case noSuchTag(String, of: [Scenario])
  /// A copy under the name of its original.
  case copyOfSameName(ScenarioName)
  /// The scenario changed after it was read.
  case changed(ScenarioName)
  /// Secrets, where the rules refuse them; not empty.
  case secrets([SecretFinding])
}
