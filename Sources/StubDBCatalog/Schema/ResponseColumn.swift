internal import StubDBJSON
internal import StubDBModel

/// The columns of a response as it is read: those of the table `response` after its keys, and those of its body.
///
/// Like ``StubColumn``, the only list of these columns. Digests depend on the order, so a new column goes last.
enum ResponseColumn: Int, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.responses`.
  case status = 1
  case headers, bodyKind, rest, bodyLength, bodyDigest

  /// The SQL expression of the column.
  var selected: String {
    switch self {
    case .status: "status"
    case .headers: "headers"
    case .bodyKind: "body_kind"
    case .rest: "rest"
    case .bodyLength: "length(bytes)"
    case .bodyDigest: "sha256"
    }
  }

  /// The column of the table to insert into; nil if the value belongs to the body.
  var stored: String? {
    switch self {
    case .status, .headers, .bodyKind, .rest: selected
    case .bodyLength: nil
    case .bodyDigest: "body_id"
    }
  }

  /// Where a search looks in the column; nil if it does not.
  var search: SearchedColumn? {
    switch self {
    case .headers: .json(.headers)
    case .rest: .json(.response)
    case .status, .bodyKind, .bodyLength, .bodyDigest: nil
    }
  }

  /// The value of a response in the column; `members` are those of its document without the body.
  func value(
    of response: StubResponse, members: [String: JSONValue], body: Int64?
  ) -> ColumnValue {
    switch self {
    case .status: return .integer(Int64(response.status))
    case .headers: return .text(members["headers"]?.canonicalText)
    case .bodyKind: return .text(response.body?.kind.rawValue)
    case .rest:
      var rest = members
      rest["headers"] = nil
      // A template for the status stays in the JSON; the column then contains the default.
      if response.statusTemplate == nil { rest["status"] = nil }
      return .json(rest.isEmpty ? nil : rest)
    case .bodyLength: return .integer(nil)
    case .bodyDigest: return .integer(body)
    }
  }

  /// Sets the property of a response from a row.
  func read(_ row: HashedRows, into response: inout StubResponse, _ rows: inout StubRows) throws {
    switch self {
    case .rest: break  // what the response begins with
    case .status: response.status = row.integer(rawValue)
    case .headers: if let headers = try rows.headers(row) { response.headers = headers }
    case .bodyKind, .bodyLength, .bodyDigest: break  // what comes last
    }
  }

  /// All columns; made once, because every row needs them.
  static let all = allCases

  /// The expressions, as a list of SQL.
  static let selectedList = allCases.map(\.selected).joined(separator: ", ")

  /// The columns that are inserted.
  static let storedCases = allCases.filter { $0.stored != nil }

  /// The index of the additional column in ``ReadQueries/responses`` and ``ReadQueries/searchResponses``.
  static let lastPlace = Int32(allCases.count + 1)

  /// The rows of a statement that selects the stub's position and these columns.
  static func rows(of statement: Statement) -> HashedRows {
    HashedRows(statement, columnCount: allCases.count + 1)
  }
}
