import StubDBCatalog
import StubDBModel
import StubDBSecrets

/// Tells who writes into a catalog by hand which secrets it has got.
///
/// What a program writes is refused instead: an import, the admin API and the tools of assistants. All of them go by what
/// a scan finds, was not there before, and no exception accepts.
enum SecretNotes {
  /// How many secrets are listed one by one.
  private static let mostLines = 5

  /// The lines on a scenario that was written; empty if it has got no secret.
  static func lines(
    on scenario: Scenario, before: Scenario?, in catalog: Catalog
  ) throws -> [String] {
    try lines(on: [(scenario, before)], in: catalog)
  }

  /// The lines on scenarios that got other names, or were copied; only the names are looked at.
  static func lines(
    onNames pairs: [(old: ScenarioName, new: ScenarioName)], in catalog: Catalog
  ) throws -> [String] {
    try lines(
      on: pairs.map { (Scenario(name: $0.new), Scenario(name: $0.old)) }, in: catalog)
  }

  /// The lines on several scenarios, each with the one whose place it takes.
  static func lines(
    on changes: [(scenario: Scenario, before: Scenario?)], in catalog: Catalog
  ) throws -> [String] {
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    let all = changes.flatMap { scanner.findings(in: $0.scenario, besides: $0.before) }
    let found = exceptions.sort(all).findings
    if found.isEmpty { return [] }
    let lines = found.map { "A secret is in the catalog now: \(FindingView.line($0))" }
    return lines.cut(to: mostLines) + [
      "To take it out: \(FollowUp.command("redact", "--findings", in: catalog))"
    ]
  }
}
