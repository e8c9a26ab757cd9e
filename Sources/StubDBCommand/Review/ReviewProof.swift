import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBFormats
import StubDBModel

/// Asks a scenario for the recorded requests that a review took into it: each must get its recorded answer.
struct ReviewProof {
  /// The part of a scenario that an exchange was taken into.
  struct Source {
    let entry: DraftReading.Entry
    let stub: Stub.Key
    /// Whether the stub may have another answer on purpose: tests saw several, or it was merged with others.
    let hasChosenAnswer: Bool
  }

  /// A request that does not get its answer.
  struct Failure: Hashable {
    let scenario: ScenarioName
    let stub: Stub.Key
    let method: String
    let url: String
    let failure: SourceProof.Failure
  }

  private struct Place: Hashable {
    let file: String
    let offset: UInt64

    init(_ entry: DraftReading.Entry) { (file, offset) = (entry.file.path, entry.offset) }
  }

  private let scenario: Scenario
  private let loaded: LoadedScenario
  private let sources: [Place: Source]

  /// Nil if nothing is to be asked, or if the scenario cannot be played.
  ///
  /// Stubs that somebody edited, and answers that were proposed for a stub by its key, are not asked for. `included` are
  /// the stubs of the scenarios that it includes.
  init?(
    _ sources: [Source], resolved: Scenario, written scenario: Scenario,
    included: [LoadedScenario.Source]
  ) {
    func stubs(_ scenario: Scenario) -> [Stub.Key: Stub] {
      Dictionary(scenario.stubs.map { ($0.key, $0) }) { first, _ in first }
    }
    let (before, after) = (stubs(resolved), stubs(scenario))
    let asked = sources.filter { source in
      guard source.entry.stubKey == nil, let stub = after[source.stub] else { return false }
      // Which state a test was in is not known.
      return before[source.stub] == stub && stub.flow == nil
    }
    let own = scenario.stubs.map { LoadedScenario.Source(origin: scenario.name, stub: $0) }
    guard !asked.isEmpty,
      let loaded = try? LoadedScenario(name: scenario.name, stubs: own + included)
    else { return nil }
    (self.scenario, self.loaded) = (scenario, loaded)
    self.sources = Dictionary(asked.map { (Place($0.entry), $0) }) { first, _ in first }
  }

  /// The requests that do not get their answers, each once, in the order of the runs.
  ///
  /// Every run begins anew, as a test does.
  func failures(in draft: DraftReading) throws -> [Failure] {
    var failures: [Failure] = []
    for run in draft.runs where run.scenario == scenario.name.rawValue {
      guard run.entries.contains(where: { sources[Place($0)] != nil }) else { continue }
      // Placeholders are numbered by all requests of a run.
      let asked = try draft.recorded(run).readable.compactMap { recorded in
        sources[Place(recorded.entry)].flatMap { source in
          recorded.exchange.map { (source, exchange: $0) }
        }
      }
      for (place, failure) in SourceProof.failures(of: asked.map(\.exchange), in: loaded) {
        let (source, exchange) = asked[place]
        guard !isIntended(failure, source) else { continue }
        let found = Failure(
          scenario: scenario.name, stub: source.stub, method: exchange.method, url: exchange.url,
          failure: failure)
        if !failures.contains(found) { failures.append(found) }
      }
    }
    return failures
  }

  private func isIntended(_ failure: SourceProof.Failure, _ source: Source) -> Bool {
    guard case .otherAnswer(let key) = failure else { return false }
    if key == source.stub { return source.hasChosenAnswer }
    // Which states and turns came before is not known, because what the catalog answered was not recorded.
    return scenario.stubs.contains { $0.key == key && ($0.flow != nil || $0.then != .repeatLast) }
  }
}

extension ReviewProof.Failure {
  /// The failure, and a command that mends it where one does.
  func lines(in scenario: Scenario, of catalog: Catalog) -> [String] {
    let request = TerminalText.line("\(method) \(url)")
    let own = TerminalText.line(stub.rawValue)
    switch failure {
    case .unanswered:
      return ["Warning: stub \(own) of \(self.scenario): \(request) gets no answer."]
    case .otherAnswer(let key):
      let line =
        "Warning: stub \(own) of \(self.scenario): \(request) gets another answer, of the stub "
        + "\(TerminalText.line(key.rawValue))."
      let other = scenario.stubs.first { $0.key == key }
      guard key != stub, let priority = other?.priority, priority > 1 else { return [line] }
      let command = FollowUp.command(
        "set", on: [self.scenario.rawValue, stub.rawValue], ["--priority", "\(priority - 1)"],
        catalog: catalog.url)
      return [line, "To let it answer first: \(command)"]
    }
  }
}
