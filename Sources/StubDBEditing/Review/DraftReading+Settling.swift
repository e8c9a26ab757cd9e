internal import Foundation
internal import StubDBModel
internal import StubDBRecording
internal import StubDBSupport

// What a person has decided about.
extension DraftReading {
  /// Which lines are removed and which are marked as decided.
  package struct Settlement {
    /// The lines that leave the draft.
    package var removed: [Entry] = []
    /// The lines that stay, to say which requests were made.
    var marked: [Entry] = []
    /// Whether lines that cannot be read leave it, too.
    var dropsUnreadable = false

    package init(removed: [Entry] = []) { self.removed = removed }
  }

  /// Does something while no other review writes to the draft or to the catalog.
  package func exclusively<Value>(_ body: () throws -> Value) rethrows -> Value {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    // Where folders have no locks, lines that another review has decided about may come back.
    if descriptor >= 0 { _ = flock(descriptor, LOCK_EX) }
    return try body()
  }

  /// Takes lines out of the files; a file without lines that say anything is removed, and the folder with the last file.
  ///
  /// A line that is no longer at its place stays.
  package func settle(_ settlement: Settlement) throws {
    let removed = Dictionary(grouping: settlement.removed, by: \.file)
    let marked = Dictionary(grouping: settlement.marked, by: \.file)
    for file in files where FileManager.default.fileExists(atPath: file.path) {
      let changes = DraftChanges(
        removed: removed[file] ?? [], marked: marked[file] ?? [],
        dropsUnreadable: settlement.dropsUnreadable)
      // A process may have begun to record meanwhile.
      guard !AppendedFile.isOpen(atPath: file.path) else { continue }
      try changes.write(to: file)
    }
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    try removeContents()
    removeFolder()
  }

  /// Removes the files with contents that no line has any more.
  private func removeContents() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(DraftContents.fileEnding) }
    guard !names.isEmpty else { return }
    var used: Set<String> = []
    let files = try Self.files(in: folder)
    // A process that began to record meanwhile writes contents before their lines.
    guard !files.contains(where: { AppendedFile.isOpen(atPath: $0.path) }) else { return }
    for file in files {
      try DraftLines(file: file).read { line in
        guard case .exchange(let exchange)? = DraftLine(line.bytes) else { return }
        used.formUnion(exchange.files.values)
      }
    }
    for name in names where !used.contains(name) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// Removes the folder if nothing is in it but what keeps git from it, also if a process begins to record now.
  private func removeFolder() {
    let ignored = folder.appendingPathComponent(DraftWriter.ignoringFileName)
    // What cannot be read is not empty.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? ["?"]
    // Reviews and processes that were killed leave files with this ending.
    let leftovers = names.filter { $0.hasSuffix(".new") }
    guard Set(names).subtracting(leftovers).isSubset(of: [DraftWriter.ignoringFileName]) else {
      return
    }
    for name in leftovers { unlink(folder.path + "/" + name) }
    unlink(ignored.path)
    if rmdir(folder.path) != 0 { DraftWriter.ignore(folder.path) }
  }
}

/// The changes to the lines of one file.
private struct DraftChanges {
  private let removed: [UInt64: Int]
  private let marked: [UInt64: Int]
  private let dropsUnreadable: Bool

  init(
    removed: [DraftReading.Entry], marked: [DraftReading.Entry], dropsUnreadable: Bool
  ) {
    self.removed = Dictionary(removed.map { ($0.offset, $0.digest) }) { first, _ in first }
    self.marked = Dictionary(marked.map { ($0.offset, $0.digest) }) { first, _ in first }
    self.dropsUnreadable = dropsUnreadable
  }

  /// The line as it is then, without its line break; nil if it leaves the draft.
  private func changed(_ line: DraftLines.Line) -> (bytes: Data, says: Bool)? {
    switch DraftLine(line.bytes) {
    case .exchange(var exchange)?:
      if removed[line.offset] == line.digest { return nil }
      if dropsUnreadable, ScenarioName(exchange.scenario) == nil { return nil }
      guard marked[line.offset] == line.digest, !exchange.isDecided else {
        return (line.bytes, true)
      }
      exchange.isDecided = true
      return (Data(DraftLine.exchange(exchange).text.utf8.dropLast()), true)
    case .ended?: return (line.bytes, false)
    case nil: return line.isWhole && !dropsUnreadable ? (line.bytes, true) : nil
    }
  }

  /// Writes the file anew in one step, or removes it if none of its lines says anything; leaves it if nothing changes.
  func write(to file: URL) throws {
    var (saysAnything, isChanged) = (false, false)
    let skippedCount = try DraftLines(file: file).read { line in
      let changed = changed(line)
      saysAnything = saysAnything || changed?.says ?? false
      isChanged = isChanged || changed?.bytes != line.bytes
    }
    if skippedCount > 0, !dropsUnreadable { saysAnything = true }
    guard saysAnything else {
      guard unlink(file.path) == 0 else {
        throw ReviewRefusal.file("remove", file)
      }
      return
    }
    if isChanged { try replace(file) }
  }

  private func replace(_ file: URL) throws {
    // Each process has its own, so that none puts the half of another one in place.
    let new = file.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
    // What is left of a process that was killed, or a link, which would be written through.
    unlink(new.path)
    // After the file has been moved, nothing is there.
    defer { unlink(new.path) }
    guard
      FileManager.default.createFile(
        atPath: new.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw ReviewRefusal.file("write", new) }
    let output = try FileHandle(forWritingTo: new)
    try DraftLines(file: file).read { line in
      guard let changed = changed(line) else { return }
      try output.write(contentsOf: changed.bytes + [UInt8(ascii: "\n")])
    }
    // A file of which only the name is on the disk when the machine stops would have lost every line.
    try output.synchronize()
    try output.close()
    guard rename(new.path, file.path) == 0 else {
      throw ReviewRefusal.file("replace", file)
    }
  }
}
