import StubDBCatalog
import StubDBJSON
import StubDBModel

/// A tool that an assistant may call.
struct MCPTool: Sendable {
  let name: String
  let title: String
  let about: String
  /// The arguments by name, each with its JSON Schema.
  let properties: [String: JSONValue]
  let required: [String]
  /// The JSON Schema of the result, whose type is an object.
  let result: JSONValue
  /// Whether a call leaves the catalog as it is.
  var isReadOnly = true
  /// Whether a call may take something away.
  var isDestructive = false
  /// Whether a call asks a server that runs.
  var asksServer = false
  /// Does the work.
  let run: @Sendable (MCPArguments, MCPContext) throws -> JSONValue

  var inputSchema: JSONValue {
    [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
      "required": .array(required.map(JSONValue.string)),
    ]
  }

  /// The tool as `tools/list` shows it.
  var description: JSONValue {
    [
      "name": .string(name), "title": .string(title), "description": .string(about),
      "inputSchema": inputSchema, "outputSchema": result,
      "annotations": [
        "readOnlyHint": .bool(isReadOnly), "destructiveHint": .bool(isDestructive),
        "idempotentHint": .bool(isReadOnly), "openWorldHint": false,
      ],
    ]
  }

  /// The JSON Schema of a text.
  static func text(_ about: String) -> JSONValue {
    ["type": "string", "description": .string(about)]
  }

  /// The JSON Schema of an object with these members; others may stand beside them.
  static func object(_ members: [String: String], required: [String]) -> JSONValue {
    [
      "type": "object", "required": .array(required.map(JSONValue.string)),
      "properties": .object(members.mapValues { ["type": .string($0)] }),
    ]
  }
}

/// What tools work on.
struct MCPContext {
  /// Opens the catalog for a call.
  let open: () throws -> Catalog
  /// A server that runs; nil if none is known.
  var server: ServerClient?

  /// The server that runs.
  ///
  /// - Throws: `CommandError` if none is known.
  func requiredServer() throws -> ServerClient {
    if let server { return server }
    throw CommandError("no server is known; start stubdb mcp with --server")
  }
}

/// The arguments of a call, which fit the schema of its tool.
struct MCPArguments {
  let members: [String: JSONValue]

  func text(_ name: String) -> String? {
    guard case .string(let text)? = members[name] else { return nil }
    return text
  }

  func texts(_ name: String) -> [String] {
    guard case .array(let elements)? = members[name] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func flag(_ name: String) -> Bool { members[name] == .bool(true) }

  /// A truth value; nil if there is none.
  func truth(_ name: String) -> Bool? {
    if case .bool(let value)? = members[name] { value } else { nil }
  }

  /// The name of a scenario.
  ///
  /// - Throws: `CommandError` for a text that is no name.
  func scenario(_ name: String = "scenario") throws -> ScenarioName? {
    guard let text = text(name) else { return nil }
    if let reason = ScenarioName.reasonAgainst(text) { throw CommandError("\(name): \(reason)") }
    return ScenarioName(unchecked: text)
  }

  /// The name of a scenario that the schema requires.
  func requiredScenario() throws -> ScenarioName {
    guard let scenario = try scenario() else { throw CommandError("scenario is missing") }
    return scenario
  }
}
