package import StubDBCatalog
package import StubDBCatalogEditing
package import StubDBModel

// The changes of `set`, `rename`, `copy`, `tag`, `remove`, `edit` and `restore`. Each throws ``EditRefusal``.
extension CatalogEditor {
  /// Changes one stub, also its key; nil if nothing changes.
  package mutating func change(
    stub key: Stub.Key, of name: ScenarioName, _ change: (Stub) throws -> CheckedStub
  ) throws -> WrittenScenario? {
    var checked = try existing(name)
    let before = checked.scenario
    let index = try before.index(of: key)
    let changed = try change(before.stubs[index])
    let stub = changed.stub
    checked.put(changed, at: index)
    guard checked.scenario != before else { return nil }
    if stub.key != key, before.stubs.contains(where: { $0.key == stub.key }) {
      throw EditRefusal.stubExists(stub.key, in: name)
    }
    var known = before.stubs[index]
    known.key = stub.key
    try WriteCheck.require([changed], besides: [known], in: name)
    try replace(checked)
    if stub.key != key { try moveConflicts(of: key, to: stub.key, in: name) }
    return WrittenScenario(
      before: before, after: checked.scenario, changed: [stub], isDocument: false)
  }

  /// Changes a scenario besides its stubs; nil if nothing changes.
  package mutating func change(
    _ name: ScenarioName, by change: HeaderChange, of catalog: Catalog
  ) throws -> WrittenScenario? {
    var after = try existing(name)
    let before = after.scenario
    try after.changeHeader { try change.apply(to: &$0) }
    let names = try scenarioNames()
    try catalog.requireIncludable(change.includes, by: name)
    if let missing = change.includes.ownNames.first(where: { !names.contains($0) }) {
      throw EditRefusal.missingInclude(missing, of: name, among: names)
    }
    guard after.scenario != before else { return nil }
    try replace(after)
    return WrittenScenario(
      before: before, after: after.scenario, changed: [], isDocument: false)
  }

  /// Adds tags to scenarios and removes others; a tag to remove that only some have is no mistake.
  package mutating func tag(
    _ names: [ScenarioName], adding added: [String], removing removed: [String]
  ) throws -> [WrittenScenario] {
    let scenarios = try names.map { try existing($0) }
    let known = Set(scenarios.flatMap(\.scenario.tags))
    if let missing = removed.first(where: { !known.contains($0) }) {
      throw EditRefusal.noSuchTag(missing, of: scenarios.map(\.scenario))
    }
    return try scenarios.map { before in
      var after = before
      try after.changeHeader {
        $0.tags = Set($0.tags).subtracting(removed).union(added).sorted()
      }
      try replace(after)
      return WrittenScenario(
        before: before.scenario, after: after.scenario, changed: [], isDocument: false)
    }
  }

  /// Renames scenarios, in an order in which no new name is that of a scenario still to be renamed.
  package mutating func rename(_ pairs: [(old: ScenarioName, new: ScenarioName)]) throws {
    for (old, _) in pairs { _ = try existing(old) }
    for (old, new) in pairs where old != new {
      try Self.naming(new) { () throws(CatalogError) in try rename(old, to: new) }
    }
  }

  /// Copies scenarios under other names.
  package mutating func copy(_ pairs: [(old: ScenarioName, new: ScenarioName)]) throws {
    for (old, new) in pairs {
      _ = try existing(old)
      if new == old { throw EditRefusal.copyOfSameName(old) }
      try Self.naming(new) { () throws(CatalogError) in try copy(old, to: new) }
    }
  }

  /// Removes stubs of a scenario, or the whole scenario if no key is given.
  package mutating func remove(_ keys: [Stub.Key], of name: ScenarioName) throws {
    let scenario = try existing(name).scenario
    if keys.isEmpty { return try removeScenario(name) }
    for key in keys { try removeStub(try scenario.existing(key).key, from: name) }
  }

  /// Writes what was made of a scenario, if it is still the one that was read.
  package mutating func save(
    _ checked: CheckedScenario, over original: Scenario, of catalog: Catalog
  ) throws {
    guard try existing(original.name).scenario == original else {
      throw EditRefusal.changed(original.name)
    }
    let edited = checked.scenario
    try catalog.requireIncludable(
      edited.includes.filter { !original.includes.contains($0) }, by: original.name)
    try replace(checked)
  }

  /// Writes scenarios of an earlier state, under new names if `asNew`, and returns the scenarios that they replace.
  ///
  /// What cannot be played is written too, so that nothing is lost.
  package mutating func restore(_ scenarios: [Scenario], asNew: Bool) throws -> [Scenario?] {
    let known = Set(try scenarioNames()).union(scenarios.map(\.name))
    return try scenarios.map { restored in
      let before = try scenario(named: restored.name)
      let missing = restored.includes.ownNames.filter { !known.contains($0) }
      if !missing.isEmpty { throw EditRefusal.lostIncludes(missing, of: restored.name) }
      if asNew {
        try Self.naming(restored.name) { () throws(CatalogError) in try insert(restored) }
      } else {
        try replace(restored)
      }
      return before
    }
  }

  private static func naming(
    _ name: ScenarioName, _ body: () throws(CatalogError) -> Void
  ) throws {
    do throws(CatalogError) {
      try body()
    } catch {
      throw error.code == .scenarioExists ? EditRefusal.nameTaken(name) as any Error : error
    }
  }
}

/// A change of a scenario besides its stubs.
package struct HeaderChange {
  /// An empty text removes the summary; nil leaves it.
  package var summary: String?
  /// The tags that are added.
  package var tags: [String]
  /// The includes that are added, after the others.
  package var includes: [ScenarioReference]
  package var removedIncludes: [ScenarioReference] = []

  package init(summary: String?, tags: [String], includes: [ScenarioReference]) {
    (self.summary, self.tags, self.includes) = (summary, tags, includes)
  }

  func apply(to scenario: inout Scenario) throws(EditRefusal) {
    for name in includes where !scenario.includes.contains(name) { scenario.includes.append(name) }
    scenario.tags = Set(scenario.tags).union(tags).sorted()
    if let summary { scenario.summary = summary.isEmpty ? nil : summary }
    if let missing = removedIncludes.first(where: { !scenario.includes.contains($0) }) {
      throw .notIncluded(missing, by: scenario)
    }
    scenario.includes.removeAll(where: removedIncludes.contains)
  }
}
