import Foundation
import StubDBEngine
import StubDBModel
import StubDBSupport

/// Writes which test used which stub of which scenario, to one file of this process.
///
/// The file is made when the first run begins, and a line is appended at the end of each run, with one call of the
/// system. Nothing is written for a scenario that was not loaded from a catalog. Safe to use from any thread.
package final class UsageLedger: Sendable {
  /// The ledger of this process, as the environment asks for it.
  package static let shared: UsageLedger = {
    let ledger = UsageLedger(
      environment: ProcessInfo.processInfo.environment,
      currentFolder: FileManager.default.currentDirectoryPath)
    atexit { UsageLedger.shared.close() }
    return ledger
  }()

  private enum Phase {
    /// No run of a catalog has begun.
    case undecided
    case off
    case on(AppendedFile)
  }

  private struct State {
    var phase = Phase.undecided
    /// The runs that have not ended.
    var open: [ObjectIdentifier: WeakRun] = [:]
    /// The beginnings of lines, by catalog.
    var heads: [Head: String] = [:]
    /// Why the ledger is incomplete, until it is reported.
    var problem: String?
  }

  private struct Head: Hashable {
    let catalog: String
    let digest: String?
  }

  private struct WeakRun: Sendable {
    weak var value: LedgerRun?
  }

  private let environment: [String: String]
  private let currentFolder: String
  private let state = Locked(State())

  /// Makes the ledger that an environment asks for; nothing is looked up or written before the first run.
  package init(environment: [String: String], currentFolder: String) {
    (self.environment, self.currentFolder) = (environment, currentFolder)
  }

  /// Begins to follow a run; nil if there is no ledger, or if its scenario is of no catalog.
  func begin(
    _ run: ScenarioRun, overlays: [String], test: String? = nil, demands: [LedgerEntry.Demand]
  ) -> LedgerRun? {
    guard let catalog = run.scenario.catalogDescription else { return nil }
    return state.withLock { state in
      if case .undecided = state.phase { open(&state, catalog: catalog) }
      guard case .on = state.phase else { return nil }
      let entry = LedgerRun(
        run, of: catalog, overlays: overlays, test: test, demands: demands, ledger: self)
      state.open[ObjectIdentifier(entry)] = WeakRun(value: entry)
      return entry
    }
  }

  private func open(_ state: inout State, catalog: String) {
    let above = URL(fileURLWithPath: catalog).deletingLastPathComponent().path
    guard
      let folder = LedgerFolder.locate(
        environment: environment, currentFolder: currentFolder, alsoAbove: [above])
    else {
      state.phase = .off
      return
    }
    do throws(AppendedFile.Failure) {
      var file = try AppendedFile(in: folder, what: "usage ledger")
      let time = Date().formatted(.iso8601)
      try file.append(LedgerLine.began(process: file.process, at: time).text)
      state.phase = .on(file)
    } catch {
      state.phase = .off
      state.problem = error.message
    }
  }

  /// Appends the line of a run that has ended.
  func append(
    _ identity: ObjectIdentifier, catalog: String, digest: String?, _ tail: String
  ) {
    state.withLock { state in
      state.open[identity] = nil
      guard case .on(var file) = state.phase else { return }
      let key = Head(catalog: catalog, digest: digest)
      let head =
        state.heads[key]
        ?? LedgerLine.head(
          of: file.process, catalog: LedgerFolder.name(ofCatalog: catalog), digest: digest)
      state.heads[key] = head
      write(head + tail, to: &file, &state)
    }
  }

  private func write(_ text: String, to file: inout AppendedFile, _ state: inout State) {
    do throws(AppendedFile.Failure) {
      try file.append(text)
    } catch {
      state.problem = error.message
    }
    state.phase = .on(file)
  }

  /// Ends all runs, and says in the file that the process has ended; called when it exits.
  package func close() {
    let open = state.withLock { state in state.open.values.compactMap(\.value) }
    for run in open { run.end() }
    state.withLock { state in
      guard case .on(var file) = state.phase else { return }
      write(LedgerLine.ended(process: file.process).text, to: &file, &state)
      file.close()
      state.phase = .off
    }
  }

  /// Returns the problem once; nil if there is none or it was already reported.
  package func takeProblem() -> String? {
    state.withLock { state in
      defer { state.problem = nil }
      return state.problem
    }
  }
}

/// A run whose use is written to the ledger at its end, or when nothing refers to it any more.
package final class LedgerRun: Sendable {
  private struct State {
    var test: String?
    var isWritten = false
  }

  private let run: ScenarioRun
  private let catalog: String
  private let overlays: [String]
  private let demands: [LedgerEntry.Demand]
  private let ledger: UsageLedger
  private let state: Locked<State>

  fileprivate init(
    _ run: ScenarioRun, of catalog: String, overlays: [String], test: String?,
    demands: [LedgerEntry.Demand], ledger: UsageLedger
  ) {
    (self.run, self.catalog, self.ledger) = (run, catalog, ledger)
    (self.overlays, self.demands) = (overlays, demands)
    state = Locked(State(test: test))
  }

  deinit { end() }

  /// Names the test that the run belongs to.
  package func name(test: String) {
    state.withLock { $0.test = test }
  }

  /// Follows the run that goes on where this one is.
  func continued(by run: ScenarioRun) -> LedgerRun? {
    ledger.begin(run, overlays: overlays, test: state.withLock(\.test), demands: demands)
  }

  /// Writes what the run used; does nothing the second time.
  func end() {
    let (isFirst, test) = state.withLock { state in
      defer { state.isWritten = true }
      return (!state.isWritten, state.test)
    }
    guard isFirst else { return }
    var used: [LedgerEntry.Use] = []
    var place = 0
    for (origin, key) in run.usedStubs {
      let scenario = origin.rawValue
      // Stubs of the same scenario mostly follow each other.
      if place >= used.count || used[place].scenario != scenario {
        place = used.firstIndex { $0.scenario == scenario } ?? used.count
        if place == used.count { used.append(LedgerEntry.Use(scenario: scenario, keys: [])) }
      }
      used[place].keys.append(key)
    }
    var entry = LedgerEntry(
      catalog: catalog, digest: run.scenario.catalogDigest,
      scenario: run.scenario.name.rawValue, overlays: overlays, test: test, used: used)
    entry.resolved = run.scenario.resolvedDigest
    entry.demands = demands
    // Such a request may find a stub that is added, or one that is removed may have kept others from it.
    if run.hadUnmatched, !demands.contains(.allStubs) { entry.demands.append(.allStubs) }
    append(entry)
    for other in run.scenario.otherCatalogs where other.isEdited {
      append(other, used, test: test)
    }
  }

  /// Appends a line for another catalog that is edited here, as if its scenarios had been loaded by their names.
  ///
  /// So what is used through includes alone counts as used there too.
  private func append(
    _ other: LoadedScenario.OtherCatalog, _ used: [LedgerEntry.Use], test: String?
  ) {
    let names = other.scenarios.map(\.rawValue)
    let prefix = other.name + ":"
    let own = used.compactMap { use in
      use.scenario.hasPrefix(prefix)
        ? LedgerEntry.Use(scenario: String(use.scenario.dropFirst(prefix.count)), keys: use.keys)
        : nil
    }
    append(
      LedgerEntry(
        catalog: other.path, digest: nil, scenario: names[0], overlays: Array(names.dropFirst()),
        test: test, used: own))
  }

  private func append(_ entry: LedgerEntry) {
    ledger.append(
      ObjectIdentifier(self), catalog: entry.catalog, digest: entry.digest, LedgerLine.tail(entry))
  }
}
