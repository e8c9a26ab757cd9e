package import Foundation
package import StubDBModel
package import StubDBSecrets
internal import StubDBSupport

/// What counts as a secret that gets into a catalog: what a scan finds, was not there before, and no exception accepts.
package struct SecretRule {
  private let file: URL
  private var exceptions: ScanExceptions?
  private var scanner = SecretScanner()

  /// - Parameter catalog: The catalog beside which the file of exceptions is.
  package init(beside catalog: URL) {
    file = catalog.deletingLastPathComponent().appendingPathComponent(ScanExceptions.fileName)
  }

  /// The secrets that a scenario brings in; `current` is the one whose place it takes.
  ///
  /// - Throws: `DocumentError` if the file of exceptions has a mistake.
  package mutating func findings(
    in scenario: Scenario, besides current: Scenario?
  ) throws(DocumentError) -> [SecretFinding] {
    let found = scanner.findings(in: scenario, besides: current)
    if found.isEmpty { return [] }
    let exceptions: ScanExceptions
    if let known = self.exceptions { exceptions = known } else { exceptions = try readExceptions() }
    self.exceptions = exceptions
    return exceptions.sort(found, hash: SHA256Digest.hexadecimal(of:)).findings
  }

  private func readExceptions() throws(DocumentError) -> ScanExceptions {
    // Without a file that can be read, no secret is accepted.
    guard let text = try? Data(contentsOf: file) else { return ScanExceptions() }
    return try ScanExceptions(parsing: text, file: file.lastPathComponent)
  }
}
