import StubDBModel

extension ScenarioName {
  /// Reads an argument.
  ///
  /// - Throws: ``ArgumentProblem`` where the text is no scenario name.
  static func argument(_ text: String) throws -> ScenarioName {
    if let reason = reasonAgainst(text) { throw ArgumentProblem(reason) }
    return ScenarioName(unchecked: text)
  }
}
