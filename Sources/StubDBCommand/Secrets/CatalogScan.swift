import Foundation
import StubDBCatalog
import StubDBSecrets

/// The secrets of a whole catalog.
enum CatalogScan {
  /// By scenario, and in the order of each document; `catalog` is the file, nil for bytes that are not from a file.
  static func findings(
    in snapshot: CatalogSnapshot, of catalog: URL? = nil
  ) throws -> [SecretFinding] {
    try snapshot.requireNoConflicts("which may contain secrets too", in: catalog)
    let progress = ProgressLine("Scanning")
    defer { progress.end() }
    var scanner = SecretScanner()
    var findings: [SecretFinding] = []
    for (index, summary) in snapshot.scenarios.enumerated() {
      progress.show(index, of: snapshot.scenarios.count, "scenario")
      guard let scenario = try snapshot.scenario(named: summary.name) else { continue }
      findings += scanner.findings(in: scenario, number: index + 1)
    }
    return findings
  }
}
