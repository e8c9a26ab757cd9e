package import Foundation
internal import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBChanges
internal import StubDBJobs
package import StubDBModel

/// Merges three catalog files and writes the result to a file.
package struct CatalogMerger {
  /// Nil if the two have nothing in common.
  private let base: URL?
  private let ours: URL
  private let theirs: URL
  /// Whether all three are earlier versions, of which git makes the base of the merge that was asked for.
  ///
  /// Conflicts in them can no longer be settled.
  package var isOfBases = false
  /// Throws if our file is no longer the one that was merged; called while it is locked.
  package var requireUnchanged: () throws -> Void = {}

  /// The result of a merge.
  package struct Result: Sendable {
    /// All conflicts of the file that was written, those of earlier merges included.
    package let conflicts: [Conflict]
    /// The scenarios that were written; what cannot be played of them is written too.
    package let written: [Scenario]
  }

  package init(base: URL?, ours: URL, theirs: URL) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  /// Merges into a file.
  ///
  /// A merge that would lose a version of a conflict which is not settled yet is refused. If the result is written to our file, that is replaced in one step; if anything fails, it stays unchanged.
  package func merge(into output: URL) throws -> Result {
    let old = try base.map(side) ?? (NoScenarios(), [])
    let (left, right) = (try side(ours), try side(theirs))
    let open = OpenConflicts(
      base: old.conflicts, ours: left.conflicts, theirs: right.conflicts)
    var merged = try JobProgress.during(.merging) { progress in
      try CatalogMerge.merge(
        base: old.scenarios, ours: left.scenarios, theirs: right.scenarios, open: open,
        progress: progress)
    }
    let lost = merged.carry(open)
    if !isOfBases, let first = lost.first {
      throw JobError(
        .refused,
        """
        \(first) has a conflict of an earlier merge that is not settled, and this merge has another version of it
        """,
        hints: [
          """
          Stop this merge (git merge --abort, or git rebase --abort), settle the conflict with stubdb resolve on the \
          branch that has it, commit, and merge again.
          """
        ])
    }
    try write(merged, to: output)
    return Result(
      conflicts: try Catalog(contentsOf: output).conflicts(), written: merged.written)
  }

  private func side(
    _ url: URL
  ) throws -> (scenarios: any ScenarioSource & Sendable, conflicts: [Conflict]) {
    // Git passes an empty file for a version that does not exist.
    if url.isEmptyFile { return (NoScenarios(), []) }
    let snapshot = try CatalogSnapshot(contentsOf: url)
    let conflicts = snapshot.conflicts
    return (CatalogScenarios(snapshot), conflicts)
  }

  private func write(_ merged: MergedScenarios, to url: URL) throws {
    guard ours.isEmptyFile else {
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
