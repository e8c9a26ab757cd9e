internal import Foundation
internal import StubDBSupport

/// Files that other programs leave beside a catalog: the journal of an unfinished write, or the log of WAL mode.
///
/// stubdb itself leaves neither. https://www.sqlite.org/tempfiles.html
extension CatalogFile {
  /// The end of a journal that is part of a transaction over several files.
  private static let superJournalMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// The file itself, if the path is a symbolic link: SQLite puts journals beside the file.
  package var target: String {
    guard FileStatus(path: path, followingLinks: false)?.isLink == true else { return path }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Whether a journal or a log beside the file may contain pages that differ from the file's.
  package var hasSidecar: Bool { hasSidecar(beside: target) }

  /// The same, if the file itself is known.
  package func hasSidecar(beside target: String) -> Bool {
    hasJournal(beside: target) || hasBytes(target + "-wal")
  }

  /// Whether a journal may contain pages that differ from the file's.
  ///
  /// A journal that begins with a zero does not: SQLite writes the header only before it changes the file, and clears
  /// it afterwards if it keeps journals. https://www.sqlite.org/fileformat2.html#the_rollback_journal
  package var hasJournal: Bool { hasJournal(beside: target) }

  private func hasJournal(beside target: String) -> Bool {
    let path = target + "-journal"
    guard hasBytes(path) else { return false }
    guard let journal = FileHandle(forReadingAtPath: path) else { return true }
    defer { try? journal.close() }
    return (try? journal.read(upToCount: 1))?.first != 0
  }

  package var hasWriteAheadLog: Bool { hasBytes(target + "-wal") }

  /// Whether there is a file in place of a log that does not begin as one.
  ///
  /// https://www.sqlite.org/fileformat2.html#the_write_ahead_log
  package var hasForeignLog: Bool {
    guard hasWriteAheadLog, let log = FileHandle(forReadingAtPath: target + "-wal") else {
      return false
    }
    defer { try? log.close() }
    guard let start = try? log.read(upToCount: 4) else { return false }
    return start.prefix(3) != Data([0x37, 0x7F, 0x06]) || ![0x82, 0x83].contains(start.last)
  }

  /// Whether the file, and files beside it, can be written.
  package var isWritable: Bool {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    return access(path, W_OK) == 0 && access(folder, W_OK | X_OK) == 0
  }

  /// Rolls back a write that was interrupted, as the journal beside the file says.
  ///
  /// SQLite does so, under its lock, for a connection that may write; a file that is not a journal is removed. Readers
  /// do it too, because until then the file contains neither the old content nor the new.
  /// - Throws: A ``CatalogError`` with `unfinishedWrite` if the file cannot be written.
  package func undoUnfinishedWrite() throws {
    let header = try Connection(path: path, mode: .readOnly).header()
    guard header.applicationID == CatalogFormat.applicationID else {
      throw CatalogError(
        .notACatalog,
        "\(path) is not a stubdb catalog: it is an SQLite file of another application", path: path)
    }
    guard isWritable, !isSuperJournal else { throw unfinishedWrite() }
    do {
      try rollBack()
    } catch {
      if error.isDamage || error.isBusy { throw error }
      throw unfinishedWrite(error)
    }
  }

  private func rollBack() throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .readWrite)
    connection.waitForLocks(of: path, milliseconds: Self.busyTimeout)
    try connection.restrict()
    // The first read rolls it back.
    _ = try connection.integer("PRAGMA schema_version")
  }

  /// Whether the journal may name a super-journal, which SQLite would delete.
  ///
  /// A transaction on a catalog alone never writes such a journal, so it may have been made to have another file
  /// deleted.
  /// https://www.sqlite.org/fileformat.html#rollback_journal
  private var isSuperJournal: Bool {
    guard let journal = FileHandle(forReadingAtPath: target + "-journal") else { return true }
    defer { try? journal.close() }
    do {
      let end = try journal.seekToEnd()
      guard end >= UInt64(Self.superJournalMark.count) else { return false }
      try journal.seek(toOffset: end - UInt64(Self.superJournalMark.count))
      return try Array(journal.readToEnd() ?? Data()) == Self.superJournalMark
    } catch {
      // A journal that cannot be read is not played back.
      return true
    }
  }

  private func unfinishedWrite(_ reason: SQLiteError? = nil) -> CatalogError {
    let journal = target + "-journal"
    let problem =
      reason.map { "that failed: \($0)" } ?? "that is not possible without writing into its folder"
    return CatalogError(
      .unfinishedWrite,
      "another program was stopped while it wrote the catalog \(path), and its write has to be rolled "
        + "back; \(problem); do not delete \(journal); run with write permission: "
        + "sqlite3 \(Self.quoted(target)) 'select count(*) from sqlite_master'", path: path)
  }

  /// Reports that the log of WAL mode has content that cannot be read.
  package var unreadableLog: CatalogError {
    CatalogError(
      .unfinishedWrite,
      "the catalog \(path) is in WAL mode, and its latest changes are in \(target)-wal, which cannot be read "
        + "without writing into its folder; do not delete it; run with write permission: "
        + "sqlite3 \(Self.quoted(target)) 'pragma journal_mode = delete'", path: path)
  }

  private func hasBytes(_ path: String) -> Bool { (FileStatus(path: path)?.byteCount ?? 0) > 0 }

  /// A path as a shell argument.
  package static func quoted(_ path: String) -> String {
    let plain = path.unicodeScalars.allSatisfy { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || "/._-+=:@%".unicodeScalars.contains(scalar)
    }
    return plain && !path.isEmpty ? path : path.inShellQuotes
  }
}
