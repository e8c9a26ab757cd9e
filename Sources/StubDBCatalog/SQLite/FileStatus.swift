package import CStubDBSQLite
package import Foundation

/// What the file system reports about a path.
///
/// The file is never opened, because opening and closing it would drop the locks of every connection that this process
/// has to it.
package struct FileStatus {
  package let byteCount: Int
  package let permissions: mode_t
  package let owner: uid_t
  package let group: gid_t
  /// The number of its names; more than one means hard links.
  package let linkCount: Int
  package let isFolder: Bool
  /// Whether it is a regular file, not a folder, pipe or device.
  package let isRegularFile: Bool
  /// Whether it is a symbolic link; false if links were followed.
  package let isLink: Bool

  /// What distinguishes it from other files and from its earlier states.
  package let identity: FileIdentity

  /// Nil if nothing is at the path; of a symbolic link, it is that of the file unless links are not followed.
  package init?(path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    byteCount = Int(status.st_size)
    permissions = mode_t(status.st_mode) & 0o7777
    owner = status.st_uid
    group = status.st_gid
    linkCount = Int(status.st_nlink)
    isRegularFile = mode_t(status.st_mode) & S_IFMT == S_IFREG
    isFolder = mode_t(status.st_mode) & S_IFMT == S_IFDIR
    isLink = mode_t(status.st_mode) & S_IFMT == S_IFLNK
    identity = FileIdentity(status)
  }

  #if !canImport(Darwin)
    /// Copies the extended attributes of the file at a path to an open file, as far as the system allows.
    package static func copyAttributes(of path: String, to descriptor: Int32) {
      stubdb_copy_attributes(path, descriptor)
    }
  #endif
}

/// The identity and state of a file; differs after every change, however the bytes were changed.
package struct FileIdentity: Hashable, Sendable {
  /// How long a change may go unnoticed: two changes within one tick of the file system's clock look the same.
  private static let tick = 2.0

  private let device: UInt64
  private let inode: UInt64
  private let byteCount: Int64
  private let contentChange: Moment
  /// When the inode was changed last, which programs cannot set.
  private let statusChange: Moment

  private struct Moment: Hashable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) {
      seconds = Int(time.tv_sec)
      nanoseconds = Int(time.tv_nsec)
    }
  }

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    byteCount = Int64(status.st_size)
    #if canImport(Darwin)
      contentChange = Moment(status.st_mtimespec)
      statusChange = Moment(status.st_ctimespec)
    #else
      contentChange = Moment(status.st_mtim)
      statusChange = Moment(status.st_ctim)
    #endif
  }

  /// Whether the last change is old enough that the next one will be noticed.
  package func isSettled(at now: Date) -> Bool {
    Double(max(contentChange.seconds, statusChange.seconds)) < now.timeIntervalSince1970 - Self.tick
  }
}
