package import StubDBCatalogEditing
package import StubDBDrift
package import StubDBEditing
package import StubDBFormats
internal import StubDBJSON
internal import StubDBModel
package import StubDBSecrets

extension FindingReport.Finding {
  /// A problem of `stubdb check`.
  package init(_ problem: CheckProblem, text: String) {
    self.init(
      problem.kind.rawValue, in: problem.scenario, problem.key,
      at: problem.pointer?.description, text)
  }

  /// A difference from a description of the API.
  package init(_ finding: OpenAPIFinding) {
    self.init(
      finding.id.rawValue, FindingReport.Level(rawValue: finding.level.rawValue) ?? .error,
      in: finding.scenario, finding.key.rawValue, at: finding.pointer, finding.message)
  }

  /// An operation of the description, or one of its statuses, that no stub answers with.
  package init(_ gap: OpenAPIGap) {
    let missing = gap.status.map { "no stub answers with \($0)" } ?? "no stub"
    self.init("no-stub", .note, in: nil, nil, "\(gap.method) \(gap.path): \(missing)")
  }

  /// A secret of `stubdb scan`, without its value.
  package init(_ finding: SecretFinding) {
    self.init(
      finding.kind.rawValue, in: ScenarioName(unchecked: finding.place.scenario),
      finding.place.key, at: finding.place.pointer,
      "\(finding.kind.title), \(finding.secret.byteCount) bytes")
  }

  package static var secretRules: [String: String] {
    Dictionary(uniqueKeysWithValues: SecretKind.allCases.map { ($0.rawValue, $0.title) })
  }

  /// The rules of `stubdb check`.
  package static var checkRules: [String: String] {
    Dictionary(
      uniqueKeysWithValues: CheckProblem.Kind.allCases.map { ($0.rawValue, $0.summary) })
  }

  /// The rules of `stubdb coverage`.
  package static var coverageRules: [String: String] {
    [
      "unused-scenario": "No test loaded the scenario.",
      "unused-stub": "No test used the stub.",
    ]
  }
}

extension UsageCoverage {
  /// What no test used.
  package func findings(_ level: FindingReport.Level) -> [FindingReport.Finding] {
    scenarios.flatMap { scenario -> [FindingReport.Finding] in
      guard scenario.runCount > 0 else {
        return [
          .init("unused-scenario", level, in: scenario.name, nil, "no test loaded the scenario")
        ]
      }
      return scenario.stubs.filter { $0.runCount == 0 }.map { stub in
        .init("unused-stub", level, in: scenario.name, stub.key, "no test used the stub")
      }
    }
  }
}

extension ShapeReport {
  /// The differences, and the stubs that got no answer.
  ///
  /// `change` is a difference in words.
  package func findings(
    strict: Bool, change: (ShapeDifference) -> String
  ) -> [FindingReport.Finding] {
    let differences = differences.map { found in
      let difference = found.difference
      let isError = difference.level >= (strict ? .warning : .error)
      let level = FindingReport.Level(rawValue: difference.level.rawValue)
      return FindingReport.Finding(
        difference.id.rawValue, isError ? .error : level ?? .warning, in: found.scenario,
        found.key.rawValue, at: difference.pointer.description,
        (found.response.map { "answer \($0): " } ?? "") + change(difference))
    }
    return differences
      + skipped.suffix(failed).map { skipped in
        .init("no-answer", in: skipped.scenario, skipped.key.rawValue, skipped.reason)
      }
  }

  /// The rules of `stubdb verify`.
  package static let rules = [
    "status-class": "The status is of another class.",
    "status": "The status is another one of the same class.",
    "media-type": "The media type is another one.",
    "not-json": "The content is no JSON any more.",
    "missing": "A member of the stub is missing.",
    "optional": "A member that is always in the stub is sometimes missing.",
    "type": "The type of a value is another one.",
    "null": "A value is null that never is in the stub.",
    "added": "A member that the stub does not have.",
    "enum": "A value that the stub does not have among its few.",
    "class": "A text is of another class, such as a date.",
    "header": "A header field is missing or different.",
    "redirect": "A redirection leads somewhere else.",
    "no-answer": "The server did not answer.",
  ]
}

extension OpenAPIFinding {
  /// The rules of `stubdb check --openapi`.
  package static let rules = [
    "unknown-path": "The description has no such path.",
    "unknown-method": "The description has no such method for the path.",
    "undefined-status": "The description has no such status.",
    "undefined-media-type": "The description has no such media type.",
    "missing-required-header": "A header field that the description requires is missing.",
    "header-schema": "A header field does not fit its schema.",
    "body-schema": "The content does not fit its schema.",
    "request-cannot-match": "No request that fits the description matches the stub.",
    "deprecated": "The description calls the operation deprecated.",
    "security-missing": "The stub asks for no credentials, which the description requires.",
    "no-stub": "No stub answers an operation of the description.",
  ]
}

extension FindingReport.Finding {
  fileprivate init(
    _ rule: String, _ level: FindingReport.Level = .error, in scenario: ScenarioName?,
    _ key: String?, at pointer: String? = nil, _ message: String
  ) {
    self.init(
      rule: rule, level: level, scenario: scenario?.rawValue, key: key, pointer: pointer,
      message: message)
  }
}
