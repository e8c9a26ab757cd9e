import StubDBModel

/// One thing that `add` puts into a catalog.
enum Addition {
  /// Where a stub was written.
  enum Origin {
    /// In options; a key that was made from the request is made unique.
    case options(keyIsDerived: Bool)
    case file
  }

  /// A whole scenario, from a document.
  case scenario(Scenario)
  /// What a scenario says beside its stubs; the scenario is made if it does not exist.
  case header(ScenarioOptions, ScenarioName)
  case stub(Stub, ScenarioName, Origin)
  /// A further response of a stub, known by its key or else by its request.
  case response(ScenarioName, key: String?, RequestPattern?, (Stub) throws -> Stub)
}
