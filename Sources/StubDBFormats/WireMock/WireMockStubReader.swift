internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Translates one stub of WireMock, key by key.
///
/// What is translated becomes a document, which the reader of documents checks. A stub that would match more without one
/// of its parts is left out.
struct WireMockStubReader {
  private let input: ImportInput
  private let options: ImportOptions
  private let log: ReportLog

  init(input: ImportInput, options: ImportOptions) {
    self.input = input
    self.options = options
    log = input.log
  }

  /// The stub; nil if it was left out, which the report says.
  ///
  /// - Throws: ``FormatError`` for a file that it names and that is missing or outside of the folder.
  func stub(_ mapping: SourceValue) throws(FormatError) -> WireMockImported? {
    let item = log.beginItem()
    let source = ReportSource(mapping, item: item)
    guard mapping.isObject else { throw mapping.failure("a stub mapping must be an object") }
    // A file of another kind would become a stub that answers everything.
    guard mapping["request"] != nil || mapping["response"] != nil else {
      throw mapping.failure("a stub mapping needs a \"request\" or a \"response\"")
    }
    let origin = WireMockOrigin(mapping)
    let conditions = ["request", "scenarioName", "requiredScenarioState"].map { mapping[$0] }
    return try StubTranslation.attempt(
      source, conditions: conditions, isLenient: options.isLenient
    ) {
      var document = try document(of: mapping, origin)
      if origin?.hasHostField ?? true { StubTranslation.moveHostField(of: &document) }
      ignoreRest(of: mapping)
      var stub = try Stub(jsonObject: document)
      let name = mapping.text("name")
      stub.key = origin?.key ?? .unset
      stub.priority = origin?.priority(priority(mapping)) ?? priority(mapping)
      stub.summary = origin == nil ? name.flatMap(StubNaming.summary) : origin?.summary
      var imported = ImportedStub(stub: stub, name: name, items: [item])
      imported.hasExactKey = origin?.key != nil
      imported.source = source
      return WireMockImported(stub: imported, origin: origin)
    }
  }

  private func document(
    of mapping: SourceValue, _ origin: WireMockOrigin?
  ) throws -> [String: JSONValue] {
    var document: [String: JSONValue] = ["key": "stub"]
    if let request = mapping["request"], !request.isNull {
      var reader = WireMockRequestReader(
        isLenient: options.isLenient, isExported: origin != nil)
      var pattern = try reader.request(request)
      origin?.restore(&pattern, of: request)
      document["request"] = .object(pattern)
    }
    var response = WireMockResponseReader(input: input, options: options, origin: origin)
    if let value = mapping["response"], !value.isNull {
      guard let translated = try response.response(value, of: mapping) else {
        throw Unanswerable(response.reason)
      }
      document["responses"] = .array([.object(translated)])
    }
    if let flow = flow(mapping) { document["flow"] = flow }
    if origin?.isRequired == true { document["required"] = true }
    document["recorded"] = origin?.recorded
    if origin?.answer == nil {
      document["then"] = (origin?.then?.rawValue).map(JSONValue.string)
    }
    return document
  }

  /// WireMock takes any number; beyond a million, order is all that such a number can mean.
  private func priority(_ mapping: SourceValue) -> Int {
    guard let value = mapping["priority"], let number = value.integer else {
      return Stub.defaultPriority
    }
    let clamped = min(max(number, -1_000_000), 1_000_000)
    if clamped != number { value.change(.priority, "The priority became \(clamped)") }
    return clamped
  }

  private func flow(_ mapping: SourceValue) -> JSONValue? {
    guard let scenario = mapping.first(of: "scenarioName"), !scenario.isEmptyText else {
      // Without a scenario a state has no effect.
      mapping.ignore("scenarioName", "requiredScenarioState", "newScenarioState")
      return nil
    }
    guard let name = scenario.text else { return nil }
    let required = mapping.text("requiredScenarioState").map(state)
    let next = mapping.text("newScenarioState").map(state)
    guard required != nil || next != nil else { return nil }
    var flow: [String: JSONValue] = ["name": .string(name)]
    flow["requires"] = required
    flow["becomes"] = next
    return .object(flow)
  }

  private func state(_ name: String) -> JSONValue {
    switch name {
    case WireMockStates.initialState: .string(FlowStep.initialState)
    // Two states must not become one.
    case FlowStep.initialState: .string(WireMockStates.initialState)
    default: .string(name)
    }
  }

  private func ignoreRest(of mapping: SourceValue) {
    mapping.ignore("id", "uuid", "persistent", "insertionIndex", "$schema")
    mapping["metadata"]?.ignoreUnread()
    for key in ["postServeActions", "serveEventListeners"] {
      guard let actions = mapping[key] else { continue }
      if actions.isScalar || (actions.elements.isEmpty && actions.members.isEmpty) {
        actions.ignore()
      } else {
        actions.drop(.webhook, "What is done after the answer (\(key)) is not done")
      }
    }
  }
}
