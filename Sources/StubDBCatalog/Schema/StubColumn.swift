internal import StubDBModel

/// The columns of the table `stub` after `scenario_id` and `position`, in the order of the table.
///
/// The only list of these columns: selecting, inserting, hashing, reading and searching use it. To add a column, add a
/// migration, and a case at the end of this list.
package enum StubColumn: Int, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.stubs`.
  case key = 1
  case summary, priority, required, method, scheme, host, port, path, pattern, exhaustion, flow
  case capture, recorded, resource

  /// Whether a later version of the schema added the column.
  ///
  /// The digest of a row includes such a column only if it or a later one is not null. So the digests of older catalogs
  /// stay valid.
  package var isLater: Bool { rawValue >= Self.capture.rawValue }

  /// Sets the property of a stub from a row.
  func read(_ row: HashedRows, into stub: inout Stub, _ rows: inout StubRows) throws {
    switch self {
    case .key: stub.key = Stub.Key(unchecked: try row.text(rawValue))
    case .summary: stub.summary = try row.optionalText(rawValue)
    case .priority: stub.priority = row.integer(rawValue)
    case .required: stub.isRequired = row.integer(rawValue) != 0
    case .method, .scheme, .host, .port, .path, .pattern: break  // what the stub begins with
    case .exhaustion: stub.then = try rows.exhaustion(row)
    case .flow:
      stub.flow = try rows.members(row, rawValue).map {
        try FlowStep(row: $0)
      }
    case .capture:
      if let members = try rows.members(row, rawValue) {
        stub.captures = try Capture.captures(row: members)
      }
    case .recorded:
      stub.recorded = try rows.members(row, rawValue).map {
        try Stub.Recording(row: $0)
      }
    case .resource:
      stub.resource = try rows.members(row, rawValue).map { Resource(row: $0) }
    }
  }

  /// All columns; made once, because every row needs them.
  package static let all = allCases

  /// The columns' names, as a list of SQL.
  package static let names = allCases.map { "\($0)" }.joined(separator: ", ")

  /// The rows of a statement that selects the position and these columns.
  package static func rows(of statement: Statement) -> HashedRows {
    let laterCount = allCases.count { $0.isLater }
    return HashedRows(
      statement, columnCount: allCases.count + 1 - laterCount, laterColumnCount: laterCount)
  }
}
