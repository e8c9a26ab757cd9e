internal import StubDBEngine
internal import StubDBJSON

extension MCPTool {
  /// The tools that ask a `stubdb serve` that runs.
  package static let ofServer = [journal, startSession]

  private static let session = text(
    "The id of a session; without one, that of requests that name none.")

  private static let journal = MCPTool(
    name: "journal", title: "See what clients asked",
    about: """
      The requests that a stubdb serve has got, and which stub answered each; newest last. With a number, \
      also the nearest stubs of that request, with what each expects and what the request has instead.
      """,
    properties: [
      "session": session,
      "matched": [
        "type": "boolean",
        "description": "Only requests that a stub answered, or only those that none did.",
      ],
      "method": text("Only requests with this method."),
      "path": text("Only requests with this path, such as /v1/me."),
      "after": [
        "type": "integer", "minimum": 0,
        "description": "Only requests with a larger number; without it, the last ones.",
      ],
      "limit": [
        "type": "integer", "minimum": 1, "maximum": 200, "default": 50,
        "description": "The largest number of requests.",
      ],
      "number": ["type": "integer", "minimum": 1, "description": "One request, by its number."],
    ],
    required: [],
    result: object(
      ["events": "array", "next": "integer", "dropped": "integer", "nearMisses": "array"],
      required: ["events"])
  ) { arguments, context in
    let server = try context.requiredServer()
    let path = ["sessions", arguments.text("session") ?? "default"]
    if let number = arguments.integer("number") {
      let entry = path + ["journal", "\(number)"]
      var event = try server.ask("GET", entry).members
      // Header fields hold tokens more often than not.
      for name in ["headers", "description"] { event[name] = nil }
      let misses: JSONValue =
        event["matched"] == true ? [] : try server.ask("GET", entry + ["near-misses"])
      return ["events": [shown(.object(event))], "nearMisses": misses]
    }
    let limit = arguments.integer("limit") ?? 50
    var query = ["limit": "\(limit)"]
    for name in ["method", "path"] { query[name] = arguments.text(name) }
    if let isMatched = arguments.truth("matched") { query["matched"] = "\(isMatched)" }
    if let after = arguments.integer("after") {
      query["after"] = "\(after)"
    } else if query.count == 1, let last = try server.ask("GET", path).members["requests"]?.integer
    {
      // Without a filter, the last page begins here.
      query["after"] = "\(max(0, last - limit))"
    }
    var page = try server.ask("GET", path + ["journal"], query: query).members
    page["events"] = .array((page["events"]?.elements ?? []).map(shown))
    return .object(page)
  }

  /// An entry without the secrets of its URL.
  private static func shown(_ event: JSONValue) -> JSONValue {
    var members = event.members
    if case .string(let url)? = members["url"] { members["url"] = .string(SecretDisplay.text(url)) }
    return .object(members)
  }

  private static let startSession = MCPTool(
    name: "start_session", title: "Start a session",
    about: """
      Starts a run of a scenario in a stubdb serve that runs, with an address of its own: baseURL is what a \
      client uses in place of the real host. It is forgotten after an hour without requests.
      """,
    properties: [
      "scenario": text("The name, such as checkout/paid; without one, that of the server."),
      "overlays": [
        "type": "array", "items": ["type": "string"],
        "description": "Scenarios on top of it; the last one answers first.",
      ],
      "name": text("What to call the session."),
      "pace": [
        "enum": ["real", "instant"], "description": "Whether delays of stubs take their time.",
      ],
      "unmatched": [
        "type": "integer", "minimum": 200, "maximum": 599,
        "description": "The status for requests that no stub answers.",
      ],
    ],
    required: [],
    result: object(["id": "string", "baseURL": "string"], required: ["id", "baseURL"]),
    isReadOnly: false
  ) { arguments, context in
    try context.requiredServer().ask("POST", ["sessions"], content: .object(arguments.members))
  }
}

extension JSONValue {
  fileprivate var members: JSONObject {
    if case .object(let members) = self { members } else { [:] }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var integer: Int? {
    if case .number(let number) = self { number.integerValue } else { nil }
  }
}
