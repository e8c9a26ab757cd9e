import StubDBCatalog

extension ResponseColumn {
  /// The column of the table to insert into; nil if the value belongs to the body.
  var stored: String? {
    switch self {
    case .status, .headers, .bodyKind, .rest: selected
    case .bodyLength: nil
    case .bodyDigest: "body_id"
    }
  }
}

extension ScenarioColumn {
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

  /// The values of a new row, as a list of SQL.
  static let values = allCases.map { $0.initial ?? "?\($0.parameter)" }.joined(
    separator: ", ")
}

extension ConflictColumn {
  /// The parameter for the column in ``WriteQueries/insertConflict`` and ``WriteQueries/deleteConflict``.
  var parameter: Int32 { rawValue + 1 }
}
