internal import CStubDBSQLite
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
  /// How many names it has; more than one are hard links.
  let linkCount: Int
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
    linkCount = Int(status.st_nlink)
    isRegularFile = mode_t(status.st_mode) & S_IFMT == S_IFREG
    isFolder = mode_t(status.st_mode) & S_IFMT == S_IFDIR
    identity = FileIdentity(status)
  }

  /// Gives an open file the extended attributes and the access list of the file at a path, as far as the system lets it.
  static func copyAttributes(of path: String, to descriptor: Int32) {
    #if canImport(Darwin)
      // By path: a descriptor of the original that is closed again would drop the locks on it.
      copyAttributesByName(of: path, to: descriptor)
    #else
      stubdb_copy_attributes(path, descriptor)
    #endif
  }

  #if canImport(Darwin)
    private static func copyAttributesByName(of path: String, to descriptor: Int32) {
      let size = listxattr(path, nil, 0, 0)
      guard size > 0 else { return }
      var list = [CChar](repeating: 0, count: size)
      guard listxattr(path, &list, size, 0) == size else { return }
      for name in list.split(separator: 0).map({ Array($0) + [0] }) {
        let count = getxattr(path, name, nil, 0, 0, 0)
        guard count >= 0 else { continue }
        var value = [UInt8](repeating: 0, count: count)
        guard getxattr(path, name, &value, count, 0, 0) == count else { continue }
        fsetxattr(descriptor, name, value, count, 0, 0)
      }
    }
  #endif
}
