internal import StubDBEngine
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

extension ScenarioReader {
  /// The conflicts that merges left, in order.
  package func conflicts() throws -> [Conflict] {
    let row = try connection.prepare(ReadQueries.conflicts)
    var conflicts: [Conflict] = []
    while try row.step() {
      func text(_ column: ConflictColumn) throws -> String { try row.text(column.rawValue) }
      let key = try text(.key)
      guard let pointer = JSONPointer(parsing: try text(.pointer)) else { throw damagedConflict }
      conflicts.append(
        Conflict(
          scenario: ScenarioName(unchecked: try text(.scenario)), key: key.isEmpty ? nil : key,
          pointer: pointer, base: try value(row, .base), ours: try value(row, .ours),
          theirs: try value(row, .theirs)))
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
    throw CatalogError(
      .unresolvedConflict,
      "the scenario \"\(first.scenario)\" of \(path) has a conflict since a merge "
        + "(\(first)\(Plural.more(open.count - 1))); to see it: stubdb resolve \(first.scenario) "
        + "--catalog \(ShellWord.quoted(path))",
      path: path)
  }

  private func value(_ row: Statement, _ column: ConflictColumn) throws -> JSONValue? {
    guard let text = try row.optionalText(column.rawValue) else { return nil }
    guard let value = try? JSONValue(parsing: text) else { throw damagedConflict }
    return value
  }

  private var damagedConflict: CatalogError { CatalogError(damaged: "a conflict", path: path) }
}
