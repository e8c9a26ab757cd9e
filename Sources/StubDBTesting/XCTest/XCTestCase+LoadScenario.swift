#if canImport(XCTest)
  public import StubDB
  public import XCTest

  extension XCTestCase {
    /// Begins a run of a scenario that ends with the test.
    ///
    /// Call it in the test or in `setUp`. Overlays are scenarios that are laid on top; the last one answers first. A
    /// relative path is looked up in the folder of the test's source file, then in each folder above it, then in the
    /// resources of the test bundle.
    ///
    /// At tear-down, the test fails at the line of this call for requests without an answer, required stubs that were
    /// not used, sequences that had to be finished and were not, and a request to `URLSession.shared` if the scenario
    /// itself was asked nothing. A test that is skipped fails only for the first of these.
    /// - Throws: ``CatalogLookupError`` if no file is found, and the errors of `StubInterceptor`.
    public func loadScenario(
      _ name: String, overlay overlays: String..., catalog: String,
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
      allowsPassthrough: Bool = false, requiresWholeSequences: Bool = false,
      file: StaticString = #filePath, line: UInt = #line
    ) throws -> StubInterceptor {
      let lookup = CatalogLookup(path: catalog, sourceFile: "\(file)")
      return begin(
        try lookup.open().load(name, overlays: overlays),
        InterceptorOptions(
          unmatched: unmatched, pace: pace, seed: seed, allowsPassthrough: allowsPassthrough,
          requiresWholeSequences: requiresWholeSequences), file, line)
    }

    /// Makes an interceptor without a scenario, for closures, that ends with the test.
    ///
    /// Call it in the test or in `setUp`. At tear-down, the test fails at the line of this call for requests that no
    /// closure answered.
    public func makeInterceptor(
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
      file: StaticString = #filePath, line: UInt = #line
    ) -> StubInterceptor {
      begin(nil, InterceptorOptions(unmatched: unmatched, pace: pace, seed: seed), file, line)
    }

    private func begin(
      _ scenario: LoadedScenario?, _ options: InterceptorOptions, _ file: StaticString, _ line: UInt
    ) -> StubInterceptor {
      var options = options
      options.isReportedElsewhere = true
      let interceptor = StubInterceptor(scenario, options: options)
      let ledger = FailureLedger(interceptor, session: "interceptor.urlSession()")
      SharedSessionWatch.add(ledger.sharedRequests)
      addTeardownBlock {
        SharedSessionWatch.remove(ledger.sharedRequests)
        // XCTest has no warnings.
        let ending =
          self.testRun?.hasBeenSkipped == true ? FailureLedger.Ending.cutShort : .complete
        for finding in ledger.close(ending) where !finding.isWarning {
          XCTFail(finding.message, file: file, line: line)
        }
      }
      return interceptor
    }
  }
#endif
