public import Foundation

/// The official conformance suites: test data of other projects, which is not part of this repository.
///
/// They are read from `../shared/data` if that lies beside the package, and otherwise from where
/// `scripts/fetch-suites` puts the same revisions.
public enum OfficialSuite: String, Sendable {
  /// RFC 9535 queries. https://github.com/jsonpath-standard/jsonpath-compliance-test-suite
  case jsonPath = "jsonpath"
  /// JSON Schema, draft 7 and 2020-12. https://github.com/json-schema-org/JSON-Schema-Test-Suite
  case jsonSchema = "json-schema"
  /// Texts that a JSON parser must accept or reject. https://github.com/nst/JSONTestSuite
  case jsonParsing = "json-parsing"

  /// Reports that a suite is not on this machine.
  public struct MissingError: Error, CustomStringConvertible {
    /// The missing suite, and the command that fetches it.
    public let description: String
  }

  /// Whether tests of the suite run: if it is on this machine, and always in CI, where a missing suite is a failure.
  public var isExpected: Bool {
    found != nil || ProcessInfo.processInfo.environment["CI"] != nil
  }

  /// The folder that holds the suite.
  ///
  /// - Throws: ``MissingError`` with the command that fetches it.
  public func folder() throws(MissingError) -> URL {
    if let found { return found }
    throw MissingError(
      description: "The suite \(rawValue) is not on this machine; get it with: scripts/fetch-suites"
    )
  }

  private var found: URL? {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../..").standardizedFileURL
    return ["../shared/data", ".build-suites"]
      .map {
        package.appendingPathComponent($0).appendingPathComponent(rawValue).standardizedFileURL
      }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
