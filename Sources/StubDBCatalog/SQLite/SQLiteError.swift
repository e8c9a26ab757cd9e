internal import CStubDBSQLite
internal import Foundation

/// A failure that SQLite reports.
///
/// https://www.sqlite.org/rescode.html
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package let extendedCode: Int32
  /// SQLite's own message, which contains no bound values.
  package let message: String
  /// The system's error number; 0 if the system did not report an error.
  package var systemError: Int32 = 0

  /// What a file has that no catalog can have.
  package static func damage(_ message: String) -> SQLiteError {
    SQLiteError(extendedCode: SQLITE_CORRUPT, message: message)
  }

  /// The result code without its extension.
  package var code: Int32 { extendedCode & 0xFF }

  package var description: String { "\(message) (SQLite \(code)/\(extendedCode))" }

  /// Whether the process is not allowed to write a file of that size, as with `ulimit -f`.
  package var isFileTooLarge: Bool { code == SQLITE_IOERR && systemError == EFBIG }
  /// Whether the process, or the system, has as many files open as it may.
  package var hasTooManyFiles: Bool {
    code == SQLITE_CANTOPEN && (systemError == EMFILE || systemError == ENFILE)
  }

  package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  package var isReadOnly: Bool { code == SQLITE_READONLY }
  package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
  package var isDiskFull: Bool { code == SQLITE_FULL }
  package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  package var isNotADatabase: Bool { code == SQLITE_NOTADB }
  package var isPermission: Bool { code == SQLITE_PERM || code == SQLITE_AUTH }
}
