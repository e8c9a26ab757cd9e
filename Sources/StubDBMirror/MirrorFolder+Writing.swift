internal import Foundation
package import StubDBModel

/// The changes that were made to a mirror, as sorted paths relative to its folder.
package struct MirrorChanges: Hashable {
  /// Files that were added.
  package var added: [String] = []
  /// Files whose content changed.
  package var updated: [String] = []
  /// Files that were removed.
  package var removed: [String] = []
  /// Whether nothing was changed.
  package var isEmpty: Bool { added.isEmpty && updated.isEmpty && removed.isEmpty }
}

/// Reports edits in a mirror that writing would overwrite.
package struct MirrorEdits: Error, Hashable, CustomStringConvertible {
  /// The documents, by their names in errors.
  package let paths: [String]
  /// One sentence.
  package var description: String {
    "\(paths.count == 1 ? "a document says" : "\(paths.count) documents say") what the catalog "
      + "does not, and stubdb did not write it: "
      + paths.prefix(5).joined(separator: ", ") + (paths.count > 5 ? ", …" : "")
  }
}

extension MirrorFolder {
  /// Updates the folder with the catalog that it was compared with.
  ///
  /// Each file is replaced in one step, and only if it changes.
  /// - Parameters:
  ///   - comparison: The differences of the folder.
  ///   - marker: The catalog that the folder is a mirror of from now on.
  ///   - overwriting: Whether edits by others may be overwritten.
  ///   - scenario: Reads a scenario of the catalog.
  /// - Returns: The changes that were made.
  /// - Throws: ``MirrorEdits`` if nothing was done because of edits; ``MirrorError``.
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
    // Checked before anything is written, so that a link in one place leaves all places unchanged.
    for path in kept.subtracting(comparison.current).sorted() { try files.checkWritable(path) }
    try files.checkWritable(MirrorMarker.fileName)
    if !overwriting {
      let edits = edits(comparison, isMirror: isMirror)
      if !edits.isEmpty { throw MirrorEdits(paths: edits.map { "\(name)/\($0)" }) }
    }
    var changes = MirrorChanges()
    // Checked before anything is written: on a file system that ignores case, a new name may equal an old one.
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
      // A document must never refer to a missing body.
      for file in document.bodies + [document.document] {
        try write(file.path, file.bytes, &changes)
      }
    }
    changes.added.sort()
    changes.updated.sort()
    return changes
  }

  /// Whether ``write(_:marker:overwriting:scenario:)`` refuses to write unless it may overwrite.
  package func hasEdits(_ comparison: MirrorComparison) throws -> Bool {
    try !edits(comparison, isMirror: marker() != nil).isEmpty
  }

  /// Documents with edits that would be lost.
  private func edits(_ comparison: MirrorComparison, isMirror: Bool) -> [String] {
    let changed = comparison.entries.filter(\.isChanged)
    let lost = changed.compactMap(\.text).filter { !isMirror || !$0.isCanonical }
    let surplus = isMirror ? comparison.surplus.filter { !$0.isCanonical } : []
    let places = Set(comparison.entries.map(\.path))
    // A missing body is written again.
    let unreadable = comparison.unreadable.filter {
      places.contains($0.key) && !$0.value.isMissingFile
    }
    return (lost.map(\.path) + surplus.map(\.path) + unreadable.keys).sorted()
  }

  /// Files that belonged to the mirror and do not any more.
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
