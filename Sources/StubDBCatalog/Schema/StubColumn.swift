internal import StubDBJSON
internal import StubDBModel

/// The columns of the table `stub` after `scenario_id` and `position`, in the order of the table.
///
/// The only list of these columns: selecting, inserting, hashing, reading and searching use it. To add a column, add a
/// migration, and a case at the end of this list.
enum StubColumn: Int, CaseIterable {
  // The raw value is the index in a row of `ReadQueries.stubs`.
  case key = 1
  case summary, priority, required, method, scheme, host, port, path, pattern, exhaustion, flow
  case capture, recorded

  /// Whether a later version of the schema added the column.
  ///
  /// The digest of a row includes such a column only if it or a later one is not null. So the digests of older catalogs
  /// stay valid.
  var isLater: Bool { rawValue >= Self.capture.rawValue }

  /// Where a search looks in the column; nil if it does not.
  var search: SearchedColumn? {
    switch self {
    case .key: .plain(.key)
    case .summary: .plain(.summary)
    case .method: .plain(.method)
    case .scheme, .host, .port, .path: .url
    case .pattern: .json(.request)
    case .flow: .json(.flow)
    case .capture: .json(.capture)
    case .recorded: .json(.recorded)
    case .priority, .required, .exhaustion: nil
    }
  }

  /// The value of a stub in the column.
  func value(of stub: Stub, _ request: RequestColumns) -> ColumnValue {
    switch self {
    case .key: .text(stub.key.rawValue)
    case .summary: .text(stub.summary)
    case .priority: .integer(Int64(stub.priority))
    case .required: .integer(stub.isRequired ? 1 : 0)
    case .method: .text(request.method)
    case .scheme: .text(request.scheme)
    case .host: .text(request.host)
    case .port: .integer(request.port.map(Int64.init))
    case .path: .text(request.path)
    case .pattern: .text(request.pattern)
    case .exhaustion: .text(stub.then.rawValue)
    case .flow: .json(stub.flow?.jsonObject)
    case .capture: .json(stub.captures.isEmpty ? nil : Capture.jsonObject(stub.captures))
    case .recorded: .json(stub.recorded?.jsonObject)
    }
  }

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
        try FlowStep(jsonObject: $0, validation: .trusted)
      }
    case .capture:
      if let members = try rows.members(row, rawValue) {
        stub.captures = try Capture.captures(jsonObject: members, validation: .trusted)
      }
    case .recorded:
      stub.recorded = try rows.members(row, rawValue).map {
        try Recording(jsonObject: $0, validation: .trusted)
      }
    }
  }

  /// All columns; made once, because every row needs them.
  static let all = allCases

  /// The columns' names, as a list of SQL.
  static let names = allCases.map { "\($0)" }.joined(separator: ", ")

  /// The text of a stub's URL that a search looks at.
  static let urlText = """
    coalesce(scheme || '://', '') || coalesce(host, '') || coalesce(':' || port, '') \
    || coalesce(path, '')
    """

  /// The index of the additional column in ``ReadQueries/searchStubs``.
  static let hitPlace = Int32(allCases.count + 1)

  /// The rows of a statement that selects the position and these columns.
  static func rows(of statement: Statement) -> HashedRows {
    let laterCount = allCases.count { $0.isLater }
    return HashedRows(
      statement, columnCount: allCases.count + 1 - laterCount, laterColumnCount: laterCount)
  }
}

/// The value that is bound to a column.
enum ColumnValue {
  case integer(Int64?)
  case text(String?)
  case json([String: JSONValue]?)
}

/// How a column is searched.
enum SearchedColumn {
  /// As text, reported as this part.
  case plain(SearchHit.Part)
  /// As JSON, reported as this part.
  case json(SearchHit.Part)
  /// Together with the other columns of the URL.
  case url

  /// What a column's value is reported as if it contains the text; nil if it does not.
  func part(of value: String, holding search: SearchText) -> SearchHit.Part? {
    switch self {
    case .plain(let part): search.isHeld(in: value) ? part : nil
    case .json(let part): search.isHeld(inJSON: value) ? part : nil
    case .url: nil
    }
  }

  /// The SQL condition that a column contains a text.
  ///
  /// The LIKE patterns are parameters: 2 for plain columns, 3 and 4 for JSON, 5 for the URL before a query.
  /// A pattern may be null.
  static func condition(_ columns: [(name: String, search: SearchedColumn?)]) -> String {
    var conditions: [String] = []
    var hasURL = false
    for (name, search) in columns {
      switch search {
      case .plain: conditions.append("\(name) LIKE ?2 ESCAPE '\\'")
      case .json: conditions += [3, 4].map { "\(name) LIKE ?\($0) ESCAPE '\\'" }
      case .url:
        if !hasURL { conditions += [2, 5].map { "\(StubColumn.urlText) LIKE ?\($0) ESCAPE '\\'" } }
        hasURL = true
      case nil: continue
      }
    }
    return conditions.joined(separator: " OR ")
  }
}

extension Statement {
  func bind(_ index: Int32, _ value: ColumnValue) throws(SQLiteError) {
    switch value {
    case .integer(let number): try bind(index, number)
    case .text(let text): try bind(index, text)
    case .json(let members): try bind(index, members.map { JSONValue.object($0).canonicalText })
    }
  }
}
