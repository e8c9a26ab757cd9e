#if canImport(Testing)
  import Foundation
  import StubDBEngine
  import StubDBModel
  import StubDBPlayback
  import StubDBTesting
  import StubDBURLProtocol
  import StubDBVariations
  import Testing

  /// What is written about one variation of one test: before it is tried, and what became of it.
  struct SweepRecord {
    private let runner: SweepRunner
    private let variation: Variation
    private let log: SweepLog
    private let catalog: String?

    init(of runner: SweepRunner, _ variation: Variation) {
      (self.runner, self.variation) = (runner, variation)
      let path = runner.base.scenario.catalogDescription
      catalog = path.map(LedgerFolder.name(ofCatalog:))
      log = SweepLogs.shared.log(ofCatalog: path, module: runner.test.id.moduleName)
    }

    /// Writes that the variation is under way; false if it is left out, because it ended a process.
    func begin() async -> Bool {
      let suspicion = log.suspicion(of: variation.name, in: runner.test.ledgerName)
      if suspicion == .certain {
        if runner.filter.skipsCrashed {
          write(.skipped)
          issue(
            "The process ended in this variation in an earlier run; it is left out, because "
              + "\(SweepFilter.skipVariable) is set.")
          return false
        }
        warning(
          "The process ended in this variation in an earlier run; it is tried again. To leave it out and test the rest, "
            + "set \(SweepFilter.skipVariable)=1.")
      }
      if suspicion != nil { await log.turn.begin() }
      write(.begun)
      return true
    }

    /// Writes what the variation has shown; `name` repeats it alone.
    func end(_ findings: [Finding], as name: String) {
      write(findings.isEmpty ? .survived : .found, findings.first, tried: name)
      endTurn()
    }

    /// Writes that the variation has shown nothing yet.
    func cutShort() {
      write(.skipped)
      endTurn()
    }

    /// Writes and warns that the variation could not be tried.
    func leaveOut(because reason: String) {
      cutShort()
      warning("It could not be tried: \(reason)")
    }

    /// Writes that the variation could not be tried, and fails the test, unless it may be one of another case or of
    /// another test of a suite.
    func refuse(because reason: String) {
      if let asking = runner.asking, asking.origin != .variable || runner.test.isParameterized {
        return leaveOut(because: reason)
      }
      cutShort()
      issue(reason)
    }

    private func endTurn() {
      if log.suspicion(of: variation.name, in: runner.test.ledgerName) != nil { log.turn.end() }
      if let problem = log.takeProblem() { warning(problem) }
    }

    private func write(
      _ state: SweepLine.State, _ finding: Finding? = nil, tried: String? = nil
    ) {
      let finding = finding.map { Finding($0.kind, SecretDisplay.withoutTokens($0.message)) }
      log.append(
        SweepLine(
          time: Date().timeIntervalSince1970, test: runner.test.ledgerName, catalog: catalog,
          digest: runner.base.scenario.catalogDigest,
          scenario: runner.base.scenario.name.rawValue, variation, state, tried: tried,
          finding: finding))
    }

    private func text(_ message: String) -> Comment {
      Comment(rawValue: FindingText.text(message, variation, runner.test))
    }

    private func issue(_ message: String) {
      Issue.record(text(message), sourceLocation: runner.test.sourceLocation)
    }

    private func warning(_ message: String) { runner.test.warn(text(message)) }
  }
#endif
