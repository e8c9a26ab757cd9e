import ArgumentParser
import Foundation
import StubDBCatalog
import StubDBDescriptions
import StubDBDocuments
import StubDBDrift
import StubDBEditing
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSecrets
import StubDBSupport
import StubDBTransfer

/// Compares the stubs of a catalog with a description of the API.
struct OpenAPICheckJob {
  let catalog: Catalog
  let command: RootCommand.Check

  func run(_ path: String) throws {
    let (file, check) = try command.output.preparing(command.catalog, for: "check") {
      let file = try DriftFile(given: command.exceptionsPath, beside: catalog.url)
      let check = try checked(path)
      if command.keep { try keep(check, path) }
      return (file, check)
    }
    let findings = check.findings.filter { !file.accepts($0.place) }
    let isPrinted = try command.output.print(
      "check", findings.map { .init($0) } + (command.coverage ? check.gaps.map { .init($0) } : []),
      rules: OpenAPIFinding.rules, of: catalog, among: command.selects)
    if command.json {
      try Console.write(check.json(findings, withGaps: command.coverage).text)
    } else {
      if !isPrinted { try writeLines(check, findings) }
      note(check, findings, excepted: check.findings.count - findings.count, file)
    }
    if findings.contains(where: { $0.level == .error }) { throw ExitCode(2) }
  }

  private func checked(_ path: String) throws -> OpenAPICheck {
    guard !CatalogLocator.isURL(path) else {
      throw CommandError(
        "--openapi takes a file, and \(TerminalText.quoted(path)) is a URL",
        hints: ["To get it first: curl -fL --output api.yaml \(ShellWord.quoted(path))"])
    }
    // Descriptions are no stubs.
    let scenarios =
      try command.selection.map { try catalog.selected([$0], for: "check") }
      ?? catalog.allScenarios().filter { !KeptDescription.isKept(in: $0) }
    return try OpenAPICheck(of: scenarios, against: CatalogLocator().resolve(path), named: path)
  }

  private func keep(_ check: OpenAPICheck, _ path: String) throws {
    let file = CatalogLocator().resolve(path).lastPathComponent
    let description = try check.kept(file: file)
    let keeping = try DescriptionKeeping(description)
    try keeping.write(to: try command.catalog.open())
    Console.note(
      "Kept \(Plural.of(description.operations.count, "operation")) of \(TerminalText.line(file)) as \(keeping.name) in "
        + "\(TerminalText.path(catalog.url)). Tests check requests with validatesRequests: true, and stubdb serve with "
        + "--validate.")
  }

  private func writeLines(_ check: OpenAPICheck, _ findings: [OpenAPIFinding]) throws {
    for finding in findings {
      let place = [
        finding.scenario.rawValue, TerminalText.line(finding.key.rawValue),
        TerminalText.line(finding.pointer),
      ].filter { !$0.isEmpty }.joined(separator: " ")
      try Console.line(
        "\(Style.output.bold(place)): \(level(finding)) \(finding.id.rawValue): "
          + TerminalText.line(finding.message))
    }
    guard command.coverage else { return }
    for gap in check.gaps {
      let operation = TerminalText.line("\(gap.method) \(gap.path)")
      try Console.line(
        gap.status.map { "\(operation): no stub answers with \(TerminalText.line($0))" }
          ?? "\(operation): no stub")
    }
  }

  private func level(_ finding: OpenAPIFinding) -> String {
    switch finding.level {
    case .error: Style.output.red("error")
    case .warning: Style.output.yellow("warning")
    case .note: Style.output.dim("note")
    }
  }

  private func note(
    _ check: OpenAPICheck, _ findings: [OpenAPIFinding], excepted: Int, _ file: DriftFile
  ) {
    for reference in check.unread {
      Console.note(
        "Inconclusive: the description refers to \(TerminalText.quoted(reference)), which is not "
          + "read; anything fits there.")
    }
    for unknown in check.unknown {
      Console.note(
        "Inconclusive: \(unknown.scenario) \(TerminalText.line(unknown.key.rawValue)): "
          + "\(TerminalText.line(unknown.reason)).")
    }
    let counts = OpenAPIFinding.Level.allCases.compactMap { level in
      let count = findings.count { $0.level == level }
      return count == 0 ? nil : Plural.of(count, level.rawValue)
    }
    var parts = [counts.isEmpty ? "no problems" : counts.joined(separator: ", ")]
    if excepted > 0 { parts.append("\(excepted) excepted in \(file.name)") }
    let unknownCount = check.unknown.count + check.unread.count
    if unknownCount > 0 { parts.append("\(unknownCount) inconclusive") }
    if command.coverage { parts.append("\(check.gaps.count) without a stub") }
    Console.note(
      "\(TerminalText.path(catalog.url)) against the description: "
        + parts.joined(separator: "; ") + ".")
  }
}

extension OpenAPIFinding {
  fileprivate var place: DriftPlace {
    DriftPlace(
      scenario: scenario.rawValue, key: key.rawValue, pointer: pointer, id: id.rawValue)
  }
}
