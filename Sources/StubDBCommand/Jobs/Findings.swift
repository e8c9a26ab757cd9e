import Foundation
import StubDBCatalogEditing
import StubDBJobs
import StubDBSecrets
import StubDBTransfer

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

extension ExceptionsFile {
  /// Reads the file, with its name in messages as the user knows it.
  init(at url: URL) throws {
    try self.init(at: url, named: TerminalText.path(url))
  }

  init(beside catalog: URL) throws { try self.init(at: Self.url(beside: catalog)) }
}

extension CatalogScan {
  /// The findings; shows the progress on the terminal.
  static func shown(
    in snapshot: CatalogSnapshot, of catalog: URL? = nil
  ) throws -> [SecretFinding] {
    let progress = ProgressLine("Scanning")
    defer { progress.end() }
    return try findings(in: snapshot, of: catalog) { progress.show($0, of: $1, "scenario") }
  }
}
