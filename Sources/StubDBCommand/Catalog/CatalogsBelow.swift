import Foundation

/// The catalogs in the folders below one, for the person who stands too high.
struct CatalogsBelow {
  /// Their paths from the folder, the nearest first; only a few.
  let paths: [String]

  private static let maximumCount = 3
  private static let maximumDepth = 4
  /// How many folders are read: the answer is a hint and must come at once.
  private static let maximumFolders = 400
  /// Folders of tools, which hold copies.
  private static let skipped: Set<String> = ["node_modules", "build", "DerivedData", "Pods"]

  init(_ root: URL) {
    var paths: [String] = []
    var (level, folders) = ([""], 0)
    for _ in 0...Self.maximumDepth where paths.count < Self.maximumCount {
      var next: [String] = []
      for folder in level where folders < Self.maximumFolders {
        folders += 1
        let url = root.appendingPathComponent(folder, isDirectory: true)
        // A folder that cannot be read, or that has names that cannot, gives no hint.
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
