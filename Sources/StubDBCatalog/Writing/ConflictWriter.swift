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

  /// Lets the conflicts of all scenarios follow the new name of one.
  func rename(_ name: ScenarioName, to newName: ScenarioName) throws {
    try change { $0.follow(names: [name: newName]) }
  }

  /// Lets the conflicts of a scenario follow the new key of one of its stubs.
  func rename(_ key: String, to newKey: String, of scenario: ScenarioName) throws {
    try change { if $0.scenario == scenario { $0.follow(keys: [key: newKey]) } }
  }

  private func change(_ body: (inout Conflict) -> Void) throws {
    let conflicts = try reader.conflicts()
    var changed = conflicts
    for index in changed.indices { body(&changed[index]) }
    if changed == conflicts { return }
    try remove { _ in true }
    for conflict in changed { try insert(conflict) }
  }

  private func bind(_ conflict: Conflict, to statement: Statement) throws {
    try statement.bind(1, conflict.scenario.rawValue)
    try statement.bind(2, conflict.key ?? "")
    try statement.bind(3, conflict.pointer.description)
  }
}
