internal import StubDBEngine
internal import StubDBModel
internal import StubDBSupport

extension ScenarioReader {
  /// Throws for scenarios with open conflicts, so that a test does not silently play one side of a merge.
  func refuseConflicts(in headers: [ScenarioHeader]) throws {
    let names = Set(headers.map(\.scenario.name.rawValue))
    let row = try connection.prepare(ReadQueries.conflicts)
    // The first one, as `check` describes it.
    var first: (scenario: String, place: String)?
    var count = 0
    while try row.step() {
      let place = try [ConflictColumn.scenario, .key, .pointer].map { try row.text($0.rawValue) }
      guard names.contains(place[0]) else { continue }
      first = first ?? (place[0], place.filter { !$0.isEmpty }.joined(separator: " "))
      count += 1
    }
    guard let first else { return }
    throw CatalogError(
      .unresolvedConflict,
      "the scenario \"\(first.scenario)\" of \(path) has a conflict since a merge "
        + "(\(first.place)\(Plural.more(count - 1))); to see it: stubdb resolve \(first.scenario) "
        + "--catalog \(ShellWord.quoted(path))",
      path: path)
  }
}
