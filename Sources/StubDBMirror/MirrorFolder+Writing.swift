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
  /// A document, with its bodies, that differs from the catalog and from what stubdb wrote.
  package struct EditedText {
    /// The scenario of the document.
    package let scenario: ScenarioName
    /// The path of the document.
    package let path: String
    /// The document and its bodies, as they are on the disk, without leftovers of a merge.
    package let files: Set<MirrorDocument.File>
  }

  /// Updates the folder with the catalog that it was compared with.
  ///
  /// Each file is replaced in one step, and only if it changes.
  /// - Parameters:
  ///   - comparison: The differences of the folder.
  ///   - marker: The catalog that the folder is a mirror of from now on.
  ///   - overwriting: Whether edits by others may be overwritten.
  ///   - leftovers: Files that are as a merge left them, and so are not edits.
  ///   - isEarlier: Whether an earlier state of the catalog gives a document, which then is not an edit.
  ///   - scenario: Reads a scenario of the catalog.
  /// - Returns: The changes that were made.
  /// - Throws: ``MirrorEdits`` if nothing was done because of edits; ``MirrorError``.
  package func write(
    _ comparison: MirrorComparison, marker: MirrorMarker, overwriting: Bool,
    leftovers: Set<String> = [], isEarlier: (EditedText) throws -> Bool,
    scenario: (ScenarioName) throws -> Scenario?
  ) throws -> MirrorChanges {
    let isMirror = try self.marker() != nil
    let kept = try paths(afterWriting: comparison, scenario)
    // Checked before anything is written, so that a link in one place leaves all places unchanged.
    for path in kept.subtracting(comparison.current).sorted() { try files.checkWritable(path) }
    try files.checkWritable(MirrorMarker.fileName)
    if !overwriting {
      let edits = try edits(
        comparison, isMirror: isMirror, leftovers: leftovers, isEarlier: isEarlier)
      if !edits.isEmpty { throw MirrorEdits(paths: edits.map { "\(name)/\($0)" }) }
    }
    var changes = MirrorChanges()
    // Checked before anything is written: on a file system that ignores case, a new name may equal an old one.
    var stale = stale(comparison, isMirror: isMirror, overwriting: overwriting)
    if isMirror { stale.formUnion(leftovers.intersection(comparison.unreadable.keys)) }
    for path in stale.subtracting(kept).sorted() {
      try files.remove(path)
      changes.removed.append(path)
    }
    for path in comparison.temporaries { files.removeAbandoned(path) }
    try write(MirrorMarker.fileName, marker.text.utf8Data, &changes)
    if files.kind(of: MirrorMarker.attributesName) == nil {
      try write(MirrorMarker.attributesName, MirrorMarker.attributes.utf8Data, &changes)
    }
    try writeEntries(of: comparison, scenario, &changes)
    changes.added.sort()
    changes.updated.sort()
    return changes
  }

  /// The files of the mirror when all is written.
  private func paths(
    afterWriting comparison: MirrorComparison, _ scenario: (ScenarioName) throws -> Scenario?
  ) throws -> Set<String> {
    var paths = comparison.current
    for entry in comparison.entries {
      guard let scenario = try scenario(entry.name) else { continue }
      let document = MirrorDocument(scenario, path: entry.path)
      paths.insert(entry.path)
      paths.formUnion(document.bodies.map(\.path))
    }
    return paths
  }

  /// Writes the scenarios that differ, and records the files of all.
  private func writeEntries(
    of comparison: MirrorComparison, _ scenario: (ScenarioName) throws -> Scenario?,
    _ changes: inout MirrorChanges
  ) throws {
    var record = comparison.record
    for entry in comparison.entries {
      guard let scenario = try scenario(entry.name) else { continue }
      let document = MirrorDocument(scenario, path: entry.path)
      // A document must never refer to a missing body.
      for file in document.bodies + [document.document] {
        try write(file.path, file.bytes, &changes)
        record.note(file)
      }
    }
    try record.save(in: files)
  }

  /// Whether ``write(_:marker:overwriting:leftovers:isEarlier:scenario:)`` refuses to write unless it may overwrite.
  package func hasEdits(
    _ comparison: MirrorComparison, leftovers: Set<String> = [],
    isEarlier: (EditedText) throws -> Bool
  ) throws -> Bool {
    try !edits(
      comparison, isMirror: marker() != nil, leftovers: leftovers, isEarlier: isEarlier
    ).isEmpty
  }

  /// Whether the folder recorded these files when it last agreed with its catalog.
  package func hasRecorded(_ text: EditedText) throws -> Bool {
    try MirrorRecord(of: files).contains(text.files)
  }

  /// Documents with edits that would be lost.
  private func edits(
    _ comparison: MirrorComparison, isMirror: Bool, leftovers: Set<String>,
    isEarlier: (EditedText) throws -> Bool
  ) throws -> [String] {
    let record = try MirrorRecord(of: files)
    func isEdited(_ text: MirrorText) throws -> Bool {
      let own = try files.files(of: text).filter { !leftovers.contains($0.path) }
      let text = EditedText(scenario: text.scenario.name, path: text.path, files: Set(own))
      return try !record.contains(text.files) && !isEarlier(text)
    }
    let changed = comparison.entries.filter(\.isChanged)
    let lost = try changed.compactMap(\.text).filter { try !isMirror || isEdited($0) }
    let surplus = isMirror ? try comparison.surplus.filter(isEdited) : []
    let places = Set(comparison.entries.map(\.path))
    // A missing body is written again.
    let unreadable = comparison.unreadable.filter {
      places.contains($0.key) && !$0.value.isMissingFile && !leftovers.contains($0.key)
    }
    return (lost.map(\.path) + surplus.map(\.path) + unreadable.keys).sorted()
  }

  /// Files that no longer belong to the mirror.
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
