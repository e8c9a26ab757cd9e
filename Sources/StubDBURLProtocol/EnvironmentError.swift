import StubDBCatalog

/// Reports an invalid variable for an interceptor in the environment of the process.
public struct EnvironmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable that is missing or invalid.
  public let variable: String
  /// One sentence that says what failed, why, and what to do.
  public let description: String

  /// Reports that the scenario of the variables cannot be loaded.
  init(_ error: CatalogError) {
    self.init(
      variable: error.code == .noSuchScenario ? "STUBDB_SCENARIO" : "STUBDB_CATALOG",
      description: error.description)
  }

  private init(variable: String, description: String) {
    self.variable = variable
    self.description = description
  }

  static func missing(_ variable: String, given: String) -> EnvironmentError {
    EnvironmentError(
      variable: variable,
      description:
        "\(given) is set, but \(variable) is not; set both, STUBDB_CATALOG to the path of a "
        + "catalog and STUBDB_SCENARIO to the name of a scenario in it, or none")
  }

  static func invalid(_ variable: String, _ text: String, expected: String) -> EnvironmentError {
    EnvironmentError(
      variable: variable, description: "\(variable) is \"\(text)\"; it can be \(expected)")
  }
}
