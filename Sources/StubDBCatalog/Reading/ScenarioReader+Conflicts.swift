internal import StubDBJSON
internal import StubDBModel

extension ScenarioReader {
  /// The conflicts that merges left, in order.
  func conflicts() throws -> [Conflict] {
    let row = try connection.prepare(ReadQueries.conflicts)
    var conflicts: [Conflict] = []
    while try row.step() {
      let key = try row.text(1)
      guard let pointer = JSONPointer(parsing: try row.text(2)) else { throw damagedConflict }
      conflicts.append(
        Conflict(
          scenario: ScenarioName(unchecked: try row.text(0)), key: key.isEmpty ? nil : key,
          pointer: pointer, base: try value(row, 3), ours: try value(row, 4),
          theirs: try value(row, 5)))
    }
    return conflicts
  }

  /// Throws for scenarios with open conflicts, so that a test does not silently play one side of a merge.
  func refuseConflicts(in headers: [ScenarioHeader]) throws {
    let conflicts = try conflicts()
    guard !conflicts.isEmpty else { return }
    let names = Set(headers.map(\.scenario.name))
    let open = conflicts.filter { names.contains($0.scenario) }
    guard let first = open.first else { return }
    let more = open.count > 1 ? " and \(open.count - 1) more" : ""
    throw CatalogError(
      .unresolvedConflict,
      "the scenario \"\(first.scenario)\" of \(path) has a conflict since a merge "
        + "(\(first)\(more)); settle it with: stubdb resolve \(first.scenario)",
      path: path)
  }

  private func value(_ row: Statement, _ column: Int32) throws -> JSONValue? {
    guard let text = try row.optionalText(column) else { return nil }
    guard let value = try? JSONValue(parsing: text) else { throw damagedConflict }
    return value
  }

  private var damagedConflict: CatalogError { CatalogError(damaged: "a conflict", path: path) }
}
