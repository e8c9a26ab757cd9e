package import Foundation
internal import StubDBCatalog
package import StubDBCatalogEditing
package import StubDBMirror
package import StubDBModel

/// Makes a catalog match the documents of a folder.
package struct MirrorImport {
  /// A scenario that changed.
  package struct Change: Equatable {
    package enum Kind: String { case added, updated, removed }

    package let kind: Kind
    package let scenario: ScenarioName
  }

  private let owner: MirrorOwner
  private let content: MirrorFolder.Content
  private let problem: (_ scenario: CheckedScenario, _ before: Scenario?) -> String?
  private let progress: (_ done: Int, _ count: Int) -> Void

  /// Reads the documents.
  ///
  /// - Parameters:
  ///   - owner: The folder.
  ///   - problem: The place of what cannot be played in a scenario and was not in the one before, and why; nil for nothing.
  ///   - progress: Called with the number of scenarios that were taken, and with that of all.
  /// - Throws: `MirrorTextErrors` for documents with mistakes, and ``MirrorProblem/noDocuments``.
  package init(
    of owner: MirrorOwner,
    problem: @escaping (_ scenario: CheckedScenario, _ before: Scenario?) -> String?,
    progress: @escaping (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws {
    (self.owner, self.problem, self.progress) = (owner, problem, progress)
    content = try owner.mirror.content()
    if content.scenarios.isEmpty { throw MirrorProblem.noDocuments }
  }

  /// How many scenarios the documents have.
  package var scenarioCount: Int { content.scenarios.count }

  /// Takes the documents into a catalog with one edit; one that is not there is created.
  ///
  /// - Throws: ``MirrorProblem`` for the documents of another catalog, and for what cannot be played.
  package func run(into url: URL) throws -> [Change] {
    var changes: [Change] = []
    if FileManager.default.fileExists(atPath: url.path) {
      try owner.requireMirror(of: url)
      changes = try Catalog(contentsOf: url).edit { try take(into: &$0) }
    } else {
      changes = try Catalog.create(at: url) { try take(into: &$0) }
    }
    if owner.isMirror { try owner.mirror.recordAgreement(on: content) }
    return changes
  }

  private func take(into editor: inout CatalogEditor) throws -> [Change] {
    var changes: [Change] = []
    var others = Set(try editor.scenarioNames())
    for (index, scenario) in content.scenarios.enumerated() {
      progress(index, content.scenarios.count)
      let isThere = others.remove(scenario.name) != nil
      let before = isThere ? try editor.scenario(named: scenario.name) : nil
      if before == scenario { continue }
      let checked = try CheckedScenario(stubsOf: scenario)
      if let problem = problem(checked, before) {
        let path = MirrorLayout(content.scenarios.map(\.name)).path(of: scenario.name)
        throw MirrorProblem.unplayable(path: path, problem: problem)
      }
      try editor.replace(checked)
      changes.append(Change(kind: isThere ? .updated : .added, scenario: scenario.name))
    }
    // A folder that is not a mirror may contain only some of the scenarios.
    guard owner.isMirror else { return changes }
    for name in others.sorted() {
      try editor.removeScenario(name)
      changes.append(Change(kind: .removed, scenario: name))
    }
    return changes
  }
}
