package import Foundation
internal import StubDBFiles
internal import StubDBSupport

/// The folder in which the file before the last write of a catalog is kept.
///
/// It has one copy and a record that names it. A process that is killed at any moment leaves the catalog as it was or as it
/// will be, and a record of a whole copy.
package struct UndoSlot {
  /// What was replaced, and by what.
  package struct Record: Codable, Sendable {
    /// The path of the catalog, for people who look into the folder.
    package var catalog: String
    /// The command that replaced it.
    package var command: String
    package var date: Date
    /// The digest of the catalog that came in its place, in hexadecimal.
    package var digest: String
    /// The name of the copy.
    var file: String
    /// The record before, which counts until the catalog is replaced; at most one.
    var previous: [Record] = []
  }

  private static let ending = ".stubdb"

  let folder: URL

  /// The folder of a catalog, whose path has no links in it.
  package init(of path: String, in root: URL) {
    let name = SHA256Digest.hexadecimal(of: Data(path.utf8)).prefix(32)
    folder = root.appendingPathComponent(String(name), isDirectory: true)
  }

  private var recordFile: URL { folder.appendingPathComponent("record.json") }

  package func copy(of record: Record) -> URL { folder.appendingPathComponent(record.file) }

  /// What is kept, the newest first; empty without a record that can be read.
  ///
  /// The second counts if the process that wrote the first was killed before it replaced the catalog.
  package var records: [Record] {
    guard let data = try? Data(contentsOf: recordFile),
      let record = try? JSONDecoder().decode(Record.self, from: data)
    else { return [] }
    return ([record] + record.previous).filter {
      FileManager.default.fileExists(atPath: copy(of: $0).path)
    }
  }

  /// Keeps a catalog that is about to be replaced, until the result says that it was.
  ///
  /// The file gets a second name where the file system allows it; else its content is written: the file itself must not
  /// be opened and closed, which would drop the locks of this process. `digest` is that of the catalog which comes in its
  /// place.
  func keep(
    _ path: String, content: Data, digest: String, command: String
  ) throws(FileWriteError) -> Kept {
    guard Self.makeFolder(folder.deletingLastPathComponent()), Self.makeFolder(folder) else {
      throw FileWriteError(.create, folder.path)
    }
    var record = Record(
      catalog: path, command: command, date: .now, digest: digest,
      file: UUID().uuidString + Self.ending)
    record.previous = records.prefix(1).map { earlier in
      var earlier = earlier
      earlier.previous = []
      return earlier
    }
    let copy = copy(of: record).path
    if link(path, copy) != 0 {
      let temporary = try TemporaryFile(beside: copy)
      defer { temporary.remove() }
      try temporary.write(content)
      try temporary.rename(to: copy)
    }
    do throws(FileWriteError) {
      try write(record)
    } catch {
      unlink(copy)
      throw error
    }
    return Kept(slot: self, record: record)
  }

  /// A copy whose catalog is not replaced yet.
  struct Kept {
    fileprivate let slot: UndoSlot
    fileprivate let record: Record

    /// Makes the copy private, and removes the one before.
    func finish() {
      // A second name of the catalog had the catalog's permissions until now.
      chmod(slot.copy(of: record).path, 0o600)
      // With its copy, the record before does not count any more.
      slot.removeCopies { $0 != record.file }
    }
  }

  /// Removes second names of the catalog that a killed process left, which would forbid to replace it.
  func removeLinks(to path: String) {
    guard let status = PathStatus(path), status.linkCount > 1 else { return }
    removeCopies { name in
      PathStatus(folder.appendingPathComponent(name).path)?.file == status.file
    }
  }

  /// Removes all that is kept.
  func clear() {
    unlink(recordFile.path)
    removeCopies { _ in true }
    rmdir(folder.path)
  }

  private func removeCopies(where isRemoved: (String) -> Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasSuffix(Self.ending) && isRemoved(name) {
      unlink(folder.appendingPathComponent(name).path)
    }
  }

  /// Not brought to the disk: after a loss of power there may be nothing to undo, and the catalog is whole.
  private func write(_ record: Record) throws(FileWriteError) {
    let path = recordFile.path
    guard let data = try? JSONEncoder().encode(record) else { throw FileWriteError(.write, path) }
    TemporaryFile.removeAbandoned(beside: path)
    let temporary = try TemporaryFile(beside: path)
    defer { temporary.remove() }
    try temporary.write(data)
    try temporary.rename(to: path)
  }

  private static func makeFolder(_ folder: URL) -> Bool {
    if PathStatus(folder.path) != nil { return true }
    let made: Void? = try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return made != nil
  }
}

/// What this process keeps of the files that it replaces.
package struct UndoSettings: Sendable {
  /// The folder below which each catalog has its own; private.
  package var root: URL
  /// The command line that replaces files, without secrets.
  package var command: String
  /// Whether anything is kept; if not, what was kept of a catalog before is removed once that is replaced.
  package var keeps: Bool

  package init(root: URL, command: String, keeps: Bool = true) {
    (self.root, self.command, self.keeps) = (root, command, keeps)
  }

  /// Not task-local, because servers write on threads of their own.
  private static let shared = Locked<(@Sendable () -> UndoSettings?)?>(nil)

  /// Keeps the file before the last write of this process to each catalog, from now on.
  ///
  /// Without it nothing is kept: a library leaves no files behind. The closure is called for each write, because most
  /// commands only read.
  package static func use(_ settings: @escaping @Sendable () -> UndoSettings?) {
    shared.withLock { $0 = settings }
  }

  /// Nil if this process keeps nothing and knows no folder.
  package static var current: UndoSettings? { shared.withLock(\.self)?() }
}
