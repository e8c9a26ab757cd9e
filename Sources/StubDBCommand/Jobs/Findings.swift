import Foundation
import StubDBCatalog
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
    let stub = [Printable.line(place.scenario), place.key.map(Printable.line)]
      .compactMap { $0 }.joined(separator: " ")
    return (stub, Printable.line(place.pointer))
  }
}

extension OrderedJSON {
  /// The members that say where a secret is.
  static func members(of place: SecretPlace) -> [(name: String, value: OrderedJSON)] {
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

/// The file of exceptions from `stubdb scan`.
struct ExceptionsFile {
  private static let fileName = ".stubdb-scan.json"

  private let url: URL
  private var exceptions: ScanExceptions

  /// Reads the file; one that is not there has no exceptions.
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

  /// Where the file of a catalog is.
  static func url(beside catalog: URL) -> URL {
    catalog.deletingLastPathComponent().appendingPathComponent(fileName)
  }

  /// What messages call the file.
  var name: String { CatalogLocator.display(url) }

  /// What an exception calls a secret; nil where the file has no salt yet.
  func fingerprint(of finding: SecretFinding) -> String? {
    exceptions.salt.map { Self.fingerprint(finding.secret.revealed, $0) }
  }

  /// The findings that may not stand, and the numbers of the entries that are about none, from 1.
  func sort(_ findings: [SecretFinding]) -> (findings: [SecretFinding], stale: [Int]) {
    guard !exceptions.entries.isEmpty else { return (findings, []) }
    var used: Set<Int> = []
    let salt = exceptions.salt ?? ""
    let left = findings.filter { finding in
      let index = exceptions.index(for: finding) { Self.fingerprint($0, salt) }
      if let index { used.insert(index) }
      return index == nil
    }
    return (left, exceptions.entries.indices.filter { !used.contains($0) }.map { $0 + 1 })
  }

  /// Adds the findings that may not stand yet, one entry a secret, and returns how many.
  mutating func accept(_ findings: [SecretFinding], reason: String) throws -> Int {
    let salt =
      exceptions.salt
      ?? (0..<16).map { _ in String(UInt8.random(in: 16...255), radix: 16) }.joined()
    var added: [ScanExceptions.Entry] = []
    for finding in sort(findings).findings {
      let entry = ScanExceptions.Entry(
        kind: finding.kind, fingerprint: Self.fingerprint(finding.secret.revealed, salt),
        reason: reason)
      if !added.contains(entry) { added.append(entry) }
    }
    if added.isEmpty { return 0 }
    exceptions.salt = salt
    exceptions.entries += added
    do {
      try Data(exceptions.text.utf8).write(to: url, options: .atomic)
    } catch {
      throw CommandFailure("cannot write \(name): \(error.localizedDescription)")
    }
    return added.count
  }

  private static func fingerprint(_ secret: String, _ salt: String) -> String {
    String(SHA256.hexadecimal(of: Data("\(salt):\(secret)".utf8)).prefix(32))
  }
}
