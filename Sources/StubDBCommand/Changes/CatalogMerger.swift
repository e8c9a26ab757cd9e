import Foundation
import StubDBCatalog
import StubDBChanges
import StubDBModel

/// Merges three catalog files and writes the result to a file.
struct CatalogMerger {
  let base: URL
  let ours: URL
  let theirs: URL

  /// Merges into a file, and returns all conflicts of the result.
  ///
  /// If the result is written to our file, that is replaced in one step; if anything fails, it stays unchanged.
  func merge(into output: URL) throws -> [Conflict] {
    let progress = ProgressLine("Merging")
    defer { progress.end() }
    let (old, left, right) = (try side(base), try side(ours), try side(theirs))
    var merged = try CatalogMerge.merge(
      base: old.scenarios, ours: left.scenarios, theirs: right.scenarios
    ) { done, count in
      progress.show(done, of: count, "scenario")
    }
    merged.carry(base: old.conflicts, ours: left.conflicts, theirs: right.conflicts)
    if output != ours { try copy(ours, to: output) }
    try write(merged, to: output)
    for note in WriteCheck.notes(on: merged.written) { Console.note(note) }
    return try Catalog(contentsOf: output).conflicts()
  }

  private func side(
    _ url: URL
  ) throws -> (scenarios: any ScenarioSource, conflicts: [Conflict]) {
    // Git passes an empty file for a version that does not exist.
    if FileSize.isEmpty(url) { return (NoScenarios(), []) }
    _ = try CatalogLocator().open(url.path)
    let snapshot = try CatalogSnapshot(contentsOf: url)
    return (CatalogScenarios(snapshot), snapshot.conflicts)
  }

  private func copy(_ source: URL, to target: URL) throws {
    do {
      try Data(contentsOf: source).write(to: target, options: .atomic)
    } catch {
      throw CommandFailure("cannot write \(target.path): \(error.localizedDescription)")
    }
  }

  private func write(_ merged: MergedScenarios, to url: URL) throws {
    if FileSize.isEmpty(url) {
      try FileManager.default.removeItem(at: url)
      try Catalog.create(at: url)
    }
    try Catalog(contentsOf: url).edit { try $0.apply(merged) }
  }
}
