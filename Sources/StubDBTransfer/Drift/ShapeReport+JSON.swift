package import StubDBDocuments
package import StubDBDrift
internal import StubDBFormats
internal import StubDBJSON
internal import StubDBModel

extension ShapeReport {
  /// `{"differences", "inconclusive", "skipped"}`; `live` words what the server has.
  package func json(_ live: (ShapeDifference) -> String) -> OrderedJSON {
    .object([
      ("differences", .array(differences.map { Self.value($0, live($0.difference)) })),
      (
        "inconclusive",
        .array(
          inconclusive.map {
            .object(
              Self.members($0.scenario, $0.key, $0.response) + [
                ("pointer", .string($0.shape.pointer.description)),
                ("reason", .string($0.shape.reason)),
              ])
          })
      ),
      (
        "skipped",
        .array(
          skipped.map {
            .object(Self.members($0.scenario, $0.key, nil) + [("reason", .string($0.reason))])
          })
      ),
    ])
  }

  private static func value(_ found: Found, _ live: String) -> OrderedJSON {
    let difference = found.difference
    return .object(
      members(found.scenario, found.key, found.response) + [
        ("pointer", .string(difference.pointer.description)),
        ("id", .string(difference.id.rawValue)), ("level", .string(difference.level.rawValue)),
        ("stored", .string(difference.stored)), ("live", .string(live)),
      ])
  }

  private static func members(
    _ scenario: ScenarioName, _ key: Stub.Key, _ response: Int?
  ) -> [(String, OrderedJSON)] {
    [("scenario", .string(scenario.rawValue)), ("key", .string(key.rawValue))]
      + (response.map { [("answer", .integer($0))] } ?? [])
  }
}
