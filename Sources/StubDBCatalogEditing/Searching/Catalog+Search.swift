public import StubDBCatalog
package import StubDBDocuments
internal import StubDBJSON
public import StubDBModel

extension Catalog {
  /// A place in a catalog that contains a text.
  public struct SearchHit: Hashable, Sendable {
    /// A part of a scenario or a stub; later versions may add parts.
    public struct Part: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
      /// The name of the part, as `stubdb search` prints it.
      public let rawValue: String
      /// The name of the part.
      public var description: String { rawValue }

      /// Makes a part from its name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The scenario's name.
      public static let name = Part(rawValue: "name")
      /// The summary of the scenario or the stub.
      public static let summary = Part(rawValue: "summary")
      /// The scenario's tags.
      public static let tags = Part(rawValue: "tags")
      /// The stub's key.
      public static let key = Part(rawValue: "key")
      /// The only method that the stub answers.
      public static let method = Part(rawValue: "method")
      /// Scheme, host, port and path, as far as they are literal.
      public static let url = Part(rawValue: "url")
      /// The rest of the request pattern.
      public static let request = Part(rawValue: "request")
      /// The step in a flow.
      public static let flow = Part(rawValue: "flow")
      /// What is kept of a request.
      public static let capture = Part(rawValue: "capture")
      /// When and from where the stub was recorded.
      public static let recorded = Part(rawValue: "recorded")
      /// The kind of ids of the stub's resource, and the names of its members and parameters.
      public static let resource = Part(rawValue: "resource")
      /// The header fields of a response.
      public static let headers = Part(rawValue: "headers")
      /// Everything of a response besides its status, header fields and content.
      public static let response = Part(rawValue: "response")
      /// The text content of a response.
      public static let body = Part(rawValue: "body")
    }

    /// The scenario.
    public let scenario: ScenarioName
    /// The stub's key; nil for a place in the scenario itself.
    public let key: String?
    /// The part that contains the text.
    public let part: Part
    /// The whole value that contains the text.
    ///
    /// URLs, patterns and header fields are shown as the catalog stores them,
    /// mostly as JSON.
    public let text: String

    /// The hit for programs.
    package var json: OrderedJSON {
      .object([
        ("scenario", .string(scenario.rawValue)), ("key", .string(key)),
        ("part", .string(part.rawValue)), ("text", .string(text)),
      ])
    }
  }
}

extension Catalog {
  /// The places that contain a text, ignoring ASCII case; ordered by scenario and stub.
  ///
  /// Searches names, summaries, tags, keys, URLs, patterns, header fields and text bodies. What is stored as JSON is
  /// searched both as it is written and as what its strings mean. A URL with a query finds the stubs with that URL and
  /// these parameters. Reads the whole catalog: half a second for 100,000 stubs. An empty text finds nothing.
  /// - Throws: A ``CatalogError`` with `invalidValue` for a text of more than 4,096 bytes, and others if any part of the
  /// file cannot be read or is damaged, because a place could be missed.
  public func search(_ text: String) throws(CatalogError) -> [SearchHit] {
    guard !text.isEmpty else { return [] }
    guard text.utf8.count <= SearchText.longest else {
      throw CatalogError(
        .invalidValue,
        "a text to search for has at most \(SearchText.longest) bytes, and this one has "
          + "\(text.utf8.count); search for a part of it", path: file.path)
    }
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
    let row = try connection.prepare(ReadQueries.scenarioList)
    var hits: [SearchHit] = []
    while try row.step() {
      let name = try row.scenarioName(ScenarioColumn.name.rawValue)
      for column in ScenarioColumn.allCases {
        guard let searched = column.search, let value = try row.optionalText(column.rawValue),
          let part = searched.part(of: value, holding: search)
        else { continue }
        hits.append(SearchHit(scenario: name, key: nil, part: part, text: value))
      }
    }
    return hits
  }
}
