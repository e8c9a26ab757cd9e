package import Foundation
package import StubDBCatalogEditing
package import StubDBMirror

/// Updates a mirror, or finds how it differs from its catalog.
package struct MirrorJob {
  /// What the documents of a folder may say without being edits.
  package struct History {
    /// Whether an earlier state of the catalog says the same.
    package var isEarlier: (MirrorFolder.EditedText) -> Bool
    /// The files that a merge left with the marks of a conflict, or with one of its sides.
    package var leftovers: () throws -> Set<String>

    package init(
      isEarlier: @escaping (MirrorFolder.EditedText) -> Bool,
      leftovers: @escaping () throws -> Set<String>
    ) {
      (self.isEarlier, self.leftovers) = (isEarlier, leftovers)
    }
  }

  package let owner: MirrorOwner
  package let snapshot: CatalogSnapshot
  private let catalog: URL
  private let history: History
  private let progress: (_ done: Int, _ count: Int) -> Void
  private var mirror: MirrorFolder { owner.mirror }

  /// - Parameters:
  ///   - owner: The folder.
  ///   - catalog: The file of the catalog.
  ///   - snapshot: The content of the catalog.
  ///   - history: What are no edits.
  ///   - progress: Called with the number of scenarios that were compared, and with that of all.
  package init(
    _ owner: MirrorOwner, of catalog: URL, _ snapshot: CatalogSnapshot, history: History,
    progress: @escaping (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) {
    (self.owner, self.catalog, self.snapshot) = (owner, catalog, snapshot)
    (self.history, self.progress) = (history, progress)
  }

  /// The differences.
  ///
  /// - Throws: ``MirrorProblem`` for a folder that is no mirror of the catalog.
  package func check() throws -> MirrorComparison {
    guard owner.isMirror else { throw MirrorProblem.notAMirror }
    try owner.requireMirror(of: catalog)
    return try compare()
  }

  /// Whether documents that differ were edited, and would be lost by an update.
  package func hasEdits(_ comparison: MirrorComparison) throws -> Bool {
    try mirror.hasEdits(
      comparison, leftovers: history.leftovers(), isEarlier: history.isEarlier)
  }

  /// Writes the files that differ.
  ///
  /// - Throws: ``MirrorProblem`` for what only `overwriting` writes over.
  package func update(
    overwriting: Bool
  ) throws -> (changes: MirrorChanges, foreign: [String]) {
    if !overwriting { try owner.requireMirror(of: catalog) }
    let comparison = try compare()
    if !overwriting { try require(comparison) }
    do {
      let changes = try mirror.write(
        comparison, marker: owner.marker(for: catalog), overwriting: overwriting,
        leftovers: history.leftovers(), isEarlier: history.isEarlier
      ) { try snapshot.scenario(named: $0) }
      return (changes, comparison.foreign)
    } catch let edits as MirrorEdits {
      throw MirrorProblem.edits(edits, isReadable: comparison.isReadable)
    }
  }

  /// Throws if the folder, which is not a mirror, contains files that no mirror of the catalog has, and if all documents
  /// of a mirror would be removed: a catalog that has nothing is more often a mistake than what was meant.
  private func require(_ comparison: MirrorComparison) throws {
    if owner.isMirror {
      let documents = comparison.differences.filter { $0.kind == .surplus }
      if snapshot.scenarios.isEmpty, !documents.isEmpty {
        throw MirrorProblem.emptyCatalog(documentCount: documents.count)
      }
    } else {
      let documents = comparison.differences
        .filter { $0.kind == .surplus || $0.kind == .unreadable }.map(\.path)
      let paths = (documents + comparison.foreign).sorted()
      if !paths.isEmpty {
        throw MirrorProblem.otherFiles(paths, haveDocuments: !documents.isEmpty)
      }
    }
  }

  private func compare() throws -> MirrorComparison {
    var done = 0
    return try mirror.compare(snapshot.scenarios.map(\.name)) { name in
      progress(done, snapshot.scenarios.count)
      done += 1
      return try snapshot.scenario(named: name)
    }
  }
}

/// Why a mirror was not written, or its documents not taken into a catalog.
package enum MirrorProblem: Error {
  case notAMirror
  /// The folder is a mirror of the catalog at this path, seen from the folder.
  case otherCatalog(String)
  /// Documents were edited.
  case edits(MirrorEdits, isReadable: Bool)
  /// The folder is no mirror, and has these files.
  case otherFiles([String], haveDocuments: Bool)
  /// The catalog has no scenarios, and all documents would be removed.
  case emptyCatalog(documentCount: Int)
  /// The folder has no documents of scenarios.
  case noDocuments
  /// A document, at this path, cannot be played; `problem` says where and why.
  case unplayable(path: String, problem: String)
}

extension MirrorOwner {
  /// - Throws: ``MirrorProblem/otherCatalog(_:)``: writing would replace the documents of another catalog, and reading
  /// would remove this catalog's scenarios.
  func requireMirror(of catalog: URL) throws(MirrorProblem) {
    if let marker, isOther(than: catalog) { throw .otherCatalog(marker.catalog) }
  }
}
