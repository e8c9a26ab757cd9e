package import StubDBCatalog
package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBPlayback

/// Why a test is affected.
package struct AffectedReason: Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// A stub that answered the test changed, or was removed.
    case changed, removed
    /// A stub that was added, changed or moved may take a request before the one that answered.
    case earlier
    /// A stub that has to answer was added, changed or removed.
    case required
    /// A stub of the scenario changed, and the test depends on all of them.
    case all
    /// A stub of the scenario changed, and the ledger does not say which ones the test uses.
    case stale
    /// The scenario can be loaded in one of the two states only.
    case load
    case settings, description
    /// A stub that answered has the member, or answers an operation that changed.
    case member, operation
  }

  package let kind: Kind
  /// The scenario whose document contains the stub; nil if it is none of a scenario.
  package let scenario: String?
  /// The stub; nil if it is none in particular.
  package let key: String?
  /// One line.
  package let text: String
}

/// The tests whose answers differ between two states of a catalog, by what the usage ledger says they load and use.
///
/// Every test whose answers differ is among them, as long as the test itself is the one that wrote the ledger; some whose
/// answers are the same may be, too.
package struct AffectedTests {
  /// A test, and why it is affected.
  package struct Affected: Hashable, Sendable {
    /// The name in the ledger.
    package let test: String
    /// In the order in which the test loads and stubs answer, each once; not empty.
    package let reasons: [AffectedReason]
  }

  /// The tests, ordered by name.
  package private(set) var tests: [Affected] = []
  /// Why runs that belong to no named test are affected; empty if none is.
  package private(set) var unnamed: [AffectedReason] = []
  /// The number of tests in the ledger.
  package private(set) var testCount = 0
  /// The names of the affected tests of which the ledger is older than both states.
  package var stale: [String] {
    tests.filter { $0.reasons.contains { $0.kind == .stale } }.map(\.test)
  }

  /// Compares two states of a catalog.
  ///
  /// - Throws: `CatalogError` if one of them cannot be read.
  package init(
    _ ledger: LedgerReading, from old: Catalog, to new: Catalog
  ) throws(CatalogError) {
    let (old, new) = (try ComparedState(old), try ComparedState(new))
    let comparison = CatalogComparison(from: old, to: new)
    let general = AffectedTests.general(old, new)
    try collect(ledger) { (runs) throws(CatalogError) in
      let isDescribed = runs.current.contains { $0.demands.contains(.description) }
      return try general.filter { isDescribed || $0.kind != .description }
        + runs.reasons(in: comparison)
    }
  }

  /// Finds the tests for which a stub that answered them has a reason.
  package init(
    _ ledger: LedgerReading, for reasons: [StubPlace: [AffectedReason]]
  ) {
    collect(ledger) { runs in
      runs.current.flatMap { entry in
        entry.used.flatMap { use in
          use.keys.flatMap { reasons[StubPlace(scenario: use.scenario, key: $0)] ?? [] }
        }
      }
    }
  }

  /// What concerns all tests.
  private static func general(
    _ old: ComparedState, _ new: ComparedState
  ) -> [AffectedReason] {
    var reasons: [AffectedReason] = []
    if old.defaults != new.defaults {
      let text = "\(CatalogSettings.fileName) changed"
      reasons.append(AffectedReason(kind: .settings, scenario: nil, key: nil, text: text))
    }
    if old.descriptions != new.descriptions {
      let text = "the description of the API that requests are compared with changed"
      reasons.append(AffectedReason(kind: .description, scenario: nil, key: nil, text: text))
    }
    return reasons
  }

  private mutating func collect<Failure: Error>(
    _ ledger: LedgerReading, _ reasons: (TestRuns) throws(Failure) -> [AffectedReason]
  ) throws(Failure) {
    for (test, entries) in Dictionary(grouping: ledger.entries, by: \.test) {
      let found = try reasons(TestRuns(entries, ledger)).unique
      guard let test else {
        unnamed = found
        continue
      }
      testCount += 1
      if !found.isEmpty { tests.append(Affected(test: test, reasons: found)) }
    }
    tests.sort { $0.test < $1.test }
  }
}

/// The runs of one test.
private struct TestRuns {
  /// Those of the last process that ran it.
  let current: [LedgerEntry]
  private let earlier: [LedgerEntry]

  init(_ entries: [LedgerEntry], _ ledger: LedgerReading) {
    // Runs of no test belong to many of them.
    guard entries.first?.test != nil, entries.contains(where: { $0.process != entries[0].process })
    else {
      (current, earlier) = (entries, [])
      return
    }
    let last = entries.compactMap { ledger.beginning(of: $0.process) }.max()
    let isCurrent = { (entry: LedgerEntry) in
      ledger.beginning(of: entry.process).map { $0 == last } ?? true
    }
    (current, earlier) = (entries.filter(isCurrent), entries.filter { !isCurrent($0) })
  }

  /// Why the runs may have another result; what an earlier process used counts too, where the ledger is as new.
  func reasons(in comparison: CatalogComparison) throws(CatalogError) -> [AffectedReason] {
    var reasons: [AffectedReason] = []
    var known: [ScenarioLoad: LoadComparison] = [:]
    for entry in current {
      let load = ScenarioLoad(entry)
      // Comparisons are kept, so that asking again costs nothing.
      guard let found = try comparison.comparison(of: load) else { continue }
      known[load] = found
      reasons += try found.reasons(of: entry)
    }
    for entry in earlier {
      let load = ScenarioLoad(entry)
      guard let found = known[load], found.knows(entry) else { continue }
      reasons += try found.reasons(of: entry)
    }
    return reasons
  }
}

extension AffectedTests {
  /// Everything, for programs; `unknown` are the tests of a list that the ledger does not have.
  package func json(unknown: [String]) -> OrderedJSON {
    .object([
      ("tests", .array(tests.map(Self.json))),
      ("unknown", .strings(unknown)),
      ("unnamed", .array(unnamed.map(Self.json))),
      ("stale", .strings(stale)),
      ("known", .integer(testCount)),
    ])
  }

  private static func json(_ test: Affected) -> OrderedJSON {
    .object([("test", .string(test.test)), ("reasons", .array(test.reasons.map(json)))])
  }

  private static func json(_ reason: AffectedReason) -> OrderedJSON {
    .object([
      ("kind", .string(reason.kind.rawValue)), ("scenario", .string(reason.scenario)),
      ("key", .string(reason.key)), ("text", .string(reason.text)),
    ])
  }
}
