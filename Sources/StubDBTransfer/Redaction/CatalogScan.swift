package import Foundation
package import StubDBCatalogEditing
internal import StubDBEditing
package import StubDBSecrets

/// The secrets of a whole catalog.
package enum CatalogScan {
  /// By scenario, and in the order of each document; `catalog` is the file, nil for bytes that are not from a file.
  package static func findings(
    in snapshot: CatalogSnapshot, of catalog: URL? = nil,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws -> [SecretFinding] {
    try snapshot.requireNoConflicts("which may contain secrets too", in: catalog)
    var scanner = SecretScanner()
    var findings: [SecretFinding] = []
    for (index, summary) in snapshot.scenarios.enumerated() {
      progress(index, snapshot.scenarios.count)
      guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
      findings += scanner.findings(in: scenario, number: index + 1)
    }
    return findings
  }
}
