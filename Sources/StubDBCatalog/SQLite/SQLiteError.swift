internal import CStubDBSQLite
internal import Foundation

/// What SQLite reports when a call fails.
///
/// https://www.sqlite.org/rescode.html
struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
  let extendedCode: Int32
  /// SQLite's own words; holds no bound values.
  let message: String
  /// The system's error number; 0 if the system did not refuse anything.
  var systemError: Int32 = 0

  /// The result code without its extension.
  var code: Int32 { extendedCode & 0xFF }

  var description: String { "\(message) (SQLite \(code)/\(extendedCode))" }

  /// Whether the system lets no file of the process grow that large, as `ulimit -f` asks it to.
  var isFileTooLarge: Bool { code == SQLITE_IOERR && systemError == EFBIG }

  var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  var isReadOnly: Bool { code == SQLITE_READONLY }
  var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  var isDiskFull: Bool { code == SQLITE_FULL }
  var isWriteFailure: Bool { code == SQLITE_IOERR }
  var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  var isNotADatabase: Bool { code == SQLITE_NOTADB }
  var isPermission: Bool { code == SQLITE_PERM || code == SQLITE_AUTH }
}
