internal import Foundation
internal import StubDBJSON
public import StubDBModel

/// A place in a catalog that contains a text.
public struct SearchHit: Hashable, Sendable {
  /// The scenario.
  public let scenario: ScenarioName
  /// The stub's key; nil for a place in the scenario itself.
  public let key: String?
  /// The part that contains the text: `name`, `summary`, `tags`, `key`, `method`, `url`, `request`, `flow`, `capture`,
  /// `recorded`, `headers`, `response` or `body`.
  public let part: String
  /// The whole value that contains the text.
  ///
  /// URLs, patterns and header fields are shown as the catalog stores them,
  /// mostly as JSON.
  public let text: String
}

extension Catalog {
  /// The places that contain a text, ignoring ASCII case; ordered by scenario and stub.
  ///
  /// Searches names, summaries, tags, keys, URLs, patterns, header fields and text bodies. Reads the whole catalog:
  /// half a second for 100,000 stubs. An empty text finds nothing.
  /// - Throws: A ``CatalogError`` if any part of the file cannot be read or is damaged, because a place could be
  /// missed.
  public func search(_ text: String) throws -> [SearchHit] {
    guard !text.isEmpty else { return [] }
    let search = SearchText(text)
    let hits = try file.read { connection in
      let reader = reader(connection)
      let scenarios = try reader.summaries()
      var stubs = try StubSearch(search, reader)
      return try searchScenarios(connection, search)
        + scenarios.flatMap { scenario in try stubs.hits(in: scenario) }
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
          SearchText.holds(part == "tags" ? search.json : search.plain, in: value)
        else { continue }
        hits.append(SearchHit(scenario: name, key: nil, part: part, text: value))
      }
    }
    return hits
  }
}

/// The text of a search, in the forms in which plain columns and JSON columns contain it.
struct SearchText {
  let plain: String
  /// With JSON's escapes: a header field `"abc"` is stored as `\"abc\"`.
  let json: String

  init(_ text: String) {
    plain = text
    json = String(JSONValue.string(text).canonicalText.dropFirst().dropLast())
  }

  /// The LIKE pattern for plain columns, with the escape `\`.
  var plainPattern: String { Self.pattern(plain) }

  /// Binds the pattern for plain columns, and after it the one for JSON columns.
  func bind(to statement: Statement, from index: Int32 = 1) throws {
    try statement.bind(index, plainPattern)
    try statement.bind(index + 1, Self.pattern(json))
  }

  /// Whether the value contains the text, ignoring case.
  static func holds(_ text: String, in value: String) -> Bool {
    value.range(of: text, options: .caseInsensitive) != nil
  }

  private static func pattern(_ text: String) -> String {
    "%"
      + text.replacing("\\", with: "\\\\").replacing("%", with: "\\%")
      .replacing("_", with: "\\_") + "%"
  }
}
