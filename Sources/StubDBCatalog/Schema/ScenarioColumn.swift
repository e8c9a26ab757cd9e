/// The columns of the table `scenario` after `id`, in the order in which they are read.
///
/// Like ``StubColumn``, the only list of these columns. Digests depend on the order, so a new column goes last.
package enum ScenarioColumn: Int32, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.scenario`.
  case digest
  case name, summary, tags, stubCount, stubsDigest

  /// The name of the column in the table.
  package var stored: String {
    switch self {
    case .digest: "sha256"
    case .name: "name"
    case .summary: "summary"
    case .tags: "tags"
    case .stubCount: "stub_count"
    case .stubsDigest: "stubs_sha256"
    }
  }

  /// The columns' names, as a list of SQL.
  package static let names = allCases.map(\.stored).joined(separator: ", ")

  /// The columns that the scenario's digest covers: all but the digest itself.
  package static let digested = 1..<Int32(allCases.count)

  /// The columns that the catalog's digest covers.
  package static let listed = [digest, name]
}

/// The columns of the table `conflict`, in the order of the table.
///
/// The only list of these columns. The catalog's digest depends on the order, so a new column goes last.
package enum ConflictColumn: Int32, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.conflicts`.
  case scenario
  case key, pointer, base, ours, theirs

  /// The columns that identify a conflict.
  package static let identity = [scenario, key, pointer]

  /// The name of the column in the table.
  package var stored: String {
    switch self {
    case .scenario: "scenario"
    case .key: "key"
    case .pointer: "pointer"
    case .base: "base"
    case .ours: "ours"
    case .theirs: "theirs"
    }
  }

  /// The columns' names, as a list of SQL.
  package static let names = allCases.map(\.stored).joined(separator: ", ")
}
