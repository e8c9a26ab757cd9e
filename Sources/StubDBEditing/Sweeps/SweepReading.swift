package import Foundation
package import StubDBCatalog
internal import StubDBJobs
package import StubDBPlayback
internal import StubDBSupport
package import StubDBVariations

/// What became of a variation of a test, by its latest run.
package struct SweepOutcome: Hashable, Sendable {
  /// What became of it.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// It showed a defect.
    case found
    /// It ended its process.
    case crashed
    /// It was under way with others when the process ended.
    case suspected
    /// It showed nothing.
    case survived
    /// It was left out, because it ended a process before, or cut short by a time limit.
    case skipped
    /// It is under way in a process that still runs.
    case running
  }

  /// The last line about it.
  package let line: SweepLine
  package let state: State
  /// The finding; nil unless the state is ``State/found``.
  package let finding: Finding?
  /// Whether the catalog has changed since.
  package internal(set) var isStale = false

  /// The name that repeats it alone.
  package var name: String { line.tried ?? line.variation }
}

/// What the sweep files of a ledger say about one catalog.
package struct SweepReading: Sendable {
  /// The folder of the ledger.
  package let folder: URL
  /// The outcomes, by test and then in the order in which they were last tried.
  package private(set) var outcomes: [SweepOutcome] = []
  /// Sweeps that have tried nothing, or not everything, unless they have gone on since, the earliest first.
  package private(set) var notes: [SweepNote] = []
  /// How many files, each of a process, have lines about the catalog.
  package private(set) var fileCount = 0
  /// How many of these belong to processes that still run.
  package private(set) var runningCount = 0
  /// How many lines could not be read, of all files.
  package private(set) var unreadableCount = 0
  /// How many lines are about scenarios that no catalog has.
  package private(set) var uncataloguedCount = 0
  /// The other catalogs that there are lines about, sorted.
  package private(set) var otherCatalogs: [String] = []

  /// Reads the `sweeps` folders of a ledger, which may have been put together from those of several machines.
  package init(_ ledger: URL, of catalog: Catalog) throws {
    folder = ledger
    let own = LedgerFolder.name(ofCatalog: catalog.url.path)
    // A copy among the resources of a test bundle has another path.
    func isOwn(_ name: String) -> Bool {
      name == own || URL(fileURLWithPath: name).lastPathComponent == catalog.url.lastPathComponent
    }
    let digest = try catalog.contentDigest()
    var latest: [Name: (begun: Double, outcome: SweepOutcome)] = [:]
    var others: Set<String> = []
    let files = try LedgerReading.files(in: ledger) { path in
      path.dropLast().last == Substring(LedgerFolder.sweeps)
    }
    for file in files {
      let process = try Process(file)
      unreadableCount += process.unreadableCount
      var lines = process.lines
      lines.removeAll { line in
        guard let name = line.catalog else {
          uncataloguedCount += 1
          return true
        }
        if isOwn(name) { return false }
        others.insert(name)
        return true
      }
      let notes = process.notes.filter { $0.catalog.map(isOwn) ?? false }
      self.notes += notes
      guard !lines.isEmpty || !notes.isEmpty else { continue }
      fileCount += 1
      runningCount += process.isRunning ? 1 : 0
      for (name, one) in process.outcomes(lines)
      where latest[name].map({ $0.begun < one.begun }) ?? true {
        latest[name] = one
      }
    }
    otherCatalogs = others.sorted()
    outcomes = Self.sorted(latest.values, digest)
    notes = current(notes)
  }

  /// Outcomes by test and by when they were begun; those with another digest of the catalog are stale.
  private static func sorted(
    _ outcomes: some Sequence<(begun: Double, outcome: SweepOutcome)>, _ digest: String?
  ) -> [SweepOutcome] {
    outcomes.sorted {
      ($0.outcome.line.test, $0.begun, $0.outcome.name) < (
        $1.outcome.line.test, $1.begun, $1.outcome.name
      )
    }.map { one in
      var outcome = one.outcome
      outcome.isStale = outcome.line.digest != digest
      return outcome
    }
  }

  /// The last note of each sweep and name, if nothing was tried since.
  private func current(_ notes: [SweepNote]) -> [SweepNote] {
    let last = Dictionary(grouping: notes) {
      [$0.kind.rawValue, $0.test, $0.variation, $0.sweep?.rawValue]
    }
    .values.compactMap { $0.max { $0.time < $1.time } }
    return last.filter { note in
      !outcomes.contains { outcome in
        switch note.kind {
        case .unknown:
          outcome.wasTried && [outcome.line.variation, outcome.name].contains(note.variation)
            || outcome.line.time > note.time
        case .nothing, .cut:
          outcome.line.test == note.test && outcome.line.kind == note.sweep
            && outcome.line.time > note.time
        }
      }
    }.sorted { ($0.time, $0.message) < ($1.time, $1.message) }
  }

  /// Of two tests that share a function, the names are the same.
  private struct Name: Hashable {
    var test: String
    var variation: String
  }

  /// The sweep file of a process.
  private struct Process {
    let lines: [SweepLine]
    let notes: [SweepNote]
    let unreadableCount: Int
    let isRunning: Bool

    init(_ file: URL) throws {
      // Asked first, so that what is read of a file that is closed is all of it.
      isRunning = AppendedFile.isOpen(atPath: file.path)
      let content = try Data(contentsOf: file, options: .mappedIfSafe)
      lines = SweepLine.lines(of: content)
      let all = content.split(separator: UInt8(ascii: "\n"))
      let end = Data(SweepLine.end.utf8.dropLast())
      let found = SweepNote.notes(of: content)
      unreadableCount = all.count - lines.count - found.count - all.count { $0 == end }
      notes = Self.settled(found, by: lines)
    }

    /// What notes say at the end of the process: of the cases of a parameterized test, one may have nothing to vary and
    /// another one something, and one may go on after another has left something out.
    private static func settled(_ notes: [SweepNote], by lines: [SweepLine]) -> [SweepNote] {
      let ends = Dictionary(grouping: lines) { [$0.test, $0.kind.rawValue] }
        .mapValues { $0.map(\.time).max() ?? 0 }
      return notes.compactMap { note in
        guard let sweep = note.sweep, let end = ends[[note.test ?? "", sweep.rawValue]] else {
          return note
        }
        guard note.kind == .cut else { return nil }
        var note = note
        note.time = max(note.time, end)
        return note
      }
    }

    /// The outcomes, with the times at which the variations were last begun; of several cases of a test, the worst
    /// counts.
    func outcomes(
      _ lines: [SweepLine]
    ) -> [(Name, (begun: Double, outcome: SweepOutcome))] {
      var groups: [Name: [SweepLine]] = [:]
      for line in lines {
        groups[Name(test: line.test, variation: line.variation), default: []].append(line)
      }
      let open = groups.values.filter(Self.isOpen).count
      return groups.values.flatMap { group -> [(Name, (begun: Double, outcome: SweepOutcome))] in
        let begun =
          (group.filter { $0.state == .begun }.map(\.time).max() ?? group.map(\.time).max()) ?? 0
        let ended = Dictionary(grouping: group.filter { $0.state != .begun }) {
          $0.tried ?? $0.variation
        }
        var found = ended.compactMap { name, lines in Self.outcome(of: lines).map { (name, $0) } }
        if Self.isOpen(group), let last = group.last(where: { $0.state == .begun }) {
          let state: SweepOutcome.State = isRunning ? .running : open == 1 ? .crashed : .suspected
          found.removeAll { $0.0 == last.variation }
          found.append((last.variation, SweepOutcome(line: last, state: state, finding: nil)))
        }
        return found.map { name, outcome in
          (Name(test: outcome.line.test, variation: name), (begun, outcome))
        }
      }
    }

    /// Whether more was begun than ended.
    private static func isOpen(_ lines: [SweepLine]) -> Bool {
      lines.reduce(0) { $0 + ($1.state == .begun ? 1 : -1) } > 0
    }

    private static func outcome(of lines: [SweepLine]) -> SweepOutcome? {
      let order: [(SweepLine.State, SweepOutcome.State)] = [
        (.found, .found), (.survived, .survived), (.skipped, .skipped),
      ]
      for (written, state) in order {
        guard let line = lines.last(where: { $0.state == written }) else { continue }
        return SweepOutcome(line: line, state: state, finding: line.finding)
      }
      return nil
    }
  }
}

extension SweepReading {
  /// Reads the sweep files in the ledger of a folder, else in the one that tests write to from the current folder.
  ///
  /// - Throws: `JobError` if there is no ledger, or if no test of the catalog was repeated.
  package static func find(_ folder: URL?, of catalog: Catalog) throws -> SweepReading {
    let reading = try SweepReading(LedgerReading.existing(folder, of: catalog), of: catalog)
    guard reading.outcomes.isEmpty, reading.notes.isEmpty else { return reading }
    throw JobError(
      .notFound,
      "the ledger in \(file: reading.folder) has no sweep of a test with \(file: catalog.url)",
      hints: reading.otherCatalogs.prefix(5).map { "It has sweeps of tests with \($0)." }
        + [
          "To fill it: run tests with the trait .everyFailure, .everyEvolution or .everyOrder of StubDBSweeps"
        ])
  }

  /// The runs of the usage ledger in the same folder; none if there are none.
  package func usage(of catalog: Catalog) throws -> [LedgerEntry] {
    try LedgerReading(folder, of: catalog).entries
  }
}
