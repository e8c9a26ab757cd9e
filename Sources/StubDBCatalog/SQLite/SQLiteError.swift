internal import CStubDBSQLite
internal import Foundation

/// A failure that SQLite reports.
///
/// https://www.sqlite.org/rescode.html
struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
  let extendedCode: Int32
  /// SQLite's own message, which contains no bound values.
  let message: String
  /// The system's error number; 0 if the system did not report an error.
  var systemError: Int32 = 0

  /// The result code without its extension.
  var code: Int32 { extendedCode & 0xFF }

  var description: String { "\(message) (SQLite \(code)/\(extendedCode))" }

  /// Whether the process is not allowed to write a file of that size, as with `ulimit -f`.
  var isFileTooLarge: Bool { code == SQLITE_IOERR && systemError == EFBIG }
  /// Whether the process, or the system, has as many files open as it may.
  var hasTooManyFiles: Bool {
    code == SQLITE_CANTOPEN && (systemError == EMFILE || systemError == ENFILE)
  }

  var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  var isReadOnly: Bool { code == SQLITE_READONLY }
  var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  var isDiskFull: Bool { code == SQLITE_FULL }
  var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  var isNotADatabase: Bool { code == SQLITE_NOTADB }
  var isPermission: Bool { code == SQLITE_PERM || code == SQLITE_AUTH }
}
