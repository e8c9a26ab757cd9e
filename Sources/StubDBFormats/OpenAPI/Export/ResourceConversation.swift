internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBDrift
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// What a client does with a resource in one run, so that each of its operations has answers.
struct ResourceConversation {
  /// How many items of the seed there are, and how many bytes of JSON: a description has few examples, and shapes are seldom
  /// in later items alone.
  private static let (mostItems, mostBytes) = (50, 256 * 1024)

  private let list: RequestExample
  private let resource: Resource
  private let run: ExportedRun
  private(set) var exchanges: [(example: RequestExample, answer: SampledAnswer)] = []

  /// Holds a conversation that begins with a request for the list; nil for a stub without a resource.
  init?(_ stub: ExportedStub, list: RequestExample) {
    var alone = stub.whole
    guard let resource = alone.resource, let last = alone.responses.last else { return nil }
    let seed = Self.seed(of: last)
    var answer = StubResponse(
      headers: last.headers, body: .json(.array(seed.map(JSONValue.object))))
    answer.repeatCount = 1
    (alone.responses, alone.flow, alone.then) = ([answer], nil, .repeatLast)
    alone.request = alone.request.decidedByRequest
    guard let run = ExportedRun(alone, of: stub.scenario) else { return nil }
    (self.list, self.resource, self.run) = (list, resource, run)
    hold(seed)
  }

  private static func seed(of response: StubResponse) -> [JSONObject] {
    guard case .array(let items)? = response.body?.bytes.flatMap(json) else { return [] }
    var rest = mostBytes
    return items.prefix(mostItems).compactMap(item).prefix { item in
      rest -= JSONValue.object(item).canonicalText.utf8.count
      return rest >= 0
    }
  }

  private static func json(_ content: Data) -> JSONValue? { try? JSONValue(parsing: content) }

  private static func item(_ value: JSONValue) -> JSONObject? {
    if case .object(let item) = value { item } else { nil }
  }

  private mutating func hold(_ seed: [JSONObject]) {
    askForPage()
    for item in seed.prefix(1) { select(by: item) }
    var lastID = Self.missingID
    for item in seed.isEmpty ? [[:]] : seed {
      var new = item
      new[resource.member] = nil
      let created = ask("POST", new)
      // Encoders write it for an item that has none yet.
      ask("POST", new.merging([resource.member: .null]) { $1 })
      let known = item[resource.member] == nil ? created ?? item : item
      guard let id = resource.id(known[resource.member]) else { continue }
      lastID = id
      ask("GET", at: id)
      ask("PUT", at: id, known)
      ask("PATCH", at: id, new)
      // Null removes a member, and is left out of a list of members for an id.
      ask("PATCH", at: id, known.mapValues { _ in .null })
      ask("PUT", at: id, known.merging([resource.member: .null]) { $1 })
      ask("PUT", at: id, known.merging([resource.member: otherID(than: id)]) { $1 })
      ask("PATCH", at: id, [resource.member: otherID(than: id)])
      ask("POST", known)
    }
    ask("POST")
    ask("PUT", at: lastID)
    ask("PATCH", at: lastID)
    // The first one removes the item, and finds it if there was one.
    for id in [lastID, Self.missingID] {
      for method in ["DELETE", "DELETE", "GET"] { ask(method, at: id) }
      ask("PATCH", at: id, [:])
      ask("PUT", at: id, [:])
    }
  }

  /// An id that no item has; of whole numbers, none can have it.
  private static let missingID = "none"

  /// The id of another item.
  private func otherID(than id: String) -> JSONValue {
    resource.isInteger ? .number(JSONNumber(id == "1" ? 2 : 1)) : .string(Self.missingID)
  }

  /// Asks for a page of the list, if it has pages.
  private mutating func askForPage() {
    guard let limit = resource.limit, let start = resource.start else { return }
    var page = list
    let names = [(limit, "1"), (start, resource.isNumbered ? "1" : "0")]
    add(query: names, to: &page)
    add(page)
  }

  /// Asks for the items that have the values of one, of which a list has parameters.
  private mutating func select(by item: JSONObject) {
    var selected = list
    let values = item.compactMap { name, value -> (String, String)? in
      switch value {
      case .string(let text): (name, text)
      case .number, .bool: (name, value.canonicalText)
      case .null, .array, .object: nil
      }
    }
    add(query: values.sorted { $0.0.precedesByBytes($1.0) }, to: &selected)
    if !values.isEmpty { add(selected) }
  }

  private func add(query: [(String, String)], to example: inout RequestExample) {
    let text = query.map { URLParts.encodedQuery($0.0) + "=" + URLParts.encodedQuery($0.1) }
    example.url += (example.url.contains("?") ? "&" : "?") + text.joined(separator: "&")
  }

  /// Sends a request to the list, or to an item; returns the item of its answer.
  @discardableResult
  private mutating func ask(
    _ method: String, at id: String? = nil, _ item: JSONObject? = nil
  ) -> JSONObject? {
    var example = list
    example.method = method
    if let id {
      let (path, query) = (list.url.prefix { $0 != "?" }, list.url.drop { $0 != "?" })
      example.url = path + "/" + URLParts.encodedQuery(id) + query
      example.pathTemplate = (list.pathTemplate ?? resource.path) + "/{id}"
      example.pathParameters.append(RequestExample.Field(name: "id", value: id))
    }
    if let item {
      example.content = .json(.object(item))
      example.body = example.content.bytes
      example.headers[.contentType] = example.headers[.contentType] ?? "application/json"
    }
    return add(example).flatMap { Self.json($0.content) }.flatMap(Self.item)
  }

  @discardableResult
  private mutating func add(_ example: RequestExample) -> SampledAnswer? {
    guard let answer = run.sampledAnswer(to: example) else { return nil }
    exchanges.append((example, answer))
    return answer
  }
}
