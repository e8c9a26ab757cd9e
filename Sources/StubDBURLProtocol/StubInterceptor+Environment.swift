public import Foundation
import StubDBCatalog
import StubDBPlayback

extension StubInterceptor {
  /// The interceptor that the environment of the process asks for; nil if it asks for none.
  ///
  /// It serves an app that a UI test or a preview starts. `STUBDB_CATALOG` is the path of the catalog and
  /// `STUBDB_SCENARIO` the name of the scenario. `STUBDB_PACE` may be `real`, `instant` or a factor such as `0.1`, and
  /// `STUBDB_UNMATCHED` may be `fail`, `passthrough` or a status such as `404`; without them the settings of the catalog
  /// count. `URLSession.shared` is answered only after ``interceptSharedSession()`` is called.
  /// - Throws: ``EnvironmentError`` for a missing or invalid variable, also if the catalog cannot be read or does not
  /// have the scenario.
  public static func fromEnvironment(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(EnvironmentError) -> StubInterceptor? {
    let path = environment["STUBDB_CATALOG"].flatMap { $0.isEmpty ? nil : $0 }
    let scenario = environment["STUBDB_SCENARIO"].flatMap { $0.isEmpty ? nil : $0 }
    guard let path, let scenario else {
      guard path == nil, scenario == nil else {
        throw EnvironmentError.missing(
          path == nil ? "STUBDB_CATALOG" : "STUBDB_SCENARIO",
          given: path == nil ? "STUBDB_SCENARIO" : "STUBDB_CATALOG")
      }
      return nil
    }
    // What is not set is as the settings of the catalog say.
    let options = PlaybackOptions(
      pace: try value(
        of: "STUBDB_PACE", in: environment, "real, instant or a factor such as 0.1", Pace.init),
      unmatched: try value(
        of: "STUBDB_UNMATCHED", in: environment, "fail, passthrough or a status such as 404",
        UnmatchedPolicy.init))
    do throws(CatalogError) {
      let catalog = try Catalog(contentsOf: URL(fileURLWithPath: path))
      return try StubInterceptor(scenario, in: catalog, options: options)
    } catch {
      throw EnvironmentError(error)
    }
  }

  /// Nil if the variable is not set.
  private static func value<Value>(
    of variable: String, in environment: [String: String], _ expected: String,
    _ read: (String) -> Value?
  ) throws(EnvironmentError) -> Value? {
    guard let text = environment[variable], !text.isEmpty else { return nil }
    if let value = read(text) { return value }
    throw EnvironmentError.invalid(variable, text, expected: expected)
  }
}

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
