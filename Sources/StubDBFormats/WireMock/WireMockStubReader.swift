internal import Foundation
internal import StubDBModel

/// Translates one stub of WireMock, key by key.
///
/// A stub that would match more without one of its parts is left out.
struct WireMockStubReader {
  let input: ImportInput
  let options: ImportOptions

  /// The stub; nil if it was left out, which the report says.
  ///
  /// - Throws: ``FormatError`` for a file that it names and that is missing or outside of the folder.
  func stub(_ mapping: SourceValue) throws(FormatError) -> WireMockImported? {
    let item = input.log.beginItem()
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
      var stub = try stub(of: mapping, origin)
      ignoreRest(of: mapping)
      stub = try StubTranslation.checked(stub, movesHostField: origin?.hasHostField ?? true)
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

  private func stub(of mapping: SourceValue, _ origin: WireMockOrigin?) throws -> Stub {
    var stub = Stub(key: .unset)
    if let request = mapping.given("request") {
      let reader = WireMockRequestReader(
        isLenient: options.isLenient, patterns: WireMockPatternReader(isExported: origin != nil))
      stub.request = try reader.request(request)
      try origin?.restore(&stub.request, of: request)
    }
    if let response = mapping.given("response") {
      let reader = WireMockResponseReader(input: input, options: options, origin: origin)
      stub.responses = [try reader.response(response, of: mapping)]
    }
    stub.flow = mapping.flow(
      requires: "requiredScenarioState", initialState: WireMockStates.initialState)
    stub.isRequired = origin?.isRequired ?? false
    stub.recorded = try origin?.recorded()
    if origin?.answer == nil, let then = origin?.then { stub.then = then }
    return stub
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

  private func ignoreRest(of mapping: SourceValue) {
    mapping.ignore("id", "uuid", "persistent", "insertionIndex", "$schema")
    mapping["metadata"]?.ignoreUnread()
    for key in ["postServeActions", "serveEventListeners"] {
      mapping[key]?.dropAction("What is done after the answer (\(key)) is not done")
    }
  }
}
