import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel

extension Catalog {
  /// The scenarios that arguments name and all that they include, in the order in which they answer.
  ///
  /// - Throws: `CommandError` for a name that nothing has, and for a scenario that cannot be played.
  func selected(_ selections: [ExportSelection], for purpose: String) throws -> [Scenario] {
    var scenarios: [Scenario] = []
    var seen: Set<ScenarioName> = []
    for name in try names(of: selections, for: purpose) {
      // What cannot be played has no answers; includes end there, too.
      _ = try loadExisting(name)
      var next = [ScenarioReference(name)]
      while let included = next.popLast() {
        if let own = included.ownName {
          guard seen.insert(own).inserted else { continue }
          let scenario = try existing(own)
          scenarios.append(scenario)
          next += scenario.includes.reversed()
        } else {
          let others = try self.included(by: Scenario(name: name, includes: [included]))
          scenarios += others.filter { seen.insert($0.name).inserted }
        }
      }
    }
    return scenarios
  }

  /// The names that were given, and those below names that end in `/`, each once.
  func names(of selections: [ExportSelection], for purpose: String) throws -> [ScenarioName] {
    try selections.names { prefix in
      let names = try scenarios(prefix: prefix.isEmpty ? nil : prefix).map(\.name)
      guard !names.isEmpty else {
        throw CommandError(
          prefix.isEmpty
            ? "the catalog has no scenario to \(purpose)"
            : "there is no scenario below \(TerminalText.quoted(prefix))",
          hints: ["To see all: " + FollowUp.command("list", in: self)])
      }
      return names
    }
  }
}

extension [ExportSelection] {
  /// The names that were given, and those below names that end in `/`, each once.
  func names(below: (_ prefix: String) throws -> [ScenarioName]) throws -> [ScenarioName] {
    var seen: Set<ScenarioName> = []
    return try flatMap { selection -> [ScenarioName] in
      switch selection {
      case .scenario(let name): [name]
      case .below(let prefix): try below(prefix)
      }
    }.filter { seen.insert($0).inserted }
  }
}
