internal import Foundation
package import StubDBModel

/// What was done to a mirror, as paths from its folder, sorted.
package struct MirrorChanges: Hashable {
  /// Files that were not there.
  package var added: [String] = []
  /// Files that now hold something else.
  package var updated: [String] = []
  /// Files that are gone.
  package var removed: [String] = []
  /// Whether nothing was done.
  package var isEmpty: Bool { added.isEmpty && updated.isEmpty && removed.isEmpty }
}

/// Text in a mirror that writing it would lose.
package struct MirrorEdits: Error, Hashable, CustomStringConvertible {
  /// The documents, as the errors call them.
  package let paths: [String]
  /// One sentence.
  package var description: String {
    "\(paths.count == 1 ? "a document says" : "\(paths.count) documents say") what the catalog "
      + "does not, and stubdb did not write it: "
      + paths.prefix(5).joined(separator: ", ") + (paths.count > 5 ? ", …" : "")
  }
}

extension MirrorFolder {
  /// Brings the folder in step with the catalog it was compared with.
  ///
  /// Each file is replaced in one step, and only if it changes.
  /// - Parameters:
  ///   - comparison: How the folder differs.
  ///   - marker: Which catalog the folder is a mirror of from now on.
  ///   - overwriting: Whether text that somebody else wrote may be lost.
  ///   - scenario: Reads a scenario of the catalog.
  /// - Returns: What was done.
  /// - Throws: ``MirrorEdits``, and nothing was done; ``MirrorError``.
  package func write(
    _ comparison: MirrorComparison, marker: MirrorMarker, overwriting: Bool,
    scenario: (ScenarioName) throws -> Scenario?
  ) throws -> MirrorChanges {
    let isMirror = try self.marker() != nil
    var kept = comparison.current
    for entry in comparison.entries {
      guard let scenario = try scenario(entry.name) else { continue }
      let document = MirrorDocument(scenario, path: entry.path)
      kept.insert(entry.path)
      kept.formUnion(document.bodies.map(\.path))
    }
    // Before anything is written, so that a link in one place leaves all places as they were.
    for path in kept.subtracting(comparison.current).sorted() { try files.checkWritable(path) }
    try files.checkWritable(MirrorMarker.fileName)
    if !overwriting {
      let edits = edits(comparison, isMirror: isMirror)
      if !edits.isEmpty { throw MirrorEdits(paths: edits.map { "\(name)/\($0)" }) }
    }
    var changes = MirrorChanges()
    // Before anything is written: where case is folded, a new name may be an old one.
    let stale = stale(comparison, isMirror: isMirror, overwriting: overwriting)
    for path in stale.subtracting(kept).sorted() {
      try files.remove(path)
      changes.removed.append(path)
    }
    for path in comparison.temporaries { files.removeAbandoned(path) }
    try write(MirrorMarker.fileName, marker.text.utf8Data, &changes)
    if files.kind(of: MirrorMarker.attributesPath()) == nil {
      try write(MirrorMarker.attributesPath(), MirrorMarker.attributes.utf8Data, &changes)
    }
    for entry in comparison.entries {
      guard let scenario = try scenario(entry.name) else { continue }
      let document = MirrorDocument(scenario, path: entry.path)
      // A document never refers to a body that is not there.
      for file in document.bodies + [document.document] {
        try write(file.path, file.bytes, &changes)
      }
    }
    changes.added.sort()
    changes.updated.sort()
    return changes
  }

  /// Documents that hold what would be lost.
  private func edits(_ comparison: MirrorComparison, isMirror: Bool) -> [String] {
    let changed = comparison.entries.filter(\.isChanged)
    let lost = changed.compactMap(\.text).filter { !isMirror || !$0.isCanonical }
    let surplus = isMirror ? comparison.surplus.filter { !$0.isCanonical } : []
    let places = Set(comparison.entries.map(\.path))
    // A body that is missing is written again.
    let unreadable = comparison.unreadable.filter {
      places.contains($0.key) && !$0.value.isMissingFile
    }
    return (lost.map(\.path) + surplus.map(\.path) + unreadable.keys).sorted()
  }

  /// The files that the mirror had and may have no longer.
  private func stale(
    _ comparison: MirrorComparison, isMirror: Bool, overwriting: Bool
  ) -> Set<String> {
    guard isMirror || overwriting else { return [] }
    var stale: Set<String> = []
    for text in comparison.entries.compactMap(\.text) + comparison.surplus {
      stale.insert(text.path)
      stale.formUnion(text.ownFiles)
    }
    return stale
  }

  private func write(_ path: String, _ bytes: Data, _ changes: inout MirrorChanges) throws {
    let old = try files.bytes(of: path)
    if old == bytes { return }
    try files.write(bytes, to: path)
    if old == nil { changes.added.append(path) } else { changes.updated.append(path) }
  }
}
