package import Foundation

extension LockFile {
  /// Where the lock file of a folder may be, the nearest first: in the folder, and in those above it up to the top of
  /// its git repository.
  package static func candidates(for folder: URL) -> [URL] {
    let manager = FileManager.default
    var found: [URL] = []
    var current = folder.standardizedFileURL
    while true {
      found.append(current.appendingPathComponent(fileName))
      let isTop = manager.fileExists(atPath: current.appendingPathComponent(".git").path)
      let above = current.deletingLastPathComponent().standardizedFileURL
      // The folder above the root is written `/..`.
      if isTop || above.path == current.path || above.path.hasSuffix("/..") { return found }
      current = above
    }
  }
}
