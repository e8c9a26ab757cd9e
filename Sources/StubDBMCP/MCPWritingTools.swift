internal import StubDBCatalog
internal import StubDBCatalogEditing
internal import StubDBDocuments
internal import StubDBEditing
internal import StubDBJSON
internal import StubDBJobs
internal import StubDBModel
internal import StubDBSecrets

extension MCPTool {
  /// The tools that change the catalog.
  package static let writing = [putStub, putScenario, removeStub]

  private static let replace: JSONValue = [
    "type": "boolean", "default": false, "description": "Whether to replace what exists.",
  ]

  private static let allowSecrets: JSONValue = [
    "type": "boolean", "default": false,
    "description":
      "Whether to write passwords and tokens that stubdb scan finds. Ask the person first.",
  ]

  private static let written = object(
    ["scenario": "string", "stubs": "integer", "replaced": "boolean"],
    required: ["scenario", "stubs"])

  private static let putStub = MCPTool(
    name: "put_stub", title: "Write a stub",
    about: """
      Adds a stub to a scenario, which is created if it does not exist. A stub that could never be played \
      is refused, with the place in the document.
      """,
    properties: [
      "scenario": text("The name, such as checkout/paid."),
      "stub": ["type": "object", "description": "A stub as in the documents of show_scenario."],
      "replace": replace, "allow_secrets": allowSecrets,
    ],
    required: ["scenario", "stub"], result: written, isReadOnly: false, isDestructive: true
  ) { arguments, context in
    let name = try arguments.requiredScenario()
    let (stub, keyIsDerived) = try arguments.document("stub") {
      (value) throws(DocumentError) in
      guard case .object(var members) = value, members["key"] == nil else {
        return (try CheckedStub(documentValue: value), false)
      }
      members["key"] = "new"
      return (try CheckedStub(documentValue: .object(members)), true)
    }
    return try arguments.write(
      .stubs([stub], name, keyIsDerived: keyIsDerived), in: context.open(), place: "stub")
  }

  private static let putScenario = MCPTool(
    name: "put_scenario", title: "Write a scenario",
    about: """
      Writes a whole scenario from its document. Includes have to exist, and stubs that could never be \
      played are refused, with the place in the document.
      """,
    properties: [
      "document": [
        "type": "object", "description": "The document of a scenario, as schema describes it.",
      ],
      "replace": replace, "allow_secrets": allowSecrets,
    ],
    required: ["document"], result: written, isReadOnly: false, isDestructive: true
  ) { arguments, context in
    let scenario = try arguments.document("document") { (value) throws(DocumentError) in
      try CheckedScenario(documentValue: value)
    }
    return try arguments.write(.scenario(scenario), in: context.open(), place: "document")
  }

  private static let removeStub = MCPTool(
    name: "remove_stub", title: "Remove a stub",
    about: "Removes a stub from a scenario, which may be left without stubs.",
    properties: [
      "scenario": text("The name, such as checkout/paid."), "key": text("The key of the stub."),
    ],
    required: ["scenario", "key"], result: written, isReadOnly: false, isDestructive: true
  ) { arguments, context in
    let name = try arguments.requiredScenario()
    let catalog = try context.open()
    do {
      return try catalog.edit { editor in
        let scenario = try editor.existing(name).scenario
        try editor.remove([Stub.Key(unchecked: arguments.text("key") ?? "")], of: name)
        return [
          "scenario": .string(name.rawValue),
          "stubs": .number(JSONNumber(scenario.stubs.count - 1)),
        ]
      }
    } catch let refusal as EditRefusal {
      throw refusal.error(for: catalog, place: "stub")
    }
  }
}

extension MCPArguments {
  /// Decodes a document.
  ///
  /// - Throws: `JobError` with the place in the arguments.
  fileprivate func document<Content>(
    _ name: String, _ decode: (JSONValue) throws(DocumentError) -> Content
  ) throws -> Content {
    do throws(DocumentError) {
      return try decode(members[name] ?? [:])
    } catch {
      throw JobError(.invalidArgument, "/\(name)\(error.pointer): \(lines: error.message)")
    }
  }

  /// Writes by the rules of `add`; `place` is where the stub or the document stands in the arguments.
  fileprivate func write(
    _ addition: Addition, in catalog: Catalog, place: String
  ) throws -> JSONValue {
    let rules = AdditionEditor.Rules(
      replaces: flag("replace"), refusesSecrets: !flag("allow_secrets"))
    let changes: [AdditionChange]
    do {
      changes = try catalog.edit { editor in
        try AdditionEditor.apply([addition], to: &editor, of: catalog, rules)
      }
    } catch let refusal as EditRefusal {
      throw refusal.error(for: catalog, place: place)
    }
    var result: JSONObject = [:]
    for change in changes {
      switch change {
      case .stub(let stub, _, let replaced, _, _):
        result["key"] = .string(stub.key.rawValue)
        result["replaced"] = .bool(replaced)
      case .written(let written):
        result["scenario"] = .string(written.after.name.rawValue)
        result["stubs"] = .number(JSONNumber(written.after.stubs.count))
        if written.isDocument { result["replaced"] = .bool(written.before != nil) }
      case .header, .response: continue
      }
    }
    return .object(result)
  }
}

extension EditRefusal {
  /// The refusal in the words of the tools.
  fileprivate func error(for catalog: Catalog, place: String) -> any Error {
    switch self {
    case .noSuchScenario(let name, let names):
      return NameError.scenario(name, in: catalog, among: names)
    case .noSuchStub(let key, let scenario): return NameError.stub(key, in: scenario)
    case .unplayable(let problem, _):
      let index = place == "stub" ? "" : "/stubs/\(problem.index)"
      return JobError(
        .invalidArgument, "/\(place)\(index)\(problem.pointer): \(lines: problem.reason)")
    case .hidden(_, let other, let name):
      return JobError(
        .refused,
        """
        stub \(quoted: other.key.rawValue) of \(name) comes first and answers every such \
        request, so this one never would
        """,
        hints: [#"To let it answer first, give it a smaller "priority"."#])
    case .stubExists(let key, let name):
      return JobError(
        .refused, "\(name) already has a stub \(quoted: key.rawValue)",
        hints: [#"To put this one in its place, add "replace": true."#])
    case .scenarioExists(let name):
      return JobError(
        .refused, "scenario \(name) already exists",
        hints: [#"To put this document in its place, add "replace": true."#])
    case .missingInclude(let missing, _, let names):
      return NameError.scenario(missing, in: catalog, among: names)
    case .secrets(let found):
      // A stub stands in a scenario only to be searched.
      let pointer = found[0].place.pointer.dropFirst(place == "stub" ? "/stubs/0".count : 0)
      return JobError(
        .secret,
        """
        /\(place)\(pointer): this is a secret (\(found[0].kind.title), \
        \(found[0].secret.byteCount) bytes), and whoever gets the catalog could read it
        """,
        hints: [
          #"Put a placeholder in its place; to write it all the same, add "allow_secrets": true."#
        ])
    default: return self
    }
  }
}

extension MCPTool {
  /// Why a tool is not offered.
  package static func reasonAgainst(_ name: String) -> String? {
    if MCPTool.writing.contains(where: { $0.name == name }) {
      return "\(name) is offered only if stubdb mcp was started with --allow-writes."
    }
    if MCPTool.ofServer.contains(where: { $0.name == name }) {
      return "\(name) is offered only if stubdb mcp was started with --server, the address of a "
        + "stubdb serve that runs."
    }
    return nil
  }
}
