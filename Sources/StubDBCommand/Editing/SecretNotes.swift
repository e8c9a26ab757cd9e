import StubDBCatalog
import StubDBEditing
import StubDBJobs
import StubDBModel

/// Says which secrets a catalog has got from who writes into it by hand; what a program writes is refused instead.
enum SecretNotes {
  /// How many secrets are listed one by one.
  private static let mostLines = 5

  static func lines(on written: [WrittenScenario], in catalog: Catalog) throws -> [String] {
    try lines(on: written.map { ($0.after, $0.before) }, in: catalog)
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
    var rule = SecretRule(beside: catalog.url)
    let found = try changes.flatMap { try rule.findings(in: $0.scenario, besides: $0.before) }
    if found.isEmpty { return [] }
    let lines = found.map { "A secret is in the catalog now: \(FindingView.line($0))" }
    return lines.cut(to: mostLines) + [
      "To take it out: \(FollowUp.command("redact", "--findings", in: catalog))"
    ]
  }
}
