package import Foundation

extension LockFile {
  /// Where the lock file of a folder may be, the nearest first: in the folder, and in those above it up to the top of
  /// its git repository, or to the home folder.
  ///
  /// Where there is no repository, a folder above may be anybody's: the search ends below one that belongs neither to
  /// the user nor to the owner of the folder, and below one that all may write to, such as `/tmp`.
  package static func candidates(
    for folder: URL, home: String = NSHomeDirectory()
  ) -> [URL] {
    let manager = FileManager.default
    let home = URL(fileURLWithPath: home, isDirectory: true).standardizedFileURL.path
    var found: [URL] = []
    var current = folder.standardizedFileURL
    let owners = [geteuid(), status(of: current)?.st_uid]
    while true {
      found.append(current.appendingPathComponent(fileName))
      let isTop =
        current.path == home
        || manager.fileExists(atPath: current.appendingPathComponent(".git").path)
      let above = current.deletingLastPathComponent().standardizedFileURL
      // The folder above the root is written `/..`.
      if isTop || above.path == current.path || above.path.hasSuffix("/..") { return found }
      guard let status = status(of: above), owners.contains(status.st_uid),
        // The sticky bit: all may make files there.
        mode_t(status.st_mode) & 0o1000 == 0
      else { return found }
      current = above
    }
  }

  private static func status(of folder: URL) -> stat? {
    var status = stat()
    return stat(folder.path, &status) == 0 ? status : nil
  }
}
