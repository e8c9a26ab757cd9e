public import StubDBModel

/// A place in a catalog that holds a text.
public struct SearchHit: Hashable, Sendable {
  /// The scenario.
  public let scenario: ScenarioName
  /// The stub's key; nil for a hit in the scenario itself.
  public let key: String?
  /// Which part holds the text: `name`, `summary`, `tags`, `key`, `method`, `url`, `request`, `flow`,
  /// `headers`, `response` or `body`.
  public let part: String
  /// The text around the hit on one line, at most about 120 characters.
  public let text: String
}

extension Catalog {
  /// The places that hold a text, without regard to ASCII case; by scenario and stub.
  ///
  /// Looks into names, summaries, tags, keys, URLs, patterns, header fields and text bodies. Costs a
  /// look at the whole catalog, a quarter of a second for 100,000 stubs. An empty text finds nothing.
  public func search(_ text: String) throws -> [SearchHit] {
    guard !text.isEmpty else { return [] }
    let search = SearchText(text)
    let hits = try file.read { connection in
      try searchScenarios(connection, search) + searchStubs(connection, search)
        + searchBodies(connection, search)
    }
    var seen: Set<SearchHit> = []
    return hits.filter { seen.insert($0).inserted }
      .sorted { $0.scenario < $1.scenario }
  }

  private func searchScenarios(
    _ connection: Connection, _ search: SearchText
  ) throws -> [SearchHit] {
    let row = try connection.prepare(ReadQueries.searchScenarios)
    try search.bind(to: row)
    var hits: [SearchHit] = []
    while try row.step() {
      let name = ScenarioName(unchecked: try row.text(0))
      for (column, part) in ["name", "summary", "tags"].enumerated() {
        guard let value = try row.optionalText(Int32(column)),
          let snippet = Snippet.text(around: part == "tags" ? search.json : search.plain, in: value)
        else { continue }
        hits.append(SearchHit(scenario: name, key: nil, part: part, text: snippet))
      }
    }
    return hits
  }

  private func searchStubs(
    _ connection: Connection, _ search: SearchText
  ) throws -> [SearchHit] {
    let row = try connection.prepare(ReadQueries.searchStubs)
    try search.bind(to: row)
    var hits: [SearchHit] = []
    while try row.step() {
      let name = ScenarioName(unchecked: try row.text(0))
      let key = try row.text(1)
      let url =
        (try row.optionalText(4).map { $0 + "://" } ?? "") + (try row.optionalText(5) ?? "")
        + (row.isNull(6) ? "" : ":\(row.integer(6))") + (try row.optionalText(7) ?? "")
      let parts = [
        ("key", key, search.plain), ("summary", try row.optionalText(2), search.plain),
        ("method", try row.optionalText(3), search.plain), ("url", url, search.plain),
        ("request", try row.optionalText(8), search.json),
        ("flow", try row.optionalText(9), search.json),
        ("capture", try row.optionalText(12), search.json),
        ("headers", try row.optionalText(10), search.json),
        ("response", try row.optionalText(11), search.json),
      ]
      for (part, value, text) in parts {
        guard let value, let snippet = Snippet.text(around: text, in: value) else { continue }
        hits.append(SearchHit(scenario: name, key: key, part: part, text: snippet))
      }
    }
    return hits
  }

  private func searchBodies(
    _ connection: Connection, _ search: SearchText
  ) throws -> [SearchHit] {
    let row = try connection.prepare(ReadQueries.searchBodies)
    try row.bind(1, search.plainPattern)
    var hits: [SearchHit] = []
    while try row.step() {
      guard let snippet = Snippet.text(around: search.plain, in: try row.text(2)) else { continue }
      hits.append(
        SearchHit(
          scenario: ScenarioName(unchecked: try row.text(0)), key: try row.text(1), part: "body",
          text: snippet))
    }
    return hits
  }
}
