package import StubDBModel

extension DocumentObjectKind {
  package static let scenario = DocumentObjectKind(
    "a scenario", ["scenario", "summary", "tags", "includes", "stubs"])

  package static let stub = DocumentObjectKind(
    "a stub",
    [
      "key", "summary", "priority", "required", "request", "resource", "capture", "responses",
      "then", "flow", "recorded",
    ])

  package static let event = DocumentObjectKind(
    "an event", ["event", "id", "retry", "data", "json", "after"])
}

extension DocumentNode {
  func scenarioName() throws(DocumentError) -> ScenarioName {
    let text = try string()
    guard let reason = ScenarioName.reasonAgainst(text) else {
      return ScenarioName(unchecked: text)
    }
    throw failure(.invalidValue, "\"\(text)\" is not a scenario name: \(reason)")
  }
}
