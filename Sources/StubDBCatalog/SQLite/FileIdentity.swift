internal import Foundation

/// The identity and state of a file; differs after every change, however the bytes were changed.
struct FileIdentity: Hashable {
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

  init(_ status: stat) {
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
  func isSettled(at now: Date) -> Bool {
    Double(max(contentChange.seconds, statusChange.seconds)) < now.timeIntervalSince1970 - Self.tick
  }
}
