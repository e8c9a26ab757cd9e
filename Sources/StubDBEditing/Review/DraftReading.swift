package import Foundation
package import StubDBCatalog
import StubDBFiles
package import StubDBFormats
internal import StubDBModel
package import StubDBRecording
internal import StubDBSupport

/// The draft of a catalog: what runs recorded, until it is reviewed.
///
/// Only the places of the lines are kept. Their stubs are read run by run, so that a long draft takes little memory.
package struct DraftReading {
  /// A line of a file, with what has to be known of it before its stub is read.
  package struct Entry {
    package let file: URL
    package let offset: UInt64
    package let byteCount: Int
    package let digest: Int
    package let order: Int
    package let test: String?
    /// The key of the stub that the answer is proposed for; nil if the request says which one it is.
    package let stubKey: String?
    /// Whether everything was recorded.
    let isOfAll: Bool
    /// Whether it has been decided already.
    package let isDecided: Bool
  }

  /// A run with its exchanges in the order of its requests.
  package struct Run {
    package let scenario: String
    package var entries: [Entry] = []
    /// The placeholders of what the client had before an answer gave it, in any run of the process.
    package fileprivate(set) var own: Set<String> = []
    /// The placeholders of numbers in any run of the process.
    package fileprivate(set) var numbers: Set<String> = []
  }

  private struct Name: Hashable, Comparable {
    let process: String
    let number: Int

    static func < (one: Name, other: Name) -> Bool {
      (one.process, one.number) < (other.process, other.number)
    }
  }

  package private(set) var runs: [Run] = []
  /// The runs that were left out, because their tests failed.
  package private(set) var failedRuns: [Run] = []
  /// How many lines cannot be read, besides the last ones of processes that were killed.
  package private(set) var unreadableCount = 0
  package let folder: URL
  /// The files with lines, one of each process.
  package let files: [URL]

  /// Reads the draft beside a catalog; empty if it is missing.
  ///
  /// Lines that cannot be read are left out, and counted: another version wrote them, or they are damaged.
  package init(of catalog: Catalog, includingFailed: Bool) throws {
    folder = URL(
      fileURLWithPath: DraftWriter.folder(ofCatalog: catalog.url.path), isDirectory: true)
    var runs: [Name: Run] = [:]
    var failed: Set<Name> = []
    // The name of a test is in all lines of its run.
    var tests: Set<String> = []
    var unreadableCount = 0
    var owners = DraftOwners()
    var numbers: [String: Set<String>] = [:]
    files = try Self.files(in: folder)
    for file in files {
      let skippedCount = try DraftLines(file: file).read { line in
        switch DraftLine(line.bytes) {
        case .exchange(let exchange)? where ScenarioName(exchange.scenario) == nil:
          unreadableCount += 1
        case .exchange(let exchange)?:
          let name = Name(process: exchange.process, number: exchange.run)
          owners.add(exchange, in: folder)
          numbers[exchange.process, default: []].formUnion(exchange.numbers)
          let test = exchange.test.map { tests.insert($0).memberAfterInsert }
          runs[name, default: Run(scenario: exchange.scenario)].entries.append(
            Entry(
              file: file, offset: line.offset, byteCount: line.bytes.count, digest: line.digest,
              order: exchange.order, test: test, stubKey: exchange.stubKey,
              isOfAll: exchange.mode == "all", isDecided: exchange.isDecided))
        case .ended(let process, let number, true)?:
          failed.insert(Name(process: process, number: number))
        case nil where line.isWhole: unreadableCount += 1
        case .ended?, nil: return
        }
      }
      unreadableCount += skippedCount
    }
    self.unreadableCount = unreadableCount
    if !includingFailed {
      failedRuns = failed.sorted().compactMap { runs.removeValue(forKey: $0) }
    }
    let own = owners.own
    self.runs = runs.sorted { $0.key < $1.key }.map { name, run in
      var run = run
      run.own = own[name.process] ?? []
      run.numbers = numbers[name.process] ?? []
      run.entries.sort { $0.order < $1.order }
      return run
    }
  }

  package static func files(in folder: URL) throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".jsonl") }.map { folder.appendingPathComponent($0) }
      // A draft reads nothing outside its folder, and waits for no pipe.
      .filter { PathStatus($0.path, followingLinks: false)?.isFile == true }
  }

  /// An exchange, read again.
  package struct Recorded {
    package let entry: Entry
    /// As a document, with its contents, and with placeholders numbered anew.
    package let whole: DraftExchange
    /// As an import reads it; nil if it cannot.
    package let exchange: RecordedExchange?
  }

  /// The exchanges of a run, the entries that are damaged or no longer there, and the placeholders of what is the
  /// client's own, numbered as in the exchanges.
  package func recorded(
    _ run: Run
  ) throws -> (readable: [Recorded], damaged: [Entry], own: Set<String>) {
    let log = ReportLog()
    var numbers = PlaceholderNumbers()
    var open: (file: URL, handle: FileHandle)?
    defer { try? open?.handle.close() }  // Nothing was written to it.
    var (recorded, damaged): ([Recorded], [Entry]) = ([], [])
    for entry in run.entries {
      if open?.file != entry.file {
        try open?.handle.close()
        // Another review may have removed the file.
        open = (try? FileHandle(forReadingFrom: entry.file)).map { (entry.file, $0) }
      }
      try open?.handle.seek(toOffset: entry.offset)
      let bytes = try open?.handle.read(upToCount: entry.byteCount) ?? Data()
      let line = DraftLines.Line(bytes: bytes, offset: entry.offset, isWhole: true)
      guard line.digest == entry.digest, case .exchange(let exchange)? = DraftLine(bytes),
        var whole = DraftContents.restored(exchange, from: folder)
      else {
        damaged.append(entry)
        continue
      }
      // What is proposed for a stub was not asked for by a test, whose requests belong together.
      if entry.stubKey != nil { numbers = PlaceholderNumbers() }
      whole = numbers.renumbered(whole)
      recorded.append(
        Recorded(entry: entry, whole: whole, exchange: whole.recorded(log: log)))
    }
    return (recorded, damaged, Set(run.own.compactMap { numbers.renumbered($0) }))
  }

  /// Whether the draft has anything, of which nothing waits, while no process writes to it.
  package var isLeftover: Bool {
    failedRuns.isEmpty && livingProcess == nil
      && FileManager.default.fileExists(atPath: folder.path)
  }

  /// A process that may still write to the draft, or nil.
  package var livingProcess: String? {
    files.first { AppendedFile.isOpen(atPath: $0.path) }.map {
      String($0.lastPathComponent.prefix { $0 != "-" && $0 != "." })
    }
  }
}
