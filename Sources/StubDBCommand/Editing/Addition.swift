import StubDBModel

/// One thing that `add` puts into a catalog.
enum Addition {
  /// A whole scenario, from a document.
  case scenario(Scenario)
  /// A stub; a key that was made from the request is made unique.
  case stub(Stub, ScenarioName, keyIsDerived: Bool)
}
