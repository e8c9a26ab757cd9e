internal import Foundation

/// What other programs leave beside a catalog: the journal of a write that was not finished, or the log of WAL mode.
///
/// stubdb itself leaves neither. https://www.sqlite.org/tempfiles.html
extension CatalogFile {
  /// The last bytes of a journal that is one of several, for files that were changed together.
  private static let superJournalMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// The file itself, if the path is a symbolic link: SQLite puts journals beside it.
  var target: String {
    var status = stat()
    guard lstat(path, &status) == 0, mode_t(status.st_mode) & S_IFMT == S_IFLNK else { return path }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Whether a journal or a log beside the file may say something else than the file.
  var hasSidecar: Bool { hasJournal || hasWriteAheadLog }

  /// Whether a journal may say something else than the file.
  ///
  /// One that begins with a zero does not: SQLite writes its mark only before the file itself is changed, and takes it away again
  /// where it keeps journals. https://www.sqlite.org/fileformat2.html#the_rollback_journal
  var hasJournal: Bool {
    let path = target + "-journal"
    guard hasBytes(path) else { return false }
    guard let journal = FileHandle(forReadingAtPath: path) else { return true }
    defer { try? journal.close() }
    return (try? journal.read(upToCount: 1))?.first != 0
  }

  var hasWriteAheadLog: Bool { hasBytes(target + "-wal") }

  /// Whether the file can be written, and files beside it.
  var isWritable: Bool {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    return access(path, W_OK) == 0 && access(folder, W_OK | X_OK) == 0
  }

  /// Removes sidecars that say nothing, which a program leaves that was stopped before it wrote or after it had finished.
  ///
  /// Only for whoever holds the lock of a file that is not in WAL mode.
  func removeIdleSidecars() {
    if hasSidecar { return }
    for end in ["-journal", "-wal", "-shm"] { unlink(target + end) }
  }

  /// Takes back what a program wrote that was stopped in the middle, as the journal beside the file says.
  ///
  /// SQLite does so, under its lock, for a connection that may write; what is no journal is removed. For readers too: what is in
  /// the file until then is neither the old content nor the new one.
  /// - Throws: A ``CatalogError`` with `unfinishedWrite` if the file cannot be written.
  func undoUnfinishedWrite() throws {
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
    connection.setBusyTimeout(milliseconds: Self.busyTimeout)
    try connection.restrict()
    // The first read does it.
    _ = try connection.integer("PRAGMA schema_version")
  }

  /// Whether the journal names, or may name, a file of which SQLite would remove what it takes for a list of journals.
  ///
  /// Nothing that changes a catalog alone writes such a journal, so it may have been made to have that file removed.
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
      // What cannot be read is not played.
      return true
    }
  }

  private func unfinishedWrite(_ reason: SQLiteError? = nil) -> CatalogError {
    let journal = target + "-journal"
    let problem =
      reason.map { "that failed: \($0)" } ?? "that is not possible without writing into its folder"
    return CatalogError(
      .unfinishedWrite,
      "another program was stopped in the middle of writing the catalog \(path), and what it wrote has to be taken "
        + "back; \(problem); do not delete \(journal); run, as somebody who may write there: "
        + "sqlite3 \(Self.quoted(target)) 'select count(*) from sqlite_master'", path: path)
  }

  /// That the log of WAL mode holds something that cannot be read.
  var unreadableLog: CatalogError {
    CatalogError(
      .unfinishedWrite,
      "the catalog \(path) is in WAL mode, and what another program wrote last is in \(target)-wal, which cannot be read "
        + "without writing into its folder; do not delete it; run, as somebody who may write there: "
        + "sqlite3 \(Self.quoted(target)) 'pragma journal_mode = delete'", path: path)
  }

  private func hasBytes(_ path: String) -> Bool { (FileStatus(path: path)?.byteCount ?? 0) > 0 }

  /// A path as a shell takes it.
  static func quoted(_ path: String) -> String {
    let plain = path.unicodeScalars.allSatisfy { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || "/._-+=:@%".unicodeScalars.contains(scalar)
    }
    return plain && !path.isEmpty ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
