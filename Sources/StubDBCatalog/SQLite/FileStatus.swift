internal import Foundation

/// What the file system says about a path, symbolic links followed.
///
/// Never opens the file: opening and closing it would drop the locks of every connection that this
/// process has on it.
struct FileStatus {
  let byteCount: Int
  let permissions: mode_t
  let owner: uid_t
  let group: gid_t
  let isFolder: Bool
  /// Whether it is a file with bytes of its own, not a folder, pipe or device.
  let isRegularFile: Bool

  /// What tells it from every other file and from what it was before.
  let identity: FileIdentity

  /// Nil where there is nothing at the path.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    byteCount = Int(status.st_size)
    permissions = mode_t(status.st_mode) & 0o7777
    owner = status.st_uid
    group = status.st_gid
    isRegularFile = mode_t(status.st_mode) & S_IFMT == S_IFREG
    isFolder = mode_t(status.st_mode) & S_IFMT == S_IFDIR
    identity = FileIdentity(status)
  }
}
