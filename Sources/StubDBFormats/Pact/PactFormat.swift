internal import Foundation
internal import StubDBModel

/// Contracts of Pact, versions 1 to 4: interactions become stubs, as the provider is expected to answer.
///
/// https://github.com/pact-foundation/pact-specification
struct PactFormat: ImportFormat {
  let name = "pact"
  let summary = "contracts of Pact"
  let ownOptions: Set<ImportOption> = [.lenient]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    return root["consumer"] != nil && root["provider"] != nil
      && (root["interactions"] != nil || root["messages"] != nil)
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root else { return .scenarios([]) }
    let base = [
      "\(root["consumer"]?.text("name") ?? "consumer")-\(root["provider"]?.text("name") ?? "provider")"
    ]
    let version = PactVersion(root)
    root.ignore("metadata", "createdAt", "_links")
    for name in ["consumer", "provider"] { root[name]?.ignoreUnread() }
    for message in root.list("messages") {
      message.drop(.websocket, "A message is no HTTP request; it was left out")
    }
    var scenarios = OrderedGroups<[String], ImportedScenario>()
    for interaction in root.list("interactions") {
      guard let (stub, states) = try stub(interaction, version, input, options) else { continue }
      let state = states.isEmpty ? nil : states.joined(separator: " and ")
      let name = base + (state.map { [$0] } ?? [])
      scenarios[name, default: ImportedScenario(name: name, summary: state)].stubs.append(stub)
    }
    return .scenarios(scenarios.list.map(\.value))
  }

  private func stub(
    _ interaction: SourceValue, _ version: PactVersion, _ input: ImportInput,
    _ options: ImportOptions
  ) throws(FormatError) -> (stub: ImportedStub, states: [String])? {
    let item = input.log.beginItem()
    let source = ReportSource(interaction, item: item)
    let type = interaction.text("type") ?? "Synchronous/HTTP"
    guard type == "Synchronous/HTTP" else {
      source.drop(.websocket, "A message is no HTTP request; it was left out")
      return nil
    }
    guard let request = interaction["request"], let response = interaction["response"] else {
      throw interaction.failure("an interaction needs \"request\" and \"response\"")
    }
    let states = states(interaction)
    interaction.ignore(
      "key", "pending", "comments", "pluginConfiguration", "interactionMarkup", "transport")
    let stub = try StubTranslation.attempt(
      source, conditions: [request], isLenient: options.isLenient
    ) {
      let reader = PactRequestReader(version: version, isLenient: options.isLenient)
      let description = interaction.text("description")
      let stub = Stub(
        key: .unset, summary: description.flatMap(StubNaming.summary),
        request: try reader.request(request),
        responses: [try PactResponseReader(version: version).response(response)])
      var imported = ImportedStub(
        stub: try StubTranslation.checked(stub), name: description, items: [item])
      imported.source = source
      imported.asked = [PactRequestReader.example(of: request, version)]
      return imported
    }
    return stub.map { ($0, states) }
  }

  /// The states of the provider: different ones are different situations.
  private func states(_ interaction: SourceValue) -> [String] {
    var states: [String] = []
    for name in ["providerState", "provider_state"] {
      if let state = interaction[name], !state.isNull, let text = state.text, !text.isEmpty {
        states.append(text)
      } else {
        interaction[name]?.ignore()
      }
    }
    for state in interaction.list("providerStates") {
      if let name = state.text("name"), !name.isEmpty { states.append(name) }
      state.ignoreUnread()
    }
    if !states.isEmpty {
      interaction.note(
        .changed, .providerState,
        "Provider state \(states.joined(separator: " and ")) became the name of the scenario")
    }
    return states
  }
}

/// The version of the specification, which decides how queries and rules are written.
struct PactVersion {
  let number: Int

  init(_ root: SourceValue) {
    let metadata = root["metadata"]
    let texts = [
      metadata?["pactSpecification"]?["version"], metadata?["pact-specification"]?["version"],
      metadata?["pactSpecificationVersion"], metadata?["pact-specification-version"],
    ]
    let text = texts.compactMap { $0?.peekedText }.first ?? "2"
    number = Int(text.prefix { $0.isNumber }) ?? 2
  }
}
