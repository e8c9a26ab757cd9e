import Foundation
import StubDBCatalog
import StubDBFormats
import StubDBRecording
import StubDBSupport

/// The draft of a catalog: what runs recorded, until somebody decides about it.
///
/// Only the places of the lines are kept. Their stubs are read run by run, so that a long draft takes little memory.
struct DraftReading {
  /// A line of a file, with what has to be known of it before its stub is read.
  struct Entry {
    let file: URL
    let offset: UInt64
    let byteCount: Int
    let digest: Int
    let order: Int
    let test: String?
    /// The key of the stub that the answer is proposed for; nil if the request says which one it is.
    let stubKey: String?
    /// Whether everything was recorded.
    let isOfAll: Bool
    /// Whether somebody has decided about it already.
    let isDecided: Bool
  }

  /// A run with its exchanges in the order of its requests.
  struct Run {
    let scenario: String
    var entries: [Entry] = []
  }

  private struct Name: Hashable, Comparable {
    let process: String
    let number: Int

    static func < (one: Name, other: Name) -> Bool {
      (one.process, one.number) < (other.process, other.number)
    }
  }

  private(set) var runs: [Run] = []
  /// How many runs were left out, because their tests failed.
  private(set) var failedCount = 0
  let folder: URL
  /// The files with lines, one of each process.
  private let files: [URL]

  /// Reads the draft beside a catalog; empty if there is none.
  ///
  /// Lines that cannot be read are left out: they are the last ones of processes that were killed.
  init(of catalog: Catalog, includingFailed: Bool) throws {
    folder = URL(
      fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path), isDirectory: true)
    var runs: [Name: Run] = [:]
    var failed: Set<Name> = []
    // The name of a test is in all lines of its run.
    var tests: Set<String> = []
    files = try Self.files(in: folder)
    for file in files {
      try DraftLines(file: file).read { line in
        switch DraftLine(line.bytes) {
        case .exchange(let exchange)?:
          let name = Name(process: exchange.process, number: exchange.run)
          let test = exchange.test.map { tests.insert($0).memberAfterInsert }
          runs[name, default: Run(scenario: exchange.scenario)].entries.append(
            Entry(
              file: file, offset: line.offset, byteCount: line.bytes.count, digest: line.digest,
              order: exchange.order, test: test, stubKey: exchange.stubKey,
              isOfAll: exchange.mode == "all", isDecided: exchange.isDecided))
        case .ended(let process, let number, true)?:
          failed.insert(Name(process: process, number: number))
        case .ended?, nil: return
        }
      }
    }
    if !includingFailed {
      failedCount = failed.count { runs[$0] != nil }
      for name in failed { runs[name] = nil }
    }
    self.runs = runs.sorted { $0.key < $1.key }.map { _, run in
      var run = run
      run.entries.sort { $0.order < $1.order }
      return run
    }
  }

  private static func files(in folder: URL) throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }.map { folder.appendingPathComponent($0) }
      // A draft reads nothing outside its folder, and waits for no pipe.
      .filter { PathStatus($0.path, followingLinks: false)?.isFile == true }
  }

  /// An exchange, read again.
  struct Recorded {
    let entry: Entry
    /// As a document, with its contents, and with placeholders numbered anew.
    let whole: DraftExchange
    /// As an import reads it; nil if it cannot.
    let exchange: RecordedExchange?
  }

  /// The exchanges of a run, without those that are damaged or no longer there.
  func recorded(_ run: Run) throws -> [Recorded] {
    let log = ReportLog()
    var numbers = PlaceholderNumbers()
    var open: (file: URL, handle: FileHandle)?
    defer { try? open?.handle.close() }  // Nothing was written to it.
    var recorded: [Recorded] = []
    for entry in run.entries {
      if open?.file != entry.file {
        try open?.handle.close()
        open = (entry.file, try FileHandle(forReadingFrom: entry.file))
      }
      try open?.handle.seek(toOffset: entry.offset)
      let bytes = try open?.handle.read(upToCount: entry.byteCount) ?? Data()
      let line = DraftLines.Line(bytes: bytes, offset: entry.offset)
      guard line.digest == entry.digest, case .exchange(let exchange)? = DraftLine(bytes),
        var whole = DraftContents.restored(exchange, from: folder)
      else { continue }
      // What is proposed for a stub was not asked for by a test, whose requests belong together.
      if entry.stubKey != nil { numbers = PlaceholderNumbers() }
      whole = numbers.renumbered(whole)
      recorded.append(
        Recorded(entry: entry, whole: whole, exchange: whole.recorded(log: log)))
    }
    return recorded
  }

  /// A process that may still write to the draft; nil if there is none.
  var livingProcess: String? {
    files.first { AppendedFile.isOpen(atPath: $0.path) }.map {
      String($0.lastPathComponent.prefix { $0 != "-" && $0 != "." })
    }
  }
}

// What somebody has decided about.
extension DraftReading {
  /// What becomes of lines that somebody has decided about.
  struct Settlement {
    /// The lines that leave the draft.
    var removed: [Entry] = []
    /// The lines that stay, to say which requests were made.
    var marked: [Entry] = []
  }

  /// Takes lines out of the files; a file without an exchange is removed, and the folder with the last file.
  ///
  /// A line that is no longer at its place stays.
  func settle(_ settlement: Settlement) throws {
    let removed = Dictionary(grouping: settlement.removed, by: \.file)
    let marked = Dictionary(grouping: settlement.marked, by: \.file)
    for file in Set(removed.keys).union(marked.keys).sorted(by: { $0.path < $1.path })
    where FileManager.default.fileExists(atPath: file.path) {
      try rewrite(file, without: removed[file] ?? [], marking: marked[file] ?? [])
    }
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    if try Self.files(in: folder).isEmpty {
      try FileManager.default.removeItem(at: folder)
    } else {
      try removeContents()
    }
  }

  private func rewrite(_ file: URL, without removed: [Entry], marking marked: [Entry]) throws {
    let removed = Dictionary(removed.map { ($0.offset, $0.digest) }) { first, _ in first }
    let marked = Dictionary(marked.map { ($0.offset, $0.digest) }) { first, _ in first }
    // Each process has its own, so that none puts the half of another one in place.
    let new = file.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
    // What is left of a process that was killed, or a link, which would be written through.
    unlink(new.path)
    guard
      FileManager.default.createFile(
        atPath: new.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CommandError("cannot write \(CatalogLocator.display(new))") }
    let output = try FileHandle(forWritingTo: new)
    var hasExchange = false
    do {
      try DraftLines(file: file).read { line in
        guard let read = DraftLine(line.bytes) else { return }
        var bytes = line.bytes + [UInt8(ascii: "\n")]
        if case .exchange(var exchange) = read {
          let digest = line.digest
          if removed[line.offset] == digest { return }
          hasExchange = true
          if marked[line.offset] == digest, !exchange.isDecided {
            exchange.isDecided = true
            bytes = Data(DraftLine.exchange(exchange).text.utf8)
          }
        }
        try output.write(contentsOf: bytes)
      }
      try output.close()
    } catch {
      unlink(new.path)
      throw error
    }
    guard hasExchange ? rename(new.path, file.path) == 0 : unlink(file.path) == 0 else {
      unlink(new.path)
      throw CommandError("cannot replace \(CatalogLocator.display(file))")
    }
    if !hasExchange { unlink(new.path) }
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
}
