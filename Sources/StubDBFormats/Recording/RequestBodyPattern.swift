internal import Foundation
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport
internal import StubDBXML

/// The pattern that the content of a recorded request becomes.
struct RequestBodyPattern {
  /// The largest content that is compared byte by byte.
  static let maximumByteCount = 1024 * 1024

  /// How deep multipart contents in one another are looked into.
  private static let maximumDepth = 4

  /// The names of members and fields whose values differ each time.
  var volatility = Volatility()

  enum Result {
    case none
    case pattern(BodyPattern, volatile: [String])
    /// There was content, and it cannot be matched.
    case unmatched(reason: String)
  }

  func pattern(for body: RecordedBody, contentType: String?) -> Result {
    switch body {
    case .none: .none
    case .text(let text): text.isEmpty ? .none : pattern(text, contentType)
    case .source(let source): pattern(source.text, contentType)
    case .bytes(let data):
      if data.isEmpty {
        .none
      } else if let text = String(strictUTF8: data), text.isPlainText {
        pattern(text, contentType)
      } else if let content = contentType.flatMap({
        MultipartContent(data, contentType: $0)
      }) {
        multipart(content.parts.map(RecordedBody.Part.init))
      } else {
        binary(data)
      }
    case .form(let fields): form(fields)
    case .multipart(let parts): parts.isEmpty ? .none : multipart(parts)
    case .missing: .unmatched(reason: "The content of the request was not recorded")
    }
  }

  private func pattern(_ text: String, _ contentType: String?) -> Result {
    let type = contentType?.lowercased() ?? ""
    if type.hasPrefix("application/x-www-form-urlencoded"), text.contains("=") {
      return form(
        URLParts.queryItems(text).map { RecordedHeaders.Field($0.name, $0.value) })
    }
    if let json = Self.literal(Data(text.utf8)),
      JSONTextRule.recordings.takes(isContainer: json.isContainer, type: type)
    {
      return self.json(json, text)
    }
    // The whole text has a boundary, which is another one in each request.
    if type.hasPrefix("multipart/"),
      let content = MultipartContent(Data(text.utf8), contentType: contentType ?? "")
    {
      return multipart(content.parts.map(RecordedBody.Part.init))
    }
    let isXML = type.contains("/xml") || type.contains("+xml")
    if isXML, !text.contains("<!DOCTYPE"), (try? XMLTree(parsing: text)) != nil {
      return .pattern(.equalToXML(XMLPattern(text)), volatile: [])
    }
    return .pattern(.value(.equalTo(text)), volatile: [])
  }

  /// The value of a recorded text; nil if a text in it would be a placeholder, and not what was recorded.
  private static func literal(_ content: Data) -> JSONValue? {
    guard let value = try? JSONValue(parsing: content), !value.holdsPlaceholder else { return nil }
    return value
  }

  private func json(_ json: JSONValue, _ text: String) -> Result {
    // A client may have sent anything as its query.
    if let operation = GraphQLPattern(operation: json), Self.canBePlayed(.graphQL(operation)) {
      return .pattern(.graphQL(operation), volatile: [])
    }
    var names: [String] = []
    let pattern = BodyPattern.equalToJSON(volatility.withoutVolatileMembers(json, names: &names))
    // A string that is JSON itself is refused there, since in most stubs it is a mistake.
    guard json.isContainer || Self.canBePlayed(pattern) else {
      return .pattern(.value(.equalTo(text)), volatile: [])
    }
    return .pattern(pattern, volatile: names)
  }

  /// Whether a scenario with the pattern can be loaded; one that cannot would not answer at all.
  private static func canBePlayed(_ pattern: BodyPattern) -> Bool {
    let stub = Stub(key: Stub.Key(unchecked: "stub"), request: RequestPattern(body: [pattern]))
    let scenario = Scenario(name: ScenarioName(unchecked: "a/stub"), stubs: [stub])
    return LoadedScenario.problems(in: scenario).isEmpty
  }

