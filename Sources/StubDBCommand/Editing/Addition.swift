import StubDBModel

/// A change that `add` makes to a catalog.
enum Addition {
  /// The source of a stub.
  enum Origin {
    /// Options; a key that is derived from the request is made unique.
    case options(keyIsDerived: Bool)
    case file
  }

  /// A whole scenario from a document.
  case scenario(Scenario)
  /// Properties of a scenario besides its stubs; the scenario is created if it does not exist.
  case header(ScenarioOptions, ScenarioName)
  case stub(Stub, ScenarioName, Origin)
  /// A further response for the stub with a key, or else with a request.
  case response(ScenarioName, key: String?, RequestPattern?, (Stub) throws -> Stub)
}
