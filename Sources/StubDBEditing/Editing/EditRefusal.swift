package import StubDBModel
package import StubDBSecrets

/// Why an edit of a catalog is refused: one list for the command line, the admin API and the tools of assistants.
package enum EditRefusal: Error {
  /// The catalog has no such scenario, but these.
  case noSuchScenario(ScenarioName, among: [ScenarioName])
  /// The scenario has no such stub.
  case noSuchStub(String, in: Scenario)
  case scenarioExists(ScenarioName)
  case stubExists(Stub.Key, in: ScenarioName)
  /// A stub that ``WriteCheck`` refuses, with its place among the stubs that were to be written.
  case unplayable(WriteCheck.Problem, in: ScenarioName)
  /// A new stub that would never answer, because another one always comes first.
  case hidden(Stub, by: Stub, in: ScenarioName)
  /// A further response for a stub that does not exist.
  case nothingToContinue(ScenarioName)
  /// A further response for a stub that answers another request.
  case otherRequest(Stub.Key, in: ScenarioName)
  /// An include of a scenario that the catalog does not have, but these.
  case missingInclude(ScenarioName, of: ScenarioName, among: [ScenarioName])
  /// Includes of a restored scenario that the catalog no longer has.
  case lostIncludes([ScenarioName], of: ScenarioName)
  /// A new name that another scenario has.
  case nameTaken(ScenarioName)
  /// A reference that is to be removed from the includes, and is not there.
  case notIncluded(ScenarioReference, by: Scenario)
  /// A tag to be removed that no scenario has.
  case noSuchTag(String, of: [Scenario])
  /// A copy under the name of its original.
  case copyOfSameName(ScenarioName)
  /// The scenario changed after it was read.
  case changed(ScenarioName)
  /// Secrets, where the rules refuse them; not empty.
  case secrets([SecretFinding])
}
