#if Server
import Foundation
import NIOHTTP1
import StubDBCatalog
import StubDBJSON
import StubDBModel
import StubDBSecrets
import StubDBSupport

/// Refuses to write what `stubdb scan` finds, as `stubdb import` does: catalogs are checked in, and shared.
///
/// Secrets that are in the catalog already, or that the file of exceptions beside it accepts, are left alone.
struct SecretRefusal {
  private let isAllowed: Bool
  private let exceptions: ScanExceptions

  /// - Throws: `DocumentError` if the file of exceptions has a mistake.
  init(_ request: AdminRequest, _ catalog: Catalog) throws {
    isAllowed = request.headers.first(name: "stubdb-allow-secrets")?.lowercased() == "true"
    let file = catalog.url.deletingLastPathComponent()
      .appendingPathComponent(ScanExceptions.fileName)
    // Without a file that can be read, no secret is accepted.
    let text = isAllowed ? nil : try? Data(contentsOf: file)
    exceptions =
      try text.map { try ScanExceptions(parsing: $0, file: file.lastPathComponent) }
      ?? ScanExceptions()
  }

  /// Checks a scenario, or a stub alone, that takes the place of another one.
  ///
  /// - Throws: An ``AdminProblem``.
  func check(
    _ scenario: Scenario, besides current: Scenario?, isStub: Bool = false
  ) throws(AdminProblem) {
    if isAllowed { return }
    var scanner = SecretScanner()
    let found = scanner.findings(in: scenario, besides: current)
    let findings = exceptions.sort(found, hash: SHA256Digest.hexadecimal(of:)).findings
    guard let first = findings.first else { return }
    // A stub stands in a scenario only to be searched.
    let pointer = first.place.pointer.dropFirst(isStub ? "/stubs/0".count : 0)
    let rest = findings.count == 1 ? "" : ", and \(findings.count - 1) more"
    throw AdminProblem(
      422, "secrets", "Secrets in the document",
      "This is a secret (\(first.kind.title), \(first.secret.byteCount) bytes\(rest)), and whoever gets "
        + "the catalog could read it. Take it out, or send StubDB-Allow-Secrets: true to write it all the "
        + "same.", ["pointer": .string(String(pointer))])
  }
}
#endif
