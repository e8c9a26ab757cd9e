import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport

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

/// The file of exceptions beside a catalog.
struct ExceptionsFile {
  private let url: URL
  private var exceptions: ScanExceptions

  /// Reads the file; a missing file means no exceptions.
  init(at url: URL) throws {
    self.url = url
    guard FileManager.default.fileExists(atPath: url.path) else {
      exceptions = ScanExceptions()
      return
    }
    let name = CatalogLocator.display(url)
    exceptions = try ScanExceptions(
      parsing: DocumentSource.data(at: url, named: name), file: name)
  }

  /// The location of a catalog's file.
  static func url(beside catalog: URL) -> URL {
    catalog.deletingLastPathComponent().appendingPathComponent(ScanExceptions.fileName)
  }

  /// The name of the file in messages.
  var name: String { CatalogLocator.display(url) }

  /// The digest that identifies a secret in the file; nil if the file has no salt yet.
  func fingerprint(of finding: SecretFinding) -> String? {
    exceptions.salt.map { ScanExceptions.fingerprint(of: finding, salt: $0, hash: Self.hash) }
  }

  /// Findings without an exception, and the 1-based numbers of exceptions without a finding.
  func sort(_ findings: [SecretFinding]) -> (findings: [SecretFinding], stale: [Int]) {
    exceptions.sort(findings, hash: Self.hash)
  }

  /// Adds an exception for each secret without one, writes the file, and returns how many were added.
  mutating func accept(_ findings: [SecretFinding], reason: String) throws -> Int {
    let count = exceptions.accept(findings, reason: reason, hash: Self.hash)
    if count == 0 { return 0 }
    do {
      try Data(exceptions.text.utf8).write(to: url, options: .atomic)
    } catch {
      throw CommandError("cannot write \(name): \(FileFailure.writing(error))")
    }
    return count
  }

  private static func hash(_ data: Data) -> String { SHA256Digest.hexadecimal(of: data) }
}
