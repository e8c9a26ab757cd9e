internal import StubDBCatalog

/// How a column is searched.
enum SearchedColumn {
  /// As text, reported as this part.
  case plain(Catalog.SearchHit.Part)
  /// As JSON, reported as this part.
  case json(Catalog.SearchHit.Part)
  /// Together with the other columns of the URL.
  case url

  /// What a column's value is reported as if it contains the text; nil if it does not.
  func part(of value: String, holding search: SearchText) -> Catalog.SearchHit.Part? {
    switch self {
    case .plain(let part): search.isHeld(in: value) ? part : nil
    case .json(let part): search.isHeld(inJSON: value) ? part : nil
    case .url: nil
    }
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
    case .resource: .json(.resource)
    case .priority, .required, .exhaustion: nil
    }
  }
}
