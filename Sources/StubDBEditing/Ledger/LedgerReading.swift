package import Foundation
package import StubDBCatalog
import StubDBFiles
package import StubDBPlayback

/// What the usage ledger says about one catalog.
package struct LedgerReading {
  /// The folder that was read.
  package let folder: URL
  /// The runs of the catalog.
  package private(set) var entries: [LedgerEntry] = []
  /// How many processes of the catalog's runs did not end in good order: they were killed, or still run.
  package private(set) var unfinishedCount = 0
  /// How many lines could not be read.
  package private(set) var unreadableCount = 0
  /// How many runs saw another content of the catalog than the present one.
  package private(set) var staleCount = 0
  /// When the first and the last process began; nil if no line says so.
  package private(set) var period: ClosedRange<String>?
  private var began: [String: String] = [:]
  /// The other catalogs that it has runs of, sorted.
  package private(set) var otherCatalogs: [String] = []
  /// Other paths whose runs count, because the file has the same name: a copy among the resources of a test bundle.
  package private(set) var copies: [String] = []

  /// Reads all files of a folder and of the folders in it.
  ///
  /// Files of several machines can be put together there.
  package init(_ folder: URL, of catalog: Catalog) throws {
    self.folder = folder
    var lines: [LedgerLine] = []
    for file in try Self.files(in: folder, where: { !$0.contains { $0 == LedgerFolder.sweeps } }) {
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
    var ended: Set<String> = []
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
    let times = entries.compactMap { began[$0.process] }
    if let first = times.min(), let last = times.max() { period = first...last }
  }

  /// When a process began, in UTC; nil if its first line is missing.
  package func beginning(of process: String) -> String? { began[process] }

  /// The files of lines in a folder, and in the folders in it, whose path has parts that the closure selects; sorted.
  static func files(in folder: URL, where isOne: ([Substring]) -> Bool) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".jsonl") && isOne($0.split(separator: "/")) }
      .sorted().map { folder.appendingPathComponent($0) }
      .filter { PathStatus($0.path)?.isFile == true }
  }
}
