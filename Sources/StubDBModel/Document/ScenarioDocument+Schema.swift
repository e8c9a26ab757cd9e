extension ScenarioDocument {
  /// The JSON Schema (2020-12) of a document, as text.
  public static let schema = "{}\n"
}
