import StubDBCatalog
import StubDBCatalogEditing
import StubDBJSON
import StubDBMCP
import StubDBModel
import StubDBSecrets

extension MCPTool {
  /// The tools that change the catalog.
  static let writing = [putStub, putScenario, removeStub]

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
    let (written, keyIsDerived) = try arguments.document("stub") {
      (value) throws(DocumentError) in
      guard case .object(var members) = value, members["key"] == nil else {
        return (try Stub(documentValue: value), false)
      }
      members["key"] = "new"
      var stub = try Stub(documentValue: .object(members))
      stub.key = Stub.Key(unchecked: DerivedName.key(of: stub.request))
      return (stub, true)
    }
    var stub = written
    let catalog = try context.open()
    return try catalog.edit { editor in
      let before = try editor.scenario(named: name)
      try arguments.requirePlayable(
        [stub], besides: before?.stubs ?? [], in: name, place: "stub")
      if keyIsDerived {
        stub.key = before?.key(forNew: stub, replacing: arguments.flag("replace")) ?? stub.key
      }
      let exists = before?.stubs.contains { $0.key == stub.key } ?? false
      if !exists, let hider = before?.hider(of: stub) {
        throw CommandError(
          "stub \(TerminalText.quoted(hider.key.rawValue)) of \(name) comes first and answers every such "
            + "request, so this one never would",
          hints: [#"To let it answer first, give it a smaller "priority"."#])
      }
      if exists, !arguments.flag("replace") {
        throw CommandError(
          "\(name) already has a stub \(TerminalText.quoted(stub.key.rawValue))",
          hints: [#"To put this one in its place, add "replace": true."#])
      }
      try arguments.requireNoSecrets(
        in: Scenario(name: name, stubs: [stub]), besides: before, of: catalog, place: "stub")
      try editor.replace(stub, in: name)
      let count = (before?.stubs.count ?? 0) + (exists ? 0 : 1)
      return [
        "scenario": .string(name.rawValue), "key": .string(stub.key.rawValue),
        "stubs": .number(JSONNumber(count)), "replaced": .bool(exists),
      ]
    }
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
      try Scenario(documentValue: value)
    }
    let catalog = try context.open()
    return try catalog.edit { editor in
      let names = try editor.scenarioNames()
      let before = try editor.scenario(named: scenario.name)
      try arguments.requirePlayable(
        scenario.stubs, besides: before?.stubs ?? [], in: scenario.name, place: "document/stubs")
      let exists = before != nil
      if exists, !arguments.flag("replace") {
        throw CommandError(
          "scenario \(scenario.name) already exists",
          hints: [#"To put this document in its place, add "replace": true."#])
      }
      try catalog.requireIncludable(scenario.includes, by: scenario.name)
      if let missing = scenario.includes.ownNames.first(where: {
        $0 != scenario.name && !names.contains($0)
      }) {
        throw NameError.scenario(missing, in: catalog, among: names)
      }
      try arguments.requireNoSecrets(
        in: scenario, besides: before, of: catalog, place: "document")
      try editor.replace(scenario)
      return [
        "scenario": .string(scenario.name.rawValue),
        "stubs": .number(JSONNumber(scenario.stubs.count)), "replaced": .bool(exists),
      ]
    }
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
    return try catalog.edit { editor in
      let scenario = try editor.existing(name, in: catalog)
      let stub = try scenario.existing(arguments.text("key") ?? "")
      try editor.removeStub(stub.key, from: name)
      return [
        "scenario": .string(name.rawValue),
        "stubs": .number(JSONNumber(scenario.stubs.count - 1)),
      ]
    }
  }
}

extension MCPArguments {
  /// Decodes a document.
  ///
  /// - Throws: `CommandError` with the place in the arguments.
  fileprivate func document<Content>(
    _ name: String, _ decode: (JSONValue) throws(DocumentError) -> Content
  ) throws -> Content {
    do throws(DocumentError) {
      return try decode(members[name] ?? [:])
    } catch {
      throw CommandError("/\(name)\(error.pointer): \(error.message)")
    }
  }

  /// Throws for stubs that `check` would report, besides those that are there already; `place` is where they stand in
  /// the arguments.
  fileprivate func requirePlayable(
    _ stubs: [Stub], besides known: [Stub], in scenario: ScenarioName, place: String
  ) throws {
    guard let problem = WriteCheck.problem(of: stubs, besides: known, in: scenario) else { return }
    let index = place == "stub" ? "" : "/\(problem.index)"
    throw CommandError("/\(place)\(index)\(problem.pointer): \(problem.reason)")
  }

  /// Throws for what `import` would refuse; `place` is where the scenario, or its only stub, stands in the arguments.
  ///
  /// Secrets that are in the catalog already, or that the file of exceptions beside it accepts, are left alone.
  fileprivate func requireNoSecrets(
    in scenario: Scenario, besides current: Scenario?, of catalog: Catalog, place: String
  ) throws {
    if flag("allow_secrets") { return }
    let exceptions = try ExceptionsFile(at: ExceptionsFile.url(beside: catalog.url))
    var scanner = SecretScanner()
    let found = scanner.findings(in: scenario, besides: current)
    guard let first = exceptions.sort(found).findings.first else { return }
    let pointer = first.place.pointer.dropFirst(place == "stub" ? "/stubs/0".count : 0)
    throw CommandError(
      "/\(place)\(pointer): this is a secret (\(first.kind.title), \(first.secret.byteCount) bytes), and "
        + "whoever gets the catalog could read it",
      hints: [
        #"Put a placeholder in its place; to write it all the same, add "allow_secrets": true."#
      ])
  }
}
