internal import Foundation
internal import HTTPTypes
internal import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBDocuments
internal import StubDBEditing
internal import StubDBEngine
internal import StubDBJSON
internal import StubDBJobs
internal import StubDBModel
internal import StubDBPlayback
internal import StubDBServing
internal import StubDBSupport

extension MCPTool {
  /// The tools that leave the catalog as it is.
  package static let reading = [listScenarios, showScenario, search, match, check, schema]

  private static let listScenarios = MCPTool(
    name: "list_scenarios", title: "List scenarios",
    about: """
      The scenarios of the catalog: name, summary, tags, includes, and the numbers of its own and of included stubs.
      """,
    properties: [
      "prefix": text("Only scenarios whose name begins with this, such as checkout/."),
      "tags": [
        "type": "array", "items": ["type": "string"],
        "description": "Only scenarios that have all of these tags.",
      ],
    ],
    required: [], result: object(["scenarios": "array"], required: ["scenarios"])
  ) { arguments, context in
    let found = try context.open().listedScenarios(
      prefix: arguments.text("prefix"), tags: arguments.texts("tags"))
    return ["scenarios": .array(found.map(\.json.jsonValue))]
  }

  /// The longest document that is shown as a whole, in bytes: an assistant has to read all of it.
  private static let largestDocument = 256 << 10

  private static let showScenario = MCPTool(
    name: "show_scenario", title: "Show a scenario",
    about: """
      The document of a scenario, or of one of its stubs, in the form that put_scenario and put_stub take.
      """,
    properties: [
      "scenario": text("The name, such as checkout/paid."),
      "key": text("The key of a stub, to show only that."),
    ],
    required: ["scenario"], result: object(["document": "object"], required: ["document"])
  ) { arguments, context in
    let scenario = try context.open().existing(arguments.requiredScenario())
    let document: JSONValue
    if let key = arguments.text("key") {
      document = try scenario.existing(key).documentValue
    } else {
      document = scenario.documentValue
      let size = document.canonicalText.utf8.count
      guard size <= largestDocument else {
        let keys = scenario.stubs.prefix(200).map(\.key.rawValue).joined(separator: ", ")
        throw JobError(
          .invalidArgument,
          """
          the document of \(scenario.name) has \(size) bytes; ask for one of its \
          \(Plural.of(scenario.stubs.count, "stub")) with the argument key
          """,
          hints: ["Its keys: \(keys)\(scenario.stubs.count > 200 ? ", …" : "")"])
      }
    }
    return ["document": document]
  }

  private static let search = MCPTool(
    name: "search", title: "Find a text",
    about: """
      Finds a text in names, URLs, patterns, header fields and text bodies of all stubs, ignoring case.
      """,
    properties: [
      "text": ["type": "string", "minLength": 1, "description": "The text to find."],
      "limit": [
        "type": "integer", "minimum": 1, "maximum": 1000, "default": 100,
        "description": "The largest number of places to return.",
      ],
    ],
    required: ["text"],
    result: object(["hits": "array", "total": "integer"], required: ["hits", "total"])
  ) { arguments, context in
    let hits = try context.open().search(arguments.text("text") ?? "")
    let limit = arguments.integer("limit") ?? 100
    return [
      "hits": .array(hits.prefix(limit).map { $0.json.jsonValue }),
      "total": .number(JSONNumber(hits.count)),
    ]
  }

  private static let match = MCPTool(
    name: "match", title: "Try a request",
    about: """
      Which stub of a scenario answers a request, and with which response; or the nearest stubs, and for \
      each what it expects and what the request has instead. A fresh run is asked, nothing is sent over \
      the network.
      """,
    properties: [
      "scenario": text("The name, such as checkout/paid."),
      "method": [
        "type": "string", "default": "GET", "description": "The method of the request.",
      ],
      "url": text(
        "The URL, such as https://api.shop.test/v1/me, or a path of the origin that the stubs name."
      ),
      "headers": [
        "type": "object", "additionalProperties": ["type": "string"],
        "description": "The header fields of the request, by name.",
      ],
      "body": text("The body of the request as text."),
    ],
    required: ["scenario", "url"],
    result: object(
      [
        "matched": "boolean", "scenario": "string", "key": "string", "response": "object",
        "nearMisses": "array",
      ], required: ["matched"])
  ) { arguments, context in
    let scenario = try context.open().loadExisting(arguments.requiredScenario())
    let player = Player(
      scenario, options: PlaybackOptions(pace: .instant, allowsPassthrough: true))
    return try PlayedAnswer(to: arguments.request(to: scenario), from: player).json.jsonValue
  }

  private static let check = MCPTool(
    name: "check", title: "Look for problems",
    about: """
      Damage of the file, stubs that can never answer, includes that do not exist; an empty list if all is \
      well.
      """,
    properties: ["scenario": text("Only the problems of this scenario, and of the file itself.")],
    required: [], result: object(["problems": "array"], required: ["problems"])
  ) { arguments, context in
    let catalog = try context.open()
    let scenario = try arguments.scenario()
    if let scenario { _ = try catalog.existing(scenario) }
    let problems = try catalog.check().filter {
      scenario == nil || $0.scenario == nil || $0.scenario == scenario
    }
    let found = problems.map { problem in
      problem.json(
        problem: problem.problem {
          context.shown("\(command: $0, on: $1, $2, catalog: catalog.url)")
        }
      ).jsonValue
    }
    return ["problems": .array(found)]
  }

  private static let schema = MCPTool(
    name: "schema", title: "The form of documents",
    about: "The JSON Schema of a scenario's document, with what each member means.",
    properties: [:], required: [], result: ["type": "object"]
  ) { _, _ in
    try JSONValue(parsing: DocumentSchema.text)
  }
}

extension MCPArguments {
  /// The request that the arguments of `match` describe.
  fileprivate func request(to scenario: LoadedScenario) throws -> StubRequest {
    let target = text("url") ?? ""
    let parts = URLParts(target)
    guard LoadedScenario.isPath(target) || (parts?.scheme != nil && parts?.host != nil) else {
      throw JobError(
        .invalidArgument,
        """
        \(quoted: SecretDisplay.text(target)) is neither a URL, such as \
        https://api.shop.test/v1/me, nor a path, such as /v1/me
        """)
    }
    let method = text("method") ?? "GET"
    if HTTPRequest.Method(method) == nil {
      throw JobError(.invalidArgument, "\(quoted: method) is not a method, such as GET")
    }
    return StubRequest(
      method: method, url: scenario.url(of: target), headers: try headers(),
      body: .bytes(Data((text("body") ?? "").utf8)))
  }

  private func headers() throws -> HTTPFields {
    guard case .object(let headers)? = members["headers"] else { return [:] }
    let given = try headers.sorted { $0.key < $1.key }.map { name, value in
      guard case .string(let text) = value else {
        throw JobError(.invalidArgument, "the value of \(quoted: name) is not a text")
      }
      return (name: name, value: text)
    }
    do throws(HeaderFieldsError) {
      return try StubRequest.headers(given)
    } catch {
      throw JobError(.invalidArgument, "\(error.reason)")
    }
  }
}
