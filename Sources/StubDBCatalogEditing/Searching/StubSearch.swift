internal import Foundation
internal import StubDBCatalog
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Finds a text in the stubs of scenarios, and compares what it searches with the digests.
struct StubSearch {
  private let search: SearchText
  private let path: String
  private let stubs: Statement
  private let responses: Statement
  /// The bodies that contain the text, by digest.
  private let bodies: [Data: String]

  /// Searches all bodies, each once.
  init(_ search: SearchText, _ reader: ScenarioReader) throws {
    self.search = search
    path = reader.path
    stubs = try reader.connection.prepare(ReadQueries.stubs)
    responses = try reader.connection.prepare(ReadQueries.responses)
    bodies = try Self.bodies(search, reader)
  }

  /// The places in a scenario's stubs that contain the text, in order; those in bodies come last.
  mutating func hits(in scenario: ScenarioSummary) throws -> [Catalog.SearchHit] {
    for statement in [stubs, responses] {
      statement.reset()
      try statement.bind(1, RowID.scenario(scenario.name.rawValue))
    }
    // Each body was read once, at the beginning.
    try responses.bind(2, 0 as Int)
    let (stubRows, responseRows) = (
      StubColumn.rows(of: stubs), ResponseColumn.rows(of: responses)
    )
    var (hits, bodyHits): ([Catalog.SearchHit], [Catalog.SearchHit]) = ([], [])
    // Both lists come in the order of the stubs, so one pass over each is enough.
    var hasResponse = try responseRows.step()
    while try stubRows.step() {
      let key = try stubRows.text(StubColumn.key.rawValue)
      func hit(_ part: Catalog.SearchHit.Part, _ text: String) -> Catalog.SearchHit {
        Catalog.SearchHit(scenario: scenario.name, key: key, part: part, text: text)
      }
      hits += try parts(ofStub: stubRows).map(hit)
      while hasResponse, responseRows.integer(0) == stubRows.integer(0) {
        hits += try parts(ofResponse: responseRows).map(hit)
        if let text = try bodyText(responseRows) { bodyHits.append(hit(.body, text)) }
        hasResponse = try responseRows.step()
      }
    }
    guard RowDigest.ofStubs(stubRows, responses: responseRows) == scenario.stubsDigest else {
      throw CatalogError(damaged: "the scenario \"\(scenario.name)\"", path: path)
    }
    return hits + bodyHits
  }

  private func parts(ofStub row: HashedRows) throws -> [(
    part: Catalog.SearchHit.Part, text: String
  )] {
    var hasURL = false
    let resource = try members(row, .resource)
    return try StubColumn.allCases.compactMap { column in
      guard case .url? = column.search else {
        // The URL of a resource is in two columns besides; it is found once.
        let places: [StubColumn: String] = [.pattern: "path", .resource: "at"]
        guard resource != nil, let name = places[column] else {
          return try part(row, column.rawValue, column.search)
        }
        var rest = try members(row, column) ?? [:]
        rest[name] = nil
        let text = JSONValue.object(rest).canonicalText
        return column.search?.part(of: text, holding: search).map { ($0, text) }
      }
      if hasURL { return nil }
      hasURL = true
      let text = try url(row) + (resource.map { Resource(row: $0).path } ?? "")
      if search.isHeld(in: text) { return (.url, text) }
      let pattern = try row.optionalText(StubColumn.pattern.rawValue)
      return search.url(heldIn: text, pattern: pattern).map { (.url, $0) }
    }
  }

  /// The object in a JSON column; nil without one.
  private func members(_ row: HashedRows, _ column: StubColumn) throws -> JSONObject? {
    guard let text = try row.optionalText(column.rawValue),
      case .object(let members)? = try? JSONValue(parsing: text)
    else { return nil }
    return members
  }

  private func parts(ofResponse row: HashedRows) throws -> [(
    part: Catalog.SearchHit.Part, text: String
  )] {
    try ResponseColumn.allCases.compactMap { try part(row, $0.rawValue, $0.search) }
  }

  private func part(
    _ row: HashedRows, _ column: Int, _ searched: SearchedColumn?
  ) throws -> (part: Catalog.SearchHit.Part, text: String)? {
    guard let searched, let text = try row.optionalText(column) else { return nil }
    return searched.part(of: text, holding: search).map { ($0, text) }
  }

  /// Scheme, host, port and path, as far as they are literal.
  private func url(_ row: HashedRows) throws -> String {
    let port = StubColumn.port.rawValue
    return (try row.optionalText(StubColumn.scheme.rawValue).map { $0 + "://" } ?? "")
      + (try row.optionalText(StubColumn.host.rawValue) ?? "")
      + (row.isNull(port) ? "" : ":\(row.integer(port))")
      + (try row.optionalText(StubColumn.path.rawValue) ?? "")
  }

  /// A response's body; nil if it does not contain the text.
  private func bodyText(_ row: HashedRows) throws -> String? {
    if bodies.isEmpty || row.isNull(ResponseColumn.bodyDigest.rawValue) { return nil }
    guard let text = bodies[Data(row.bytes(ResponseColumn.bodyDigest.rawValue))] else { return nil }
    let kind = try row.text(ResponseColumn.bodyKind.rawValue)
    return kind == ResponseBody.Kind.base64.rawValue ? nil : text
  }

  private static func bodies(
    _ search: SearchText, _ reader: ScenarioReader
  ) throws -> [Data: String] {
    let row = try reader.connection.prepare(ReadQueries.allBodies)
    var bodies: [Data: String] = [:]
    var checks = BodyChecks()
    var isWhole = true
    while try row.step(), isWhole {
      let (bytes, digest) = (row.data(0), row.data(1))
      isWhole = digest.withUnsafeBytes { checks.add(bytes, digest: $0) }
      // A body that is not text is not searched.
      if search.isHeld(in: bytes) { bodies[digest] = String(strictUTF8: bytes) }
    }
    guard isWhole, checks.finish() else {
      throw CatalogError(damaged: "a body", path: reader.path)
    }
    return bodies
  }
}
