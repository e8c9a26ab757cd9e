package import StubDBCatalog
package import StubDBChanges
internal import StubDBDocuments
internal import StubDBJSON

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
          scenario: try row.scenarioName(ConflictColumn.scenario.rawValue),
          key: key.isEmpty ? nil : key, pointer: pointer, base: try value(row, .base),
          ours: try value(row, .ours),
          theirs: try value(row, .theirs)))
    }
    return conflicts
  }

  private func value(_ row: Statement, _ column: ConflictColumn) throws -> JSONValue? {
    guard let text = try row.optionalText(column.rawValue) else { return nil }
    guard let value = try? JSONValue(parsing: text) else { throw damagedConflict }
    return value
  }

  private var damagedConflict: CatalogError { CatalogError(damaged: "a conflict", path: path) }
}
