import Foundation
import StubDBCatalog
import StubDBCatalogEditing
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
    let url = try place(owner)
    if FileManager.default.fileExists(atPath: url.path) {
      try owner.refuseReading(into: url)
      let catalog = try CatalogLocator().open(url.path)
      try take(content.scenarios, into: url, isMirror: owner.isMirror) { try catalog.edit($0) }
    } else {
      try take(content.scenarios, into: url, isMirror: owner.isMirror) {
        try Catalog.create(at: url, $0)
      }
    }
    if owner.isMirror { try mirror.recordAgreement(on: content) }
  }

  /// The path of the given or found catalog, else of the one that the folder is a mirror of.
  private func place(_ owner: MirrorOwner) throws -> URL {
    let locator = CatalogLocator()
    let isNamed = catalogPath != nil || locator.environment[CatalogLocator.variable] != nil
    return try (isNamed ? nil : owner.catalog) ?? locator.locate(catalogPath)
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

  /// Takes the documents in with one edit, of a catalog that is there or of a new one.
  private func take(
    _ scenarios: [Scenario], into url: URL, isMirror: Bool,
    by edit: ((inout CatalogEditor) throws -> Void) throws -> Void
  ) throws {
    let progress = ProgressLine("Reading")
    defer { progress.end() }
    let name = CatalogLocator.display(url)
    var lines: [String] = []
    try edit { editor in
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
