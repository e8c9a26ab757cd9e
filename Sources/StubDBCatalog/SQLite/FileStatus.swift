internal import Foundation

/// What the file system says about a path, symbolic links followed.
///
/// Never opens the file: opening and closing it would drop the locks of every connection that this
/// process has on it.
struct FileStatus {
  let device: UInt64
  let inode: UInt64
  let byteCount: Int
  let permissions: mode_t
  let isFolder: Bool

  /// Nil where there is nothing at the path.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    byteCount = Int(status.st_size)
    permissions = mode_t(status.st_mode) & 0o7777
    isFolder = mode_t(status.st_mode) & S_IFMT == S_IFDIR
  }

  /// Whether two paths were the same file.
  func isSameFile(as other: FileStatus?) -> Bool {
    other.map { $0.device == device && $0.inode == inode } ?? false
  }
}
