package import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

extension OpenAPICheck {
  /// What is shown of the check, for programs.
  package func json(_ findings: [OpenAPIFinding], withGaps: Bool) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = [
      ("findings", .array(findings.map(OrderedJSON.finding))),
      (
        "inconclusive",
        .array(
          unknown.map {
            .inconclusive($0.scenario.rawValue, $0.key.rawValue, $0.reason)
          }
            + unread.map {
              .inconclusive(nil, nil, "the description refers to \($0), which is not read")
            })
      ),
    ]
    if withGaps {
      members.append(
        (
          "uncovered",
          .array(
            gaps.map {
              .object([
                ("method", .string($0.method)), ("path", .string($0.path)),
                ("status", .string($0.status)),
              ])
            })
        ))
    }
    return .object(members)
  }
}

extension OrderedJSON {
  fileprivate static func inconclusive(
    _ scenario: String?, _ key: String?, _ reason: String
  ) -> OrderedJSON {
    .object([
      ("scenario", .string(scenario)), ("key", .string(key)), ("reason", .string(reason)),
    ])
  }

  fileprivate static func finding(_ finding: OpenAPIFinding) -> OrderedJSON {
    .object([
      ("scenario", .string(finding.scenario.rawValue)), ("key", .string(finding.key.rawValue)),
      ("pointer", .string(finding.pointer)), ("id", .string(finding.id.rawValue)),
      ("level", .string(finding.level.rawValue)), ("message", .string(finding.message)),
    ])
  }
}
