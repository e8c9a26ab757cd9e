import Foundation
import StubDBCatalog
import StubDBJSON
import StubDBMirror
import StubDBModel
import StubDBSupport

/// Makes a catalog match the documents of a folder.
struct MirrorImport {
  let mirror: MirrorFolder
  let folder: String
  let catalogPath: String?

  func run() throws {
    let content: MirrorFolder.Content
    do {
      content = try mirror.content()
    } catch let errors as MirrorTextErrors {
      throw CommandError(
        errors.messages.prefix(20).joined(separator: "\n"),
        hints: ["The catalog was not changed."])
    }
    guard !content.scenarios.isEmpty else {
      throw CommandError(
        "\(folder) contains no documents of scenarios, so the catalog was not changed")
    }
    let owner = try MirrorOwner(of: mirror, folder: folder)
    let (catalog, isNew) = try open(owner)
    do {
      try take(content.scenarios, into: catalog, isMirror: owner.isMirror)
      if owner.isMirror { try mirror.recordAgreement(on: content) }
    } catch {
      // The new catalog is removed after a failure.
      if isNew { try? FileManager.default.removeItem(at: catalog.url) }
      throw error
    }
  }

  /// The given or found catalog, else the one that the folder is a mirror of.
  private func open(_ owner: MirrorOwner) throws -> (catalog: Catalog, isNew: Bool) {
    let locator = CatalogLocator()
    let isNamed = catalogPath != nil || locator.environment[CatalogLocator.variable] != nil
    let url = try (isNamed ? nil : owner.catalog) ?? locator.locate(catalogPath)
    if FileManager.default.fileExists(atPath: url.path) {
      try owner.refuseReading(into: url)
      return (try locator.open(url.path), false)
    }
    return (try Catalog.create(at: url), true)
  }

  /// The error for a document that cannot be played, with its file.
  private func refused(
    _ problem: WriteCheck.Problem, in scenario: Scenario, among scenarios: [Scenario]
  ) -> CommandError {
    let path = MirrorLayout(scenarios.map(\.name)).path(of: scenario.name)
    return CommandError(
      "\(folder)/\(path): /stubs/\(problem.index)\(problem.pointer): \(problem.reason)",
      hints: ["The catalog was not changed."])
  }

  private func take(_ scenarios: [Scenario], into catalog: Catalog, isMirror: Bool) throws {
    let progress = ProgressLine("Reading")
    defer { progress.end() }
    let name = CatalogLocator.display(catalog.url)
    var lines: [String] = []
    try catalog.edit { editor in
      let kept = Set(scenarios.map(\.name))
      var existing = Set(try editor.scenarioNames())
      for (index, scenario) in scenarios.enumerated() {
        progress.show(index, of: scenarios.count, "scenario")
        let isThere = existing.remove(scenario.name) != nil
        let before = isThere ? try editor.scenario(named: scenario.name) : nil
        if before.hasSameText(as: scenario) { continue }
        if let problem = WriteCheck.problem(
          of: scenario.stubs, besides: before?.stubs ?? [], in: scenario.name)
        {
          throw refused(problem, in: scenario, among: scenarios)
        }
        try editor.replace(decoded: scenario)
        lines.append("\(isThere ? "updated" : "added")  \(scenario.name)")
      }
      // A folder that is not a mirror may contain only some of the scenarios.
      guard isMirror else { return }
      for name in existing.sorted() where !kept.contains(name) {
        try editor.removeScenario(name)
        lines.append("removed  \(name)")
      }
    }
    progress.end()
    for line in lines { try Console.line(line) }
    Console.note(
      lines.isEmpty
        ? "\(name) already had the same content."
        : "\(name) now has the content of \(folder): \(Plural.of(scenarios.count, "scenario")).")
  }
}
