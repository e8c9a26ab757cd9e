import Foundation

/// What the file system says about a path.
///
/// The C structure behind it is not used in modules that import SwiftNIO's packages: with the C headers of BoringSSL, Swift
/// 6.3 on Linux looks for its members in CoreFoundation, which cannot be imported. A build with the trait `TLS` shows
/// whether that is over.
package struct PathStatus {
  package let byteCount: Int
  /// Whether it is a regular file, not a folder, pipe or device.
  package let isFile: Bool
  package let isFolder: Bool
  package let isPipe: Bool
  /// The number of its names; more than one means hard links.
  package let linkCount: Int
  /// What it is, whatever its names are.
  package let file: FileNumber

  /// A file of this machine.
  package struct FileNumber: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  /// Nil if nothing is at the path.
  package init?(_ path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    byteCount = Int(status.st_size)
    isFile = mode_t(status.st_mode) & S_IFMT == S_IFREG
    isFolder = mode_t(status.st_mode) & S_IFMT == S_IFDIR
    linkCount = Int(status.st_nlink)
    file = FileNumber(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
    isPipe = mode_t(status.st_mode) & S_IFMT == S_IFIFO
  }
}
