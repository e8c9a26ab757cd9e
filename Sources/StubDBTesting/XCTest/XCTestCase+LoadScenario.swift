#if canImport(XCTest)
  public import StubDB
  public import XCTest

  extension XCTestCase {
    /// Begins a run of a scenario that ends with the test.
    ///
    /// Overlays are scenarios that are laid on top, the last one answering first. To be called in the test or in `setUp`. A
    /// relative path is looked up from the folder of the test's source file upward, then in the resources of the test
    /// bundle. At tear-down, requests that nothing answered, required stubs that were not used and sequences that have to
    /// be finished and were not fail the test at the line of this call; a test that is skipped only for the first. So
    /// does a request to `URLSession.shared` where the scenario itself was asked nothing.
    /// - Throws: ``CatalogLookupError`` where there is no such file, and what `Interceptor` throws.
    public func loadScenario(
      _ name: String, overlay overlays: String..., catalog: String,
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
      allowsPassthrough: Bool = false, requiresWholeSequences: Bool = false,
      file: StaticString = #filePath, line: UInt = #line
    ) throws -> Interceptor {
      let lookup = CatalogLookup(path: catalog, sourceFile: "\(file)")
      return begin(
        try lookup.open().load(name, overlays: overlays),
        InterceptorOptions(
          unmatched: unmatched, pace: pace, seed: seed, allowsPassthrough: allowsPassthrough,
          requiresWholeSequences: requiresWholeSequences), file, line)
    }

    /// Makes an interceptor without a scenario, for closures, that ends with the test.
    ///
    /// To be called in the test or in `setUp`. At tear-down, requests that no closure answered fail the test at the line of
    /// this call.
    public func makeInterceptor(
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
      file: StaticString = #filePath, line: UInt = #line
    ) -> Interceptor {
      begin(nil, InterceptorOptions(unmatched: unmatched, pace: pace, seed: seed), file, line)
    }

    private func begin(
      _ scenario: LoadedScenario?, _ options: InterceptorOptions, _ file: StaticString, _ line: UInt
    ) -> Interceptor {
      var options = options
      options.isReportedElsewhere = true
      let interceptor = Interceptor(scenario, options: options)
      let ledger = FailureLedger(interceptor, session: "interceptor.urlSession()")
      SharedSessionWatch.add(ledger.sharedRequests)
      addTeardownBlock {
        SharedSessionWatch.remove(ledger.sharedRequests)
        // XCTest knows no warnings.
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
