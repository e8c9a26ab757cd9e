#if canImport(Testing)
  import Foundation
  import StubDBEngine
  import StubDBPlayback
  import StubDBSupport
  import StubDBTesting
  import StubDBURLProtocol
  import StubDBVariations
  import Testing

  /// A sweep of a test that has no variation to try, or more than it tries.
  struct NothingToVary {
    private static let mostShown = 5

    private let kind: Variation.Kind
    private let runner: SweepRunner

    init(_ kind: Variation.Kind, _ runner: SweepRunner) {
      (self.kind, self.runner) = (kind, runner)
    }

    /// The trait, as it is written.
    private var trait: String {
      switch kind {
      case .failure: ".everyFailure"
      case .evolution: ".everyEvolution"
      case .order: ".everyOrder"
      }
    }

    /// Whether a stub answered anything.
    static func isAnswered(_ runner: SweepRunner) -> Bool {
      runner.base.journal.contains { $0.isMatched }
    }

    /// Reports it, with a reason for the case that stubs answered.
    ///
    /// Without an answer, the trait of a test can only be a mistake, which fails the test. One of a suite is meant for
    /// other tests too, and of a parameterized test other cases may be answered: that is a warning.
    func report(_ reason: String) {
      let test = runner.test
      let isAnswered = Self.isAnswered(runner)
      let message = "has tried nothing: " + (isAnswered ? reason : unanswered)
      if isAnswered || runner.isOfSuite || test.isParameterized {
        warn(.nothing, message)
      } else {
        let message = write(.nothing, message)
        Issue.record(Comment(rawValue: message), sourceLocation: test.sourceLocation)
      }
    }

    /// Warns of what limits have left out; nothing is left out of an empty list.
    func report(leftOut: [String]) {
      guard !leftOut.isEmpty else { return }
      let scenario = runner.base.scenario
      let advice =
        scenario.catalogDescription == nil
        ? ""
        : " The rest is listed by stubdb evolve \(scenario.name) --list --all, and tried by its names, with .only or "
          + "\(SweepFilter.variable)."
      warn(.cut, "has tried no more than \(leftOut.listed(upTo: Self.mostShown)).\(advice)")
    }

    /// Warns that a limit of orders was reached before all were tried.
    func report(triedOrders count: Int, of limit: Int) {
      let key = runner.base.journal.compactMap(\.stubKey).min() ?? ""
      warn(
        .cut,
        "has tried \(Plural.of(count, "order")) of answers, and there are more. To try more, add limit: \(limit * 2). "
          + "To try none that differ only by when a stub answers, add its key, as in independent: [\"\(key)\"]."
      )
    }

    private var unanswered: String {
      runner.base.journal.isEmpty
        ? "the test sent no request to its scenario. Does the code under test use URLSession.stubbed, or a session with "
          + "StubInterceptor.current.configuration()?"
        : "no stub answered a request of the test."
    }

    private func warn(_ kind: SweepNote.Kind, _ message: String) {
      runner.test.warn(write(kind, message))
    }

    /// Writes a sentence that begins with the trait; returns it.
    private func write(_ kind: SweepNote.Kind, _ message: String) -> String {
      let message = "\(trait) \(message)"
      let catalog = runner.base.scenario.catalogDescription
      SweepLogs.shared.log(ofCatalog: catalog, module: runner.test.id.moduleName).append(
        SweepNote(
          kind, time: Date().timeIntervalSince1970, test: runner.test.ledgerName,
          catalog: catalog.map(LedgerFolder.name(ofCatalog:)), sweep: self.kind, message: message))
      return message
    }
  }

  extension Test {
    /// Records a warning at the line of the test; earlier versions have none, and say it on standard error.
    func warn(_ message: Comment) {
      #if compiler(>=6.3)
        Issue.record(message, severity: .warning, sourceLocation: sourceLocation)
      #else
        SweepLogs.sayOnStandardError("warning: \(ledgerName): \(message.rawValue)")
      #endif
    }

    func warn(_ message: String) { warn(Comment(rawValue: message)) }
  }
#endif
