internal import StubDBModel

extension ScenarioReader {
  /// What merges left to a person, in order.
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

  /// Refuses scenarios of which nobody has said yet which version counts: a test must not play one
  /// side of a merge without a word.
  func refuseConflicts(in headers: [ScenarioHeader]) throws {
    let conflicts = try conflicts()
    guard !conflicts.isEmpty else { return }
    let names = Set(headers.map(\.scenario.name))
    let open = conflicts.filter { names.contains($0.scenario) }
    guard let first = open.first else { return }
    let more = open.count > 1 ? " and \(open.count - 1) more" : ""
    throw CatalogError(
      .unresolvedConflict,
      "the scenario \"\(first.scenario)\" of \(path) is in two versions since a merge "
        + "(\(first)\(more)); say which one counts with: stubdb resolve \(first.scenario)",
      path: path)
  }

  private func value(_ row: Statement, _ column: Int32) throws -> JSONValue? {
    guard let text = try row.optionalText(column) else { return nil }
    guard let value = try? JSONValue(parsing: text) else { throw damagedConflict }
    return value
  }

  private var damagedConflict: CatalogError { CatalogError(damaged: "a conflict", path: path) }
}
