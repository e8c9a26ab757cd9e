package import Foundation
package import StubDBModel
package import StubDBSecrets

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