  private func form(_ fields: [RecordedHeaders.Field]) -> Result {
    guard !fields.isEmpty else { return .none }
    var names: [String] = []
    let patterns = NamedValues(fields.map { ($0.name, $0.value) }).values.map { name, values in
      if values.contains(where: { volatility.isVolatile(name, value: $0) }) {
        names.append(name)
        return NamedPattern(name, .anything)
      }
      return NamedPattern(name, .exactly(values))
    }
    return .pattern(.form(patterns, isExact: true), volatile: names)
  }

  private func multipart(_ parts: [RecordedBody.Part]) -> Result {
    .pattern(partsPattern(parts, depth: 1), volatile: [])
  }

  private func partsPattern(_ parts: [RecordedBody.Part], depth: Int) -> BodyPattern {
    let patterns = parts.map { part in
      let body = part.content.flatMap { partPattern($0, part.contentType, depth: depth) }
      return PartPattern(
        name: part.name.isEmpty ? nil : part.name, filename: part.filename.map { .equalTo($0) },
        body: body.map { [$0] } ?? [])
    }
    return .multipart(patterns, isExact: true)
  }

  private func partPattern(_ content: Data, _ contentType: String?, depth: Int) -> BodyPattern? {
    if content.isEmpty { return .value(.absent) }
    if content.count > Self.maximumByteCount { return nil }
    // A set of changes in a batch has a boundary of its own.
    if depth < Self.maximumDepth,
      let inner = contentType.flatMap({ MultipartContent(content, contentType: $0) })
    {
      return partsPattern(inner.parts.map(RecordedBody.Part.init), depth: depth + 1)
    }
    guard let text = String(strictUTF8: content), text.isPlainText else {
      return .binaryEqualTo(content)
    }
    if let json = Self.literal(content), json.isContainer { return .equalToJSON(json) }
    return .value(.equalTo(text))
  }

  private func binary(_ data: Data) -> Result {
    guard data.count <= Self.maximumByteCount else {
      return .unmatched(
        reason: "The content of the request has \(data.count) bytes, too many to compare")
    }
    return .pattern(.binaryEqualTo(data), volatile: [])
  }
}

extension RecordedBody.Part {
  fileprivate init(_ part: MultipartContent.Part) {
    self.init(
      name: part.name ?? "", filename: part.filename,
      contentType: part.headers.first { $0.name.lowercased() == "content-type" }?.value,
      content: part.content)
  }
}

extension GraphQLPattern {
  /// The operation in a JSON content; nil if it has none.
  ///
  /// https://graphql.org/learn/serving-over-http/
  init?(operation json: JSONValue) {
    let starts = ["{", "query", "mutation", "subscription", "fragment"]
    guard case .object(let members) = json, case .string(let query) = members["query"],
      starts.contains(where: query.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix)
    else { return nil }
    var operationName: ValuePattern?
    if case .string(let name) = members["operationName"] { operationName = .equalTo(name) }
    // None are an empty object: with variables, it is another request.
    var variables = members["variables"] ?? .object([:])
    if variables == .null { variables = .object([:]) }
    self.init(operationName: operationName, variables: variables, query: query)
  }
}

extension JSONValue {
  /// Whether it is an object or an array.
  var isContainer: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}

extension String {
  /// Whether the text has no control characters but tabs and line ends.
  var isPlainText: Bool { utf8.isPlainText }
}

extension ValuePattern {
  /// One value, or exactly these.
  static func exactly(_ values: [String]) -> ValuePattern {
    values.count == 1 ? .equalTo(values[0]) : .hasExactly(values.map { .equalTo($0) })
  }
}

/// Values by name, in the order of the names.
struct NamedValues {
  let values: [(name: String, values: [String])]

  init(_ pairs: [(String, String)]) {
    var groups = OrderedGroups<String, [String]>()
    for (name, value) in pairs { groups[name, default: []].append(value) }
    values = groups.list.map { ($0.key, $0.value) }
  }
}
