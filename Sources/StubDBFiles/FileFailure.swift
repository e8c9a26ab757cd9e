internal import Foundation

/// The reason for the failure of reading or writing a file, as the end of a sentence.
///
/// Foundation says of many failures only that an operation could not be completed.
package enum FileFailure {
  /// Why a file cannot be written: what the system said, for a path that may be in a missing folder.
  package static func writing(_ error: any Error) -> String {
    switch number(of: error) {
    case ENOENT: "there is no such folder"
    case ENOTDIR, EEXIST: "a part of the path that should be a folder is a file"
    case EACCES, EPERM: "the permissions of the file or its folder forbid it"
    case ENOSPC, EDQUOT: "the disk is full"
    case EROFS: "the file system is read-only"
    case EISDIR: "it is a folder"
    case let number?: system(number)
    case nil: error.localizedDescription
    }
  }

  /// Why a file cannot be read.
  package static func reading(_ error: any Error) -> String {
    number(of: error).map { reading(number: $0) } ?? error.localizedDescription
  }

  /// The same for the number of a system error, such as `errno`.
  package static func reading(number: Int32) -> String {
    switch number {
    case ENOENT, ENOTDIR: "there is no such file"
    case EISDIR: "it is a folder"
    case EACCES, EPERM: "its permissions forbid it"
    default: system(number)
    }
  }

  private static func system(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// The number of the system error below an error of Foundation, or nil.
  private static func number(of error: any Error) -> Int32? {
    let outer = error as NSError
    // On Linux it is no NSError before it is taken for an Error.
    let inner = (outer.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    return [outer, inner].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
      .map { Int32(truncatingIfNeeded: $0.code) }
  }
}
