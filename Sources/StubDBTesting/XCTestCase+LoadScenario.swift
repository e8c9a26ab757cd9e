#if canImport(XCTest)
  public import Foundation
  public import StubDBCatalog
  public import StubDBModel
  public import StubDBPlayback
  import StubDBSupport
  public import StubDBURLProtocol
  public import XCTest

  extension XCTestCase {
    /// Begins a run of a scenario that ends with the test.
    ///
    /// Call it in the test or in `setUp`. With `bundle`, the catalog is one of its resources, and nothing else counts.
    /// Otherwise a relative path is looked up in the folder of the test's source file, then in each folder above it, then
    /// in the resources of the test bundle.
    ///
    /// At tear-down, the test fails at the line of this call for requests without an answer, required stubs that were
    /// not used, sequences that had to be finished and were not, and a request to `URLSession.shared` if the scenario
    /// itself was asked nothing. A test that is skipped fails only for the first of these.
    /// - Throws: `CatalogError` if no such file is found, or if the catalog does not have the scenario or cannot be read.
    public func loadScenario(
      _ name: some ScenarioNaming, catalog: String, bundle: Bundle? = nil,
      options: PlaybackOptions = PlaybackOptions(),
      file: StaticString = #filePath, line: UInt = #line
    ) throws(CatalogError) -> StubInterceptor {
      let reference = CatalogReference(path: catalog, sourceFile: "\(file)", bundle: bundle)
      return try loadScenario(
        name, catalog: reference.open(), options: options, file: file, line: line)
    }

    /// Begins a run of a scenario of a catalog that ends with the test; otherwise as
    /// ``loadScenario(_:catalog:bundle:options:file:line:)``.
    ///
    /// - Throws: `CatalogError` if the catalog does not have the scenario or cannot be read.
    public func loadScenario(
      _ name: some ScenarioNaming, catalog: Catalog, options: PlaybackOptions = PlaybackOptions(),
      file: StaticString = #filePath, line: UInt = #line
    ) throws(CatalogError) -> StubInterceptor {
      var options = options
      options.isReportedElsewhere = true
      let play = try RecordedPlay(name.scenarioName, in: catalog, options)
      return begin(StubInterceptor(playing: play), file, line)
    }

    /// Makes an interceptor without a scenario, for closures, that ends with the test.
    ///
    /// Call it in the test or in `setUp`. At tear-down, the test fails at the line of this call for requests that no
    /// closure answered.
    public func makeInterceptor(
      options: PlaybackOptions = PlaybackOptions(), file: StaticString = #filePath,
      line: UInt = #line
    ) -> StubInterceptor {
      var options = options.withoutCatalog
      options.isReportedElsewhere = true
      return begin(StubInterceptor(playing: nil, options: options), file, line)
    }

    /// The name in the usage ledger: class and method, the same on all systems.
    private var ledgerName: String {
      let words = name.split { "-[ ].".contains($0) }
      return words.joined(separator: "/")
    }

    private func begin(
      _ interceptor: StubInterceptor, _ file: StaticString, _ line: UInt
    ) -> StubInterceptor {
      interceptor.name(test: ledgerName)
      let ledger = FailureLedger(interceptor, in: .xcTest)
      SharedSessionWatch.add(ledger.sharedRequests)
      addTeardownBlock {
        SharedSessionWatch.remove(ledger.sharedRequests)
        // XCTest has no warnings.
        let ending =
          self.testRun?.hasBeenSkipped == true ? FailureLedger.Ending.cutShort : .complete
        let hasFailed = (self.testRun?.totalFailureCount ?? 0) > 0
        if hasFailed { ledger.hasFailed.withLock { $0 = true } }
        let findings = ledger.close(ending)
        for finding in findings where !finding.isWarning {
          XCTFail(finding.message, file: file, line: line)
        }
        #if canImport(Darwin)
          guard
            let journal = FailureLedger.journal(
              of: interceptor.player, test: self.ledgerName, findings, hasFailed)
          else { return }
          let attachment = XCTAttachment(data: journal, uniformTypeIdentifier: "public.json")
          attachment.name = FailureLedger.journalName
          attachment.lifetime = .keepAlways
          self.add(attachment)
        #endif
      }
      return interceptor
    }
  }
#endif
