internal import StubDBJSON
internal import StubDBModel

/// Writes the conflicts that merges leave.
struct ConflictWriter {
  let reader: ScenarioReader

  init(_ reader: ScenarioReader) {
    self.reader = reader
  }

  /// Adds a conflict, or replaces the one at the same place.
  func insert(_ conflict: Conflict) throws {
    let statement = try reader.connection.prepare(WriteQueries.insertConflict)
    try bind(conflict, to: statement)
    for (index, value) in [conflict.base, conflict.ours, conflict.theirs].enumerated() {
      try statement.bind(Int32(index + 4), value?.canonicalText)
    }
    try statement.run()
  }

  /// Removes the conflicts that the closure selects.
  func remove(where isRemoved: (Conflict) -> Bool) throws {
    for conflict in try reader.conflicts() where isRemoved(conflict) {
      let statement = try reader.connection.prepare(WriteQueries.deleteConflict)
      try bind(conflict, to: statement)
      try statement.run()
    }
  }

  /// Moves the conflicts of a scenario to its new name.
  func rename(_ name: ScenarioName, to newName: ScenarioName) throws {
    let conflicts = try reader.conflicts().filter { $0.scenario == name }
    try remove { $0.scenario == name }
    for var conflict in conflicts {
      conflict.scenario = newName
      try insert(conflict)
    }
  }

  private func bind(_ conflict: Conflict, to statement: Statement) throws {
    try statement.bind(1, conflict.scenario.rawValue)
    try statement.bind(2, conflict.key ?? "")
    try statement.bind(3, conflict.pointer.description)
  }
}
