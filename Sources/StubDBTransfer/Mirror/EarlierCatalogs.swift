package import Foundation
internal import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBMirror
internal import StubDBModel

/// Earlier states of a catalog: the staged one, and those of the commits that changed it last.
///
/// A document of a mirror that says what the catalog once said was not edited by hand.
package final class EarlierCatalogs {
  private let name: String
  private let states: () -> [() -> Data?]
  /// The states read so far, newest first.
  private var snapshots: [CatalogSnapshot] = []
  private lazy var unread = states()

  /// - Parameters:
  ///   - name: The catalog in messages.
  ///   - states: The states, oldest first, each of which is read when it is needed; nil for one that cannot be.
  package init(of name: String, states: @escaping () -> [() -> Data?]) {
    (self.name, self.states) = (name, states)
  }

  /// Whether an earlier state gives these files for a document.
  package func give(_ text: MirrorFolder.EditedText) -> Bool {
    var index = 0
    while let snapshot = snapshot(index) {
      // A state that cannot be read gives nothing.
      if let scenario = try? snapshot.scenario(named: text.scenario),
        text.files.isSubset(of: MirrorDocument(scenario, path: text.path).files)
      {
        return true
      }
      index += 1
    }
    return false
  }

  /// The state with this index, which is read from git when it is needed; nil after the last one.
  private func snapshot(_ index: Int) -> CatalogSnapshot? {
    while !snapshots.indices.contains(index), let read = unread.popLast() {
      if let bytes = read(), let state = try? CatalogSnapshot(bytes: bytes, name: name) {
        snapshots.append(state)
      }
    }
    return snapshots.indices.contains(index) ? snapshots[index] : nil
  }
}
