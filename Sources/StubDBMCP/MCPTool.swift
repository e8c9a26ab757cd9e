package import StubDBCatalog
package import StubDBJSON
package import StubDBJobs
package import StubDBModel

/// A tool that an assistant may call.
package struct MCPTool: Sendable {
  package let name: String
  let title: String
  let about: String
  /// The arguments by name, each with its JSON Schema.
  let properties: JSONObject
  let required: [String]
  /// The JSON Schema of the result, whose type is an object.
  let result: JSONValue
  /// Whether a call leaves the catalog as it is.
  var isReadOnly = true
  /// Whether a call may take something away.
  var isDestructive = false
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
  package static func text(_ about: String) -> JSONValue {
    ["type": "string", "description": .string(about)]
  }

  /// The JSON Schema of an object with these members; others may stand beside them.
  package static func object(_ members: [String: String], required: [String]) -> JSONValue {
    [
      "type": "object", "required": .array(required.map(JSONValue.string)),
      "properties": .object(members.mapValues { ["type": .string($0)] }),
    ]
  }
}

/// What tools work on.
package struct MCPContext {
  /// Opens the catalog for a call.
  package let open: () throws -> Catalog
  /// A server that runs; nil if none is known.
  package let server: ServerClient?
  /// A text with files and commands as the person sees them.
  let shown: (JobText) -> String

  package init(
    open: @escaping () throws -> Catalog, server: ServerClient?,
    shown: @escaping (JobText) -> String = \.description
  ) {
    (self.open, self.server, self.shown) = (open, server, shown)
  }

  /// The server that runs.
  ///
  /// - Throws: ``MCPError`` if none is known.
  func requiredServer() throws -> ServerClient {
    if let server { return server }
    throw MCPError("no server is known; start stubdb mcp with --server")
  }
}

/// The arguments of a call, which fit the schema of its tool.
package struct MCPArguments {
  package let members: JSONObject

  package func text(_ name: String) -> String? {
    guard case .string(let text)? = members[name] else { return nil }
    return text
  }

  package func texts(_ name: String) -> [String] {
    guard case .array(let elements)? = members[name] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  package func flag(_ name: String) -> Bool { members[name] == .bool(true) }

  func truth(_ name: String) -> Bool? {
    if case .bool(let value)? = members[name] { value } else { nil }
  }

  /// The name of a scenario.
  ///
  /// - Throws: ``MCPError`` for a text that is no name.
  package func scenario(_ name: String = "scenario") throws -> ScenarioName? {
    guard let text = text(name) else { return nil }
    if let reason = ScenarioName.reasonAgainst(text) { throw MCPError("\(name): \(reason)") }
    return ScenarioName(unchecked: text)
  }

  /// The name of a scenario that the schema requires.
  package func requiredScenario() throws -> ScenarioName {
    guard let scenario = try scenario() else { throw MCPError("scenario is missing") }
    return scenario
  }

  package func integer(_ name: String) -> Int? { members[name]?.integer }
}

/// Reports what a caller did wrong, or what failed.
package struct MCPError: Error, CustomStringConvertible {
  /// The sentence, and what to do next on further lines.
  package let description: String

  init(_ message: String, hints: [String] = []) {
    description = ([message] + hints).joined(separator: "\n")
  }
}
