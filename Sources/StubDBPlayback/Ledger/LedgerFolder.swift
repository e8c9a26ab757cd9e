import Foundation

/// Finds the folder of the usage ledger.
package enum LedgerFolder {
  /// The variable that names the folder.
  package static let variable = "STUBDB_LEDGER"
  /// The folder that switches the ledger on by being there.
  package static let path = ".stubdb/ledger"
  /// The folder inside it in which repeated tests write, in lines of their own.
  package static let sweeps = "sweeps"

  /// The folder that the variable names, else the nearest `.stubdb/ledger` at or above one of the other folders; nil if
  /// there is none.
  ///
  /// The search ends at the top of the git repository, as the one for the catalog does. A folder that the variable
  /// names need not exist yet.
  package static func locate(
    environment: [String: String], currentFolder: String, alsoAbove others: [String] = []
  ) -> String? {
    if let named = environment[variable], !named.isEmpty {
      return URL(
        fileURLWithPath: NSString(string: named).expandingTildeInPath,
        relativeTo: URL(fileURLWithPath: currentFolder, isDirectory: true)
      ).standardizedFileURL.path
    }
    for start in [currentFolder] + others {
      for folder in foldersUpward(from: start) {
        let candidate = folder.appendingPathComponent(path)
        if isFolder(candidate) { return candidate.path }
      }
    }
    return nil
  }

  /// The path of a catalog relative to the top of its git repository, else the absolute path.
  ///
  /// So the ledgers of several machines name a catalog in the same way.
  package static func name(ofCatalog path: String) -> String {
    let file = URL(fileURLWithPath: path).standardizedFileURL
    guard let top = foldersUpward(from: file.deletingLastPathComponent().path).last,
      isRepository(top)
    else { return file.path }
    let prefix = top.path == "/" ? "/" : top.path + "/"
    return String(file.path.dropFirst(prefix.count))
  }

  /// The folder, its parent, and so on up to the top of the git repository, or up to the root.
  private static func foldersUpward(from path: String) -> [URL] {
    var folders = [URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL]
    while let last = folders.last, last.path != "/", !isRepository(last) {
      let above = last.deletingLastPathComponent().standardizedFileURL
      guard above.path.count < last.path.count else { break }
      folders.append(above)
    }
    return folders
  }

  private static func isRepository(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(".git").path)
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
