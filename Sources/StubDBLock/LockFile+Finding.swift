package import Foundation

extension LockFile {
  /// Where the lock file of a folder may be, the nearest first: in the folder, and in those above it up to the top of
  /// its git repository, or to the home folder.
  ///
  /// None is in a folder that all may write to, such as `/tmp`, where any user may have put it. Where there is no
  /// repository, a folder above may belong to any user: the search ends below one that belongs neither to the user nor to the
  /// owner of the folder.
  package static func candidates(
    for folder: URL, home: String = NSHomeDirectory()
  ) -> [URL] {
    let manager = FileManager.default
    let home = URL(fileURLWithPath: home, isDirectory: true).standardizedFileURL.path
    var found: [URL] = []
    var current = folder.standardizedFileURL
    if isOpenToAll(current) { return [] }
    let owners = [geteuid(), status(of: current)?.st_uid]
    while true {
      found.append(current.appendingPathComponent(fileName))
      let isTop =
        current.path == home
        || manager.fileExists(atPath: current.appendingPathComponent(".git").path)
      let above = current.deletingLastPathComponent().standardizedFileURL
      // The folder above the root is written `/..`.
      if isTop || above.path == current.path || above.path.hasSuffix("/..") { return found }
      guard let status = status(of: above), owners.contains(status.st_uid), !isOpenToAll(above)
      else { return found }
      current = above
    }
  }

  /// Whether all may make files in a folder, and none may remove those of others: the sticky bit says so.
  ///
  /// A folder that all may write to without it is one of a single user, such as one of a Windows drive.
  package static func isOpenToAll(_ folder: URL) -> Bool {
    status(of: folder).map { mode_t($0.st_mode) & 0o1002 == 0o1002 } ?? false
  }

  private static func status(of folder: URL) -> stat? {
    var status = stat()
    return stat(folder.path, &status) == 0 ? status : nil
  }
}
