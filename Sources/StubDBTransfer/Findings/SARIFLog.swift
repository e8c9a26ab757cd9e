internal import Foundation
internal import StubDBDocuments
internal import StubDBJSON

/// Findings as a log of SARIF 2.1.0 with one run.
///
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
struct SARIFLog {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  /// The name and version of how a fingerprint is made.
  private static let fingerprint = "stubdbPlace/v1"
  /// The only fingerprint that GitHub's code scanning reads.
  ///
  /// Without it, one is made of the file's first line, and all findings of a rule in a catalog are taken for one.
  private static let codeScanningFingerprint = "primaryLocationLineHash"

  private let report: FindingReport
  /// The rules with findings, sorted.
  private let rules: [String]

  init(_ report: FindingReport) {
    self.report = report
    rules = Set(report.findings.map(\.rule)).sorted()
  }

  var text: String {
    let driver: [(String, OrderedJSON)] = [
      ("name", .string("stubdb")), ("version", .string(report.version)),
      ("rules", .array(rules.map(rule))),
    ]
    let numbers = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
    let results = zip(report.findings, report.fingerprints).map { finding, fingerprint in
      result(finding, numbers[finding.rule] ?? 0, fingerprint)
    }
    var run: [(String, OrderedJSON)] = [
      ("tool", .object([("driver", .object(driver))])),
      // Logs of other commands and catalogs are kept apart by it.
      (
        "automationDetails",
        .object([("id", .string("stubdb-\(report.command)/\(report.catalog)/"))])
      ),
      ("results", .array(results)),
    ]
    if !report.isComplete {
      let failed = OrderedJSON.object([("executionSuccessful", .json(.bool(false)))])
      run.append(("invocations", .array([failed])))
    }
    return OrderedJSON.object([
      ("$schema", .string(Self.schema)), ("version", .string("2.1.0")),
      ("runs", .array([.object(run)])),
    ]).text
  }

  /// Rules of different commands may have the same name.
  private func id(_ rule: String) -> String { "\(report.command)/\(rule)" }

  private func rule(_ name: String) -> OrderedJSON {
    .object([
      ("id", .string(id(name))),
      ("shortDescription", .object([("text", .string(report.rules[name] ?? name))])),
    ])
  }

  private func result(
    _ finding: FindingReport.Finding, _ number: Int, _ fingerprint: String
  ) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = [
      ("ruleId", .string(id(finding.rule))), ("ruleIndex", .integer(number)),
      ("level", .string(finding.level.rawValue)),
      ("message", .object([("text", .string(finding.text))])),
      ("locations", .array([location(finding)])),
      (
        "partialFingerprints",
        .object([
          (Self.codeScanningFingerprint, .string(fingerprint + ":1")),
          (Self.fingerprint, .string(fingerprint)),
        ])
      ),
    ]
    let place = [
      ("scenario", finding.scenario), ("key", finding.key), ("pointer", finding.pointer),
    ].flatMap(OrderedJSON.text)
    if !place.isEmpty { members.append(("properties", .object(place))) }
    return .object(members)
  }

  private func location(_ finding: FindingReport.Finding) -> OrderedJSON {
    let path = report.catalog.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    let physical: [(String, OrderedJSON)] = [
      ("artifactLocation", .object([("uri", .string(path ?? report.catalog))])),
      // A catalog has no lines, and code scanning shows no result without one.
      ("region", .object([("startLine", .integer(1))])),
    ]
    var members: [(String, OrderedJSON)] = [("physicalLocation", .object(physical))]
    if let scenario = finding.scenario {
      let logical: [(String, OrderedJSON)] = [
        ("name", .string(finding.key ?? scenario)),
        (
          "fullyQualifiedName",
          .string(
            scenario + (finding.key.map { "/\($0)" } ?? "")
              + (finding.pointer.map { "#\($0)" } ?? ""))
        ),
        ("kind", .string(finding.key == nil ? "namespace" : "resource")),
      ]
      members.append(("logicalLocations", .array([.object(logical)])))
    }
    return .object(members)
  }
}
