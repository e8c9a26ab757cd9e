internal import StubDBCatalog

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

extension ScenarioColumn {
  /// Where a search looks in the column; nil if it does not.
  var search: SearchedColumn? {
    switch self {
    case .name: .plain(.name)
    case .summary: .plain(.summary)
    case .tags: .json(.tags)
    case .digest, .stubCount, .stubsDigest: nil
    }
  }
}

extension ResponseColumn {
  /// Where a search looks in the column; nil if it does not.
  var search: SearchedColumn? {
    switch self {
    case .headers: .json(.headers)
    case .rest: .json(.response)
    case .status, .bodyKind, .bodyLength, .bodyDigest: nil
    }
  }
}

extension StubColumn {
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

  /// The text of a stub's URL that a search looks at.
  static let urlText = """
    coalesce(scheme || '://', '') || coalesce(host, '') || coalesce(':' || port, '') \
    || coalesce(path, '')
    """

  /// The index of the additional column in ``ReadQueries/searchStubs``.
  static let hitPlace = Int32(allCases.count + 1)
}

extension ReadQueries {
  /// The stubs of a scenario, in order, each with whether it contains a text, ignoring ASCII case.
  ///
  /// Parameters: 1 the scenario's id; those of ``SearchedColumn/condition(_:)``, with the escape `\\`.
  /// Columns: those of ``stubs``, then whether the stub contains the text.
  static let searchStubs = """
    SELECT position, \(StubColumn.names),
      \(SearchedColumn.condition(StubColumn.allCases.map { ("\($0)", $0.search) }))
    FROM stub WHERE scenario_id = ?1 ORDER BY position
    """

  /// The responses of a scenario's stubs, in order, each with whether it contains a text outside its body.
  ///
  /// Parameters: as in ``searchStubs``; the second one is not used, and there is no fifth.
  /// Columns: those of ``responses`` without the bytes, then whether the response contains the text.
  static let searchResponses = """
    SELECT stub_position, \(ResponseColumn.selectedList),
      \(SearchedColumn.condition(ResponseColumn.allCases.map { ($0.selected, $0.search) }))
    FROM response LEFT JOIN body ON body.id = body_id
    WHERE scenario_id = ?1 ORDER BY stub_position, position
    """

  /// The scenarios that contain a text, ignoring ASCII case.
  ///
  /// Parameters: those of ``SearchedColumn/condition(_:)`` up to the fourth, with the escape `\\`.
  /// Columns: those of ``ScenarioColumn``.
  static let searchScenarios = """
    SELECT \(ScenarioColumn.names) FROM scenario
    WHERE \(SearchedColumn.condition(ScenarioColumn.allCases.map { ($0.stored, $0.search) }))
    ORDER BY name
    """

  /// Every body, with whether it contains a text, ignoring ASCII case.
  ///
  /// Parameter 1: a LIKE pattern with the escape `\\`. Columns: bytes, SHA-256, whether the body contains the text.
  static let searchBodies = """
    SELECT bytes, sha256, CAST(bytes AS TEXT) LIKE ?1 ESCAPE '\\' FROM body ORDER BY id
    """
}
