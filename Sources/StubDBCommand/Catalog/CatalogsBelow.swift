import Foundation

/// The catalogs in the folders below one, as a hint for users in a folder above the catalog.
struct CatalogsBelow {
  /// Their relative paths, the nearest first; at most a few.
  let paths: [String]

  private static let maximumCount = 3
  private static let maximumDepth = 4
  /// How many folders are read at most, so that the hint comes immediately.
  private static let maximumFolders = 400
  /// Folders of tools, which contain copies.
  private static let skipped: Set<String> = ["node_modules", "build", "DerivedData", "Pods"]

  init(_ root: URL) {
    var paths: [String] = []
    var (level, folders) = ([""], 0)
    for _ in 0...Self.maximumDepth where paths.count < Self.maximumCount {
      var next: [String] = []
      for folder in level where folders < Self.maximumFolders {
        folders += 1
        let url = root.appendingPathComponent(folder, isDirectory: true)
        // Folders that cannot be read, or have names that cannot be decoded, are skipped.
        paths += ((try? CatalogLocator.catalogNames(in: url)) ?? []).map { folder + $0 }
        next += Self.folders(in: url).map { "\(folder)\($0)/" }
      }
      level = next
    }
    self.paths = Array(paths.prefix(Self.maximumCount))
  }

  private static func folders(in folder: URL) -> [String] {
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])
    return (entries ?? []).filter { entry in
      !skipped.contains(entry.lastPathComponent)
        && (try? entry.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }.map(\.lastPathComponent).sorted()
  }
}
