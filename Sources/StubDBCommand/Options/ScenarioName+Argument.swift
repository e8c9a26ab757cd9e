import StubDBModel

extension ScenarioName {
  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentProblem`` if the text is not a valid scenario name.
  static func argument(_ text: String) throws -> ScenarioName {
    if let reason = reasonAgainst(text) { throw ArgumentProblem(reason) }
    return ScenarioName(unchecked: text)
  }
}
