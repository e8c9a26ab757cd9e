/// The environment of the process asks for an interceptor in a way that cannot be understood.
public struct EnvironmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable that is missing or wrong.
  public let variable: String
  /// One sentence for people: what failed, why, and what to do.
  public let description: String

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
