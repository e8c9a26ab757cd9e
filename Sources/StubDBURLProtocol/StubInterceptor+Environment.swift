public import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBPlayback

extension StubInterceptor {
  /// The interceptor that the environment of the process asks for; nil if it asks for none.
  ///
  /// It serves an app that a UI test or a preview starts. `STUBDB_CATALOG` is the path of the catalog and
  /// `STUBDB_SCENARIO` the name of the scenario. `STUBDB_PACE` may be `real`, `instant` or a factor such as `0.1`, and
  /// `STUBDB_UNMATCHED` may be `fail`, `passthrough` or a status such as `404`. `URLSession.shared` is answered only
  /// after ``interceptSharedSession()`` is called.
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
    let options = PlaybackOptions(
      pace: try pace(environment["STUBDB_PACE"]),
      unmatched: try unmatched(environment["STUBDB_UNMATCHED"]))
    do throws(CatalogError) {
      let catalog = try Catalog(contentsOf: URL(fileURLWithPath: path))
      return try StubInterceptor(scenario, in: catalog, options: options)
    } catch {
      throw EnvironmentError(error)
    }
  }

  private static func pace(_ text: String?) throws(EnvironmentError) -> Pace {
    switch text {
    case nil, "", "real": return .real
    case "instant": return .instant
    case let text?:
      guard let factor = Double(text), factor.isFinite, factor >= 0 else {
        throw EnvironmentError.invalid(
          "STUBDB_PACE", text, expected: "real, instant or a factor such as 0.1")
      }
      return .scaled(factor)
    }
  }

  private static func unmatched(_ text: String?) throws(EnvironmentError) -> UnmatchedPolicy {
    switch text {
    case nil, "", "fail": return .fail
    case "passthrough": return .passthrough
    case let text?:
      guard let status = Int(text), (100...999).contains(status) else {
        throw EnvironmentError.invalid(
          "STUBDB_UNMATCHED", text, expected: "fail, passthrough or a status such as 404")
      }
      return .respond(status)
    }
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
