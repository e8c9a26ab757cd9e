import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBJSON
import StubDBModel
import StubDBSecrets

/// Findings and their places as lines of text; no secret is in them.
enum FindingView {
  static func line(_ finding: SecretFinding) -> String {
    let (stub, pointer) = words(finding.place)
    return "\(Style.output.bold(stub)) \(pointer): \(finding.kind.title), "
      + "\(finding.secret.byteCount) bytes"
  }

  /// A place that changed.
  static func line(_ place: SecretPlace) -> String {
    let (stub, pointer) = words(place)
    return "\(Style.output.bold(stub)) \(pointer)"
  }

  /// A place inside a sentence.
  static func place(_ place: SecretPlace) -> String {
    let (stub, pointer) = words(place)
    return "\(stub) \(pointer)"
  }

  private static func words(_ place: SecretPlace) -> (stub: String, pointer: String) {
    let stub = [TerminalText.line(place.scenario), place.key.map(TerminalText.line)]
      .compactMap { $0 }.joined(separator: " ")
    return (stub, TerminalText.line(place.pointer))
  }
}

extension OrderedJSON {
  /// The members that say where a secret is.
  static func members(of place: SecretPlace) -> [(String, OrderedJSON)] {
    [
      ("scenario", .string(place.scenario)), ("key", .string(place.key)),
      ("pointer", .string(place.pointer)),
    ]
  }
}

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

extension ExceptionsFile {
  /// Reads the file, with its name in messages as the user knows it.
  init(at url: URL) throws {
    try self.init(at: url, named: TerminalText.path(url))
  }

  /// The file beside a catalog.
  init(beside catalog: URL) throws { try self.init(at: Self.url(beside: catalog)) }
}
