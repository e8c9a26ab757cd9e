internal import StubDBJSON
internal import StubDBModel

/// The columns of the table `scenario` after `id`, in the order in which they are read.
///
/// Like ``StubColumn``, the only list of these columns. Digests depend on the order, so a new column goes last.
enum ScenarioColumn: Int32, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.scenario`.
  case digest
  case name, summary, tags, stubCount, stubsDigest

  /// The name of the column in the table.
  var stored: String {
    switch self {
    case .digest: "sha256"
    case .name: "name"
    case .summary: "summary"
    case .tags: "tags"
    case .stubCount: "stub_count"
    case .stubsDigest: "stubs_sha256"
    }
  }

  /// Where a search looks in the column; nil if it does not.
  var search: SearchedColumn? {
    switch self {
    case .name: .plain(.name)
    case .summary: .plain(.summary)
    case .tags: .json(.tags)
    case .digest, .stubCount, .stubsDigest: nil
    }
  }

  /// The value of a scenario in the column; nil for a column that is filled in after the stubs.
  func value(of scenario: Scenario) -> ColumnValue? {
    switch self {
    case .name: .text(scenario.name.rawValue)
    case .summary: .text(scenario.summary)
    case .tags: .text(JSONValue.array(scenario.tags.map(JSONValue.string)).canonicalText)
    case .digest, .stubCount, .stubsDigest: nil
    }
  }

  /// What a new row has in a column that is filled in after the stubs, as SQL; nil for other columns.
  private var initial: String? {
    switch self {
    case .digest, .stubsDigest: "x''"
    case .stubCount: "0"
    case .name, .summary, .tags: nil
    }
  }

  /// The parameter for the column in ``WriteQueries/insertScenario``.
  var parameter: Int32 { rawValue + 2 }

  /// The columns' names, as a list of SQL.
  static let names = allCases.map(\.stored).joined(separator: ", ")

  /// The values of a new row, as a list of SQL.
  static let values = allCases.map { $0.initial ?? "?\($0.parameter)" }.joined(separator: ", ")

  /// The columns that the scenario's digest covers: all but the digest itself.
  static let digested = 1..<Int32(allCases.count)

  /// The columns that the catalog's digest covers.
  static let listed = [digest, name]
}

/// The columns of the table `conflict`, in the order of the table.
///
/// The only list of these columns. The catalog's digest depends on the order, so a new column goes last.
enum ConflictColumn: Int32, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.conflicts`.
  case scenario
  case key, pointer, base, ours, theirs

  /// The columns that identify a conflict.
  static let identity = [scenario, key, pointer]

  /// The name of the column in the table.
  var stored: String {
    switch self {
    case .scenario: "scenario"
    case .key: "key"
    case .pointer: "pointer"
    case .base: "base"
    case .ours: "ours"
    case .theirs: "theirs"
    }
  }

  /// The value of a conflict in the column.
  func value(of conflict: Conflict) -> ColumnValue {
    switch self {
    case .scenario: .text(conflict.scenario.rawValue)
    case .key: .text(conflict.key ?? "")
    case .pointer: .text(conflict.pointer.description)
    case .base: .text(conflict.base?.canonicalText)
    case .ours: .text(conflict.ours?.canonicalText)
    case .theirs: .text(conflict.theirs?.canonicalText)
    }
  }

  /// The parameter for the column in ``WriteQueries/insertConflict`` and ``WriteQueries/deleteConflict``.
  var parameter: Int32 { rawValue + 1 }

  /// The columns' names, as a list of SQL.
  static let names = allCases.map(\.stored).joined(separator: ", ")
}
