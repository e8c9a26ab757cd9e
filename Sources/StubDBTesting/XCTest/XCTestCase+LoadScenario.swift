#if canImport(XCTest)
  public import StubDB
  public import XCTest

  extension XCTestCase {
    /// Begins a run of a scenario that ends with the test.
    ///
    /// Overlays are scenarios that are laid on top, the last one answering first. To be called in the test or in `setUp`. A relative path is looked up from the folder of the test's source file upward,
    /// then in the resources of the test bundle. At tear-down, requests that nothing answered, required stubs that
    /// were not used and sequences that were not finished fail the test at the line of this call; a test that is skipped only for the
    /// first.
    /// - Throws: ``CatalogLookupError`` where there is no such file, and what `Interceptor` throws.
    public func loadScenario(
      _ name: String, overlay overlays: String..., catalog: String,
      unmatched: UnmatchedPolicy = .fail, pace: Pace = .real, seed: UInt64 = 0,
      allowsPassthrough: Bool = false, file: StaticString = #filePath, line: UInt = #line
    ) throws -> Interceptor {
      let lookup = CatalogLookup(path: catalog, sourceFile: "\(file)")
      let interceptor = try Interceptor(
        name, in: try lookup.open(), overlays: overlays, unmatched: unmatched, pace: pace,
        seed: seed, allowsPassthrough: allowsPassthrough)
      let ledger = FailureLedger()
      ledger.add(interceptor)
      addTeardownBlock {
        let isSkipped = self.testRun?.hasBeenSkipped == true
        for message in ledger.drain(isCutShort: isSkipped) {
          XCTFail(message, file: file, line: line)
        }
      }
      return interceptor
    }
  }
#endif
