import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBPlayback
import StubDBSupport

/// What the usage ledger says about one catalog.
struct LedgerReading {
  /// The folder that was read.
  let folder: URL
  /// The runs of the catalog.
  private(set) var entries: [LedgerEntry] = []
  /// How many processes of the catalog's runs did not end in good order: they were killed, or still run.
  private(set) var unfinishedCount = 0
  /// How many lines could not be read.
  private(set) var unreadableCount = 0
  /// How many runs saw another content of the catalog than the present one.
  private(set) var staleCount = 0
  /// When the first and the last process began; nil if no line says so.
  private(set) var period: ClosedRange<String>?
  /// The other catalogs that it has runs of, sorted.
  private(set) var otherCatalogs: [String] = []
  /// Other paths whose runs count, because the file has the same name: a copy among the resources of a test bundle.
  private(set) var copies: [String] = []

  /// Reads all files of a folder and of the folders in it.
  ///
  /// Files of several machines can be put together there.
  init(_ folder: URL, of catalog: Catalog) throws {
    self.folder = folder
    var lines: [LedgerLine] = []
    for file in try Self.files(in: folder) {
      let content = try Data(contentsOf: file, options: .mappedIfSafe)
      for line in content.split(separator: UInt8(ascii: "\n")) {
        if let line = LedgerLine(line) { lines.append(line) } else { unreadableCount += 1 }
      }
    }
    sort(lines, of: catalog.url)
    let digest = try catalog.contentDigest()
    staleCount = entries.count { $0.digest != nil && $0.digest != digest }
  }

  private mutating func sort(_ lines: [LedgerLine], of catalog: URL) {
    let own = LedgerFolder.name(ofCatalog: catalog.path)
    var (began, ended): ([String: String], Set<String>) = ([:], [])
    var (others, copies): (Set<String>, Set<String>) = ([], [])
    for line in lines {
      switch line {
      case .began(let process, let time): began[process] = time
      case .ended(let process): ended.insert(process)
      case .run(let entry):
        let isCopy =
          URL(fileURLWithPath: entry.catalog).lastPathComponent == catalog.lastPathComponent
        guard entry.catalog == own || isCopy else {
          others.insert(entry.catalog)
          continue
        }
        if entry.catalog != own { copies.insert(entry.catalog) }
        entries.append(entry)
      }
    }
    (otherCatalogs, self.copies) = (others.sorted(), copies.sorted())
    // A process without a line of a run may have been killed in its first run, of any catalog.
    let processes = Set(entries.map(\.process)).union(began.keys)
    unfinishedCount = processes.subtracting(ended).count
    let times = entries.compactMap { began[$0.process].map(TerminalText.line) }
    if let first = times.min(), let last = times.max() { period = first...last }
  }

  private static func files(in folder: URL) throws -> [URL] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return paths.filter { $0.hasSuffix(".jsonl") }.sorted()
      .map { folder.appendingPathComponent($0) }
      .filter { PathStatus($0.path)?.isFile == true }
  }
}

extension LedgerReading {
  /// Reads the ledger that an option names, else the one that tests write to from this folder.
  ///
  /// - Throws: ``CommandError`` if there is none, or if it has no run of the catalog.
  static func find(_ path: String?, of catalog: Catalog) throws -> LedgerReading {
    let locator = CatalogLocator()
    let located =
      path.map { locator.resolve($0).path }
      ?? LedgerFolder.locate(
        environment: locator.environment, currentFolder: locator.currentFolder.path,
        alsoAbove: [catalog.url.deletingLastPathComponent().path])
    var isFolder: ObjCBool = false
    guard let located,
      FileManager.default.fileExists(atPath: located, isDirectory: &isFolder), isFolder.boolValue
    else { throw missing(located) }
    let reading = try LedgerReading(URL(fileURLWithPath: located, isDirectory: true), of: catalog)
    guard reading.entries.isEmpty else { return reading }
    let name = CatalogLocator.display(catalog.url)
    throw CommandError(
      "the usage ledger in \(reading.displayedFolder) has no run of \(name)",
      hints: reading.otherCatalogs.prefix(5).map { "It has runs of \(TerminalText.line($0))." }
        + ["To fill it: run the tests"])
  }

  /// The folder for messages.
  var displayedFolder: String { TerminalText.line(CatalogLocator.display(folder)) }

  private static func missing(_ path: String?) -> CommandError {
    let problem =
      path.map { "there is no usage ledger in \(TerminalText.line($0))" }
      ?? "there is no usage ledger: no folder \(LedgerFolder.path) is here or above, and "
      + "$\(LedgerFolder.variable) is not set"
    return CommandError(
      problem,
      hints: [
        "To keep one: mkdir -p \(LedgerFolder.path), then run the tests",
        "To read one elsewhere: --ledger PATH",
      ])
  }
}
