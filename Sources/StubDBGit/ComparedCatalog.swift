import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBChanges
import StubDBEditing
import StubDBModel
import StubDBSupport

/// One side of a comparison: a catalog's file, or a git revision of it.
enum ComparedCatalog {
  case file(URL)
  case revision(String, of: URL)

  /// The scenarios; empty if the file is empty, which git passes for a version that does not exist.
  func scenarios() throws -> any ScenarioSource {
    switch self {
    case .file(let url):
      if FileSize.isEmpty(url) { return NoScenarios() }
      return CatalogScenarios(try CatalogLocator().snapshot(at: url))
    case .revision(let revision, let url):
      let repository = try GitRepository(containing: url.deletingLastPathComponent())
      let path = try repository.path(of: url)
      let bytes = try repository.bytes(of: path, at: revision)
      if bytes.isEmpty { return NoScenarios() }
      return CatalogScenarios(try CatalogSnapshot(bytes: bytes, name: "\(revision):\(path)"))
    }
  }
}

/// A catalog as a source of a comparison or merge, which reads one scenario at a time.
struct CatalogScenarios: ScenarioSource, Sendable {
  let name: String
  let entries: [ScenarioEntry]
  private let snapshot: Locked<CatalogSnapshot>

  init(_ snapshot: sending CatalogSnapshot) {
    name = snapshot.name
    entries = snapshot.scenarios.map { scenario in
      ScenarioEntry(
        name: scenario.name, digest: scenario.digest, stubsDigest: scenario.stubsDigest,
        includes: scenario.includes, stubCount: scenario.stubCount)
    }
    self.snapshot = Locked(snapshot)
  }

  func scenario(named name: ScenarioName) throws -> Scenario {
    if let scenario = try snapshot.withLock({ try $0.scenario(named: name) }) { return scenario }
    throw NameError.scenario(name, in: self.name, among: entries.map(\.name))
  }
}

/// An editor as a source of a comparison or merge.
struct EditedScenarios: ScenarioSource {
  let editor: CatalogEditor
  let name: String
  let entries: [ScenarioEntry]

  init(_ editor: CatalogEditor, name: String) throws {
    self.editor = editor
    self.name = name
    entries = try editor.includesByScenario().map { scenario, includes in
      // Digests only save reading equal scenarios; nothing is compared here.
      ScenarioEntry(
        name: scenario, digest: .zero, stubsDigest: .zero, includes: includes, stubCount: 0)
    }
  }

  func scenario(named scenario: ScenarioName) throws -> Scenario {
    if let found = try editor.scenario(named: scenario) { return found }
    throw NameError.scenario(scenario, in: name, among: entries.map(\.name))
  }
}

extension CatalogEditor {
  /// Applies the result of a merge, or of settling its conflicts.
  mutating func apply(_ changes: MergedScenarios) throws {
    for name in changes.removed { try removeScenario(name) }
    for scenario in changes.written { try replace(CheckedScenario(stubsOf: scenario)) }
    let conflicts = Set(changes.conflicts)
    try removeConflicts { !conflicts.contains($0) }
    for conflict in changes.conflicts { try insert(conflict) }
  }
}

/// Sizes of files.
enum FileSize {
  /// Whether the file exists and is empty, as git passes it for a version that does not exist.
  static func isEmpty(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
      && (attributes?[.size] as? NSNumber)?.intValue == 0
  }
}

/// Merges three catalog files and writes the result to a file.
struct CatalogMerger {
  /// Nil if the two have nothing in common.
  let base: URL?
  let ours: URL
  let theirs: URL
  /// Whether all three are earlier versions, of which git makes the base of the merge that was asked for.
  ///
  /// Nobody can settle conflicts in them any more.
  var isOfBases = false
  /// Throws if our file is no longer the one that was merged; called while nobody else can write it.
  var requireUnchanged: () throws -> Void = {}

  /// Merges into a file, and returns all conflicts of the result.
  ///
  /// A merge that would lose a version of a conflict which is not settled yet is refused. If the result is written to our file, that is replaced in one step; if anything fails, it stays unchanged.
  func merge(into output: URL) throws -> [Conflict] {
    let progress = ProgressLine("Merging")
    defer { progress.end() }
    let old = try base.map(side) ?? (NoScenarios(), [])
    let (left, right) = (try side(ours), try side(theirs))
    let open = OpenConflicts(
      base: old.conflicts, ours: left.conflicts, theirs: right.conflicts)
    var merged = try CatalogMerge.merge(
      base: old.scenarios, ours: left.scenarios, theirs: right.scenarios, open: open
    ) { done, count in
      progress.show(done, of: count, "scenario")
    }
    let lost = merged.carry(open)
    if !isOfBases, let first = lost.first {
      throw CommandError(
        "\(first) has a conflict of an earlier merge that is not settled, and this merge has "
          + "another version of it",
        hints: [
          "Stop this merge (git merge --abort, or git rebase --abort), settle the conflict with "
            + "stubdb resolve on the branch that has it, commit, and merge again."
        ])
    }
    try write(merged, to: output)
    let problems = WriteCheck.problems(ofMerged: merged.written)
    for note in UnplayableView.lines(problems) { Console.note(note) }
    return try Catalog(contentsOf: output).conflicts()
  }

  private func side(
    _ url: URL
  ) throws -> (scenarios: any ScenarioSource & Sendable, conflicts: [Conflict]) {
    // Git passes an empty file for a version that does not exist.
    if FileSize.isEmpty(url) { return (NoScenarios(), []) }
    let snapshot = try CatalogLocator().snapshot(at: url)
    let conflicts = snapshot.conflicts
    return (CatalogScenarios(snapshot), conflicts)
  }

  private func write(_ merged: MergedScenarios, to url: URL) throws {
    guard FileSize.isEmpty(ours) else {
      let catalog = try Catalog(contentsOf: ours)
      return url == ours
        ? try catalog.edit { editor in
          try requireUnchanged()
          try editor.apply(merged)
        }
        : try catalog.editCopy(at: url) { try $0.apply(merged) }
    }
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try Catalog.create(at: url) { try $0.apply(merged) }
  }
}
