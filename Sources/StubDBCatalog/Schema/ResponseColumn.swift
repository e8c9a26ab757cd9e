internal import StubDBModel

/// The columns of a response as it is read: those of the table `response` after its keys, and those of its body.
///
/// Like ``StubColumn``, the only list of these columns. Digests depend on the order, so a new column goes last.
package enum ResponseColumn: Int, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.responses`.
  case status = 1
  case headers, bodyKind, rest, bodyLength, bodyDigest

  /// The SQL expression of the column.
  package var selected: String {
    switch self {
    case .status: "status"
    case .headers: "headers"
    case .bodyKind: "body_kind"
    case .rest: "rest"
    case .bodyLength: "length(bytes)"
    case .bodyDigest: "sha256"
    }
  }

  /// Sets the property of a response from a row.
  func read(_ row: HashedRows, into response: inout StubResponse, _ rows: inout StubRows)
    throws
  {
    switch self {
    case .rest: break  // what the response begins with
    case .status: response.status = row.integer(rawValue)
    case .headers: if let headers = try rows.headers(row) { response.headers = headers }
    case .bodyKind, .bodyLength, .bodyDigest: break  // what comes last
    }
  }

  /// All columns; made once, because every row needs them.
  package static let all = allCases

  /// The expressions, as a list of SQL.
  package static let selectedList = allCases.map(\.selected).joined(separator: ", ")

  /// The index of the additional column in ``ReadQueries/responses``.
  package static let lastPlace = Int32(allCases.count + 1)

  /// The rows of a statement that selects the stub's position and these columns.
  package static func rows(of statement: Statement) -> HashedRows {
    HashedRows(statement, columnCount: allCases.count + 1)
  }
}
