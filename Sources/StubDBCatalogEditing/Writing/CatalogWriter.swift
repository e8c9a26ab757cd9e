internal import Foundation
internal import StubDBCatalog
internal import StubDBFiles

/// Replaces a catalog's file in one step: lock, edit a copy in memory, pack, rename.
///
/// The file itself is never written to. So it has no journal file, and neither a reader nor a `git checkout` nor a
/// killed writer sees half of an edit.
struct CatalogWriter {
  /// How many pages of the copy an edit keeps at most, in KiB.
  private static let cacheSize = 64 * 1024

  let file: CatalogFile

  /// Creates a catalog with what an edit of an empty one makes; throws if something is at the path.
  ///
  /// The file gets its name in one step, when it is complete.
  func create<Value>(_ body: (inout CatalogEditor) throws -> Value) throws -> Value {
    guard FileStatus(path: file.path) == nil else {
      throw alreadyExists
    }
    return try reporting("creating", at: file.path) {
      let catalog = try file.format.emptyCatalog()
      try begin(catalog)
      let (value, _) = try change(catalog, always: true, body)
      try link { try pack(catalog, into: $0) }
      return value
    }
  }

  /// Gives errors of SQLite and of files the catalog's path; other errors may be the closure's own.
  private func reporting<Value>(
    _ what: String, at path: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw CatalogError(error, path: path, doing: what)
    } catch let error as FileWriteError {
      throw CatalogError(error)
    }
  }

  /// Begins the edit of a copy in memory.
  private func begin(_ copy: Connection) throws {
    // A page that does not fit would be copied into the database in memory, and back when it is read again.
    try copy.setCacheSize(kibibytes: Self.cacheSize)
    try copy.execute("PRAGMA foreign_keys = OFF; BEGIN")
  }

  /// Runs an edit of a copy and commits it if it has changed something, or always.
  private func change<Value>(
    _ copy: Connection, always: Bool, _ body: (inout CatalogEditor) throws -> Value
  ) throws -> (value: Value, isCommitted: Bool) {
    let changes = copy.totalChanges
    var editor = try CatalogEditor(connection: copy, path: file.path)
    defer { editor.end() }
    let value = try body(&editor)
    guard copy.totalChanges != changes || always else { return (value, false) }
    try copy.execute(WriteQueries.deleteUnusedBodies)
    try editor.finish()
    try checkIncludes(copy)
    try copy.execute("COMMIT")
    return (value, true)
  }

  /// Creates a catalog of the bytes of another one; throws if something is at the path.
  func create(copying bytes: Data) throws(CatalogError) {
    try file.reporting("creating") {
      try reporting("creating", at: file.path) { try link { try $0.write(bytes) } }
    }
  }

  /// Gives a file that the closure writes the name of the catalog, which must be unused.
  private func link(_ write: (TemporaryFile) throws -> Void) throws {
    TemporaryFile.removeAbandoned(beside: file.path)
    // Readable by others like any new file.
    let temporary = try TemporaryFile(beside: file.path, permissions: 0o644)
    defer { temporary.remove() }
    try write(temporary)
    try temporary.finish()
    guard try temporary.link(to: file.path) else { throw alreadyExists }
    try TemporaryFile.synchronizeFolder(of: file.path)
  }

  private var alreadyExists: CatalogError {
    CatalogError(
      .alreadyExists, "\(file.path) already exists; it was not changed",
      path: file.path)
  }

  /// Runs an edit and replaces the file if the content has changed.
  func edit<Value>(
    always: Bool = false, _ body: (inout CatalogEditor) throws -> Value
  ) throws -> Value {
    try reporting("writing", at: file.path) {
      let (lock, status) = try locked()
      defer { try? lock.execute("ROLLBACK") }
      TemporaryFile.removeAbandoned(beside: file.target)
      file.removeIdleSidecars()
      undo?.slot.removeLinks(to: file.target)
      try refuseHardLinks()
      let version = try file.checkedVersion(of: lock)
      let before = try lock.serialized()
      let copy = try Connection.inMemory(copying: before.rollbackJournalled)
      try begin(copy)
      if version < file.format.version { try file.format.migrate(copy, from: version) }
      // Damaged content must not get valid digests.
      _ = try ScenarioReader(connection: copy, path: file.path).names()
      let (value, isCommitted) = try change(copy, always: always, body)
      guard isCommitted else { return value }
      let packed = try rebuilt(copy, from: version, before: before)
      try replace(status, with: packed, before: before, lock: lock)
      return value
    }
  }

  /// Runs an edit on a copy of the catalog and puts it at a path, in place of what is there, in one step.
  ///
  /// The catalog itself is only read.
  func editCopy<Value>(
    at path: String, _ body: (inout CatalogEditor) throws -> Value
  ) throws -> Value {
    try reporting("writing", at: path) {
      let before = try file.openForReading().serialized()
      let copy = try Connection.inMemory(copying: before.rollbackJournalled)
      try begin(copy)
      // Damaged content must not get valid digests.
      _ = try ScenarioReader(connection: copy, path: file.path).names()
      let (value, _) = try change(copy, always: true, body)
      let packed = try rebuilt(copy, from: file.format.version, before: before)
      try put(packed, at: CatalogFile(path: path, format: file.format).target)
      return value
    }
  }

  /// Writes a database to a path, in place of what is there.
  private func put(_ packed: Connection, at target: String) throws {
    TemporaryFile.removeAbandoned(beside: target)
    let temporary = try TemporaryFile(beside: target, permissions: 0o644)
    defer { temporary.remove() }
    try pack(packed, into: temporary)
    if let status = FileStatus(path: target) {
      try temporary.finish(as: status, at: target)
    } else {
      try temporary.finish()
    }
    try temporary.rename(to: target)
    try TemporaryFile.synchronizeFolder(of: target)
  }

  /// Runs a closure with an exclusive lock on the file at the path.
  private func locked() throws -> (Connection, FileStatus) {
    while true {
      // Rolls back an interrupted write, or says why that is impossible.
      if file.hasSidecar { _ = try file.openForReading() }
      guard let status = FileStatus(path: file.path), status.isRegularFile else {
        // Opening for reading gives the best error if the file is missing.
        _ = try file.openForReading()
        continue
      }
      try checkPermissions()
      let connection = try Connection(path: file.path, mode: .readWrite)
      connection.waitForLocks(of: file.path, milliseconds: CatalogFile.busyTimeout)
      try connection.restrict()
      // Checked before anything is written to a file that may belong to another application.
      _ = try file.checkedVersion(of: connection)
      // Another tool may have left the file in WAL mode, whose log would outlive the file. Leaving that mode changes a
      // few bytes of the first page; the journal is in memory, because a killed process would leave one on the disk.
      try connection.execute("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE")
      // Another writer may have replaced the file while this one waited for the old file's lock.
      if try !connection.hasMoved() { return (connection, status) }
    }
  }

  /// Reports why the catalog cannot be replaced, more clearly than SQLite does later.
  private func checkPermissions() throws {
    let folder = URL(fileURLWithPath: file.target).deletingLastPathComponent().path
    let reason: String
    if access(file.path, W_OK) != 0 {
      reason = "its permissions forbid it"
    } else if access(folder, W_OK | X_OK) != 0 {
      reason = "the permissions of its folder forbid it"
    } else {
      return
    }
    throw CatalogError(
      .readOnly, "the catalog \(file.path) cannot be written: \(reason)", path: file.path)
  }

  /// Throws for a file with a second name, which would silently keep the old content.
  private func refuseHardLinks() throws {
    guard let count = FileStatus(path: file.path)?.linkCount, count > 1 else { return }
    let target = file.target
    let (path, copy) = (CatalogFile.quoted(target), CatalogFile.quoted(target + ".copy"))
    throw CatalogError(
      .hardLinked,
      "the catalog \(file.path) cannot be written: it has \(count) names (hard links), and the others would keep the "
        + "old content; to make it a file of its own: cp -p \(path) \(copy) && mv \(copy) \(path)",
      path: file.path)
  }

  private func checkIncludes(_ connection: Connection) throws {
    let reader = ScenarioReader(connection: connection, path: file.path)
    guard var problem = try IncludeGraph(reading: reader).problems().first else { return }
    problem.path = file.path
    throw problem
  }

  /// Rebuilds the database as the current migrations make it.
  ///
  /// A file that was migrated, or packed by another tool, differs in its schema text, the order of its tables or its
  /// page size.
  private func rebuilt(_ copy: Connection, from version: Int, before: Data) throws -> Connection {
    let fresh = try file.format.emptyCatalog()
    let layout = try fresh.serialized().databaseLayout
    if version == file.format.version, before.databaseLayout == layout,
      try CatalogFormat.tables(of: copy) == CatalogFormat.tables(of: fresh)
    {
      return copy
    }
    try copy.copyRows(to: fresh)
    return fresh
  }

  private func replace(
    _ status: FileStatus, with packed: Connection, before: Data, lock: Connection
  ) throws {
    let target = file.target
    let temporary = try TemporaryFile(beside: target)
    defer { temporary.remove() }
    try pack(packed, into: temporary)
    if try isSame(temporary, as: before) { return }
    try put(
      temporary, status, before: before, digest: try packed.digestText(path: file.path), lock: lock)
  }

  /// Puts a file that is written in the place of the catalog, which is kept if that is wanted.
  private func put(
    _ temporary: TemporaryFile, _ status: FileStatus, before: Data, digest: String, lock: Connection
  ) throws {
    let target = file.target
    try temporary.finish(as: status, at: target)
    // A `git checkout` takes no lock. The file that it wrote must not be replaced silently.
    if try lock.hasMoved() {
      throw CatalogError(
        .replaced,
        "the catalog \(file.path) was replaced by another program, perhaps git, while it was "
          + "edited; nothing was written; try again", path: file.path)
    }
    let undo = undo
    // A full disk or a folder of another user must not forbid the change.
    let kept = undo.flatMap { undo in
      undo.keeps
        ? try? undo.slot.keep(target, content: before, digest: digest, command: undo.command) : nil
    }
    try temporary.rename(to: target)
    if let kept { kept.finish() } else { undo?.slot.clear() }
    try TemporaryFile.synchronizeFolder(of: target)
  }

  /// Where the file before this write is kept, and what is said of it; nil if this process keeps nothing.
  private var undo: (slot: UndoSlot, command: String, keeps: Bool)? {
    UndoSettings.current.map { settings in
      (UndoSlot(of: file.target, in: settings.root), settings.command, settings.keeps)
    }
  }

  /// Puts the content of another catalog, which the caller has checked, in the place of this one.
  ///
  /// - Throws: A `CatalogError` with `replaced` if the catalog does not have the expected digest.
  func replace(
    withFile source: URL, ofDigest digest: String, expecting expected: String?
  ) throws {
    try reporting("writing", at: file.path) {
      let (lock, status) = try locked()
      defer { try? lock.execute("ROLLBACK") }
      TemporaryFile.removeAbandoned(beside: file.target)
      undo?.slot.removeLinks(to: file.target)
      try refuseHardLinks()
      let before = try lock.serialized()
      let old = try Connection.inMemory(copying: before.rollbackJournalled)
      let version = try file.checkedVersion(of: lock)
      if version < file.format.version { try file.format.migrate(old, from: version) }
      if let expected, try old.digestText(path: file.path) != expected {
        throw CatalogError(
          .replaced, "the catalog \(file.path) was changed in the meantime; nothing was written",
          path: file.path)
      }
      let temporary = try TemporaryFile(beside: file.target)
      defer { temporary.remove() }
      try temporary.write(Data(contentsOf: source, options: .alwaysMapped))
      try put(temporary, status, before: before, digest: digest, lock: lock)
    }
  }

  /// Writes the database with rows in key order and without free pages.
  private func pack(_ connection: Connection, into temporary: TemporaryFile) throws {
    // VACUUM INTO increments the schema version, so it starts from a fixed one.
    try connection.execute("PRAGMA schema_version = 1")
    try connection.pack(into: temporary.path)
  }

  /// Whether the new file has the same content as the old one.
  ///
  /// Compared byte by byte, or, if another version of stubdb or SQLite wrote the old file, by the digests, which cover
  /// every row. The old file's digests are checked against its rows first: a damaged file is rewritten.
  private func isSame(_ temporary: TemporaryFile, as before: Data) throws -> Bool {
    let after = try Data(contentsOf: URL(fileURLWithPath: temporary.path), options: .alwaysMapped)
    if after == before { return true }
    guard before.databaseStamp != after.databaseStamp else { return false }
    let old = try Connection.inMemory(copying: before.rollbackJournalled)
    let new = try Connection.inMemory(copying: after)
    guard try CatalogFormat.schema(of: old) == CatalogFormat.schema(of: new) else { return false }
    let (oldReader, newReader) = (
      ScenarioReader(connection: old, path: file.path),
      ScenarioReader(connection: new, path: file.path)
    )
    return try oldReader.digest() == newReader.digest() && oldReader.isWhole()
  }
}

extension CatalogFile {
  /// Removes sidecars without content, which a program leaves if it is stopped before it writes or after it has
  /// finished.
  ///
  /// Call it only with the lock of a file that is not in WAL mode.
  fileprivate func removeIdleSidecars() {
    if hasSidecar { return }
    for end in ["-journal", "-wal", "-shm"] { unlink(target + end) }
  }
}
