package import StubDBCatalog
internal import StubDBCatalogEditing
package import StubDBJobs
package import StubDBModel

/// A word that selects a scenario, or every one below a name.
package enum ScenarioSelection {
  case scenario(ScenarioName)
  /// With the `/` at its end.
  case below(String)

  /// - Throws: ``ArgumentError`` if the word is no name.
  package init(argument text: String) throws(ArgumentError) {
    if text.hasSuffix("/"), text.count > 1 {
      _ = try ScenarioName.argument(String(text.dropLast()))
      self = .below(text)
    } else {
      self = .scenario(try ScenarioName.argument(text))
    }
  }

  /// The word that names it.
  package var argument: String {
    switch self {
    case .scenario(let name): name.rawValue
    case .below(let prefix): prefix
    }
  }

  package func selects(_ name: ScenarioName) -> Bool {
    switch self {
    case .scenario(let own): name == own
    case .below(let prefix): name.rawValue.hasPrefix(prefix)
    }
  }
}

extension Catalog {
  /// The scenarios that arguments name and all that they include, in the order in which they answer.
  ///
  /// - Throws: `JobError` for a name that nothing has, and for a scenario that cannot be played.
  package func selected(_ selections: [ScenarioSelection], for purpose: String) throws -> [Scenario]
  {
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
  package func names(of selections: [ScenarioSelection], for purpose: String) throws
    -> [ScenarioName]
  {
    try selections.names { prefix in
      let names = try scenarios(prefix: prefix.isEmpty ? nil : prefix).map(\.name)
      guard !names.isEmpty else {
        throw JobError(
          .notFound,
          prefix.isEmpty
            ? "the catalog has no scenario to \(purpose)"
            : "there is no scenario below \(quoted: prefix)",
          hints: ["To see all: \(command: ["list"], catalog: url)"])
      }
      return names
    }
  }
}

extension [ScenarioSelection] {
  /// The names that were given, and those below names that end in `/`, each once.
  package func names(below: (_ prefix: String) throws -> [ScenarioName]) throws -> [ScenarioName] {
    try flatMap { selection -> [ScenarioName] in
      switch selection {
      case .scenario(let name): [name]
      case .below(let prefix): try below(prefix)
      }
    }.unique
  }
}

/// Scenarios, and the names they get from `rename` and `copy`.
package struct ScenarioTargets {
  /// The scenarios with their new names, in an order in which no new name is that of a scenario still to be renamed.
  package let pairs: [(old: ScenarioName, new: ScenarioName)]

  /// The last word is the new name, or the area of the new names if it ends with `/`.
  package init(_ words: [String], in catalog: Catalog, for purpose: String) throws {
    let sources = try words.dropLast().map(ScenarioSelection.init(argument:))
    let target = words.last ?? ""
    var pairs: [(old: ScenarioName, new: ScenarioName)] = []
    for source in sources {
      for old in try catalog.names(of: [source], for: purpose) {
        pairs.append((old, try Self.name(of: old, from: source, at: target)))
      }
    }
    self.pairs = Self.ordered(pairs)
  }

  private static func name(
    of old: ScenarioName, from source: ScenarioSelection, at target: String
  ) throws -> ScenarioName {
    guard target.hasSuffix("/") else { return try ScenarioName.argument(target) }
    switch source {
    case .scenario:
      let last = old.rawValue.split(separator: "/").last ?? ""
      return try ScenarioName.argument(target + last)
    case .below(let prefix):
      return try ScenarioName.argument(target + old.rawValue.dropFirst(prefix.count))
    }
  }

  private static func ordered(
    _ pairs: [(old: ScenarioName, new: ScenarioName)]
  ) -> [(old: ScenarioName, new: ScenarioName)] {
    let byOld = Dictionary(pairs.map { ($0.old, $0.new) }) { first, _ in first }
    var done: Set<ScenarioName> = []
    var ordered: [(old: ScenarioName, new: ScenarioName)] = []
    for pair in pairs {
      // The scenarios in the way of this one, each in the way of the one before.
      var chain: [(old: ScenarioName, new: ScenarioName)] = []
      var next: ScenarioName? = pair.old
      while let old = next, let new = byOld[old], done.insert(old).inserted {
        chain.append((old, new))
        next = new == old ? nil : new
      }
      ordered += chain.reversed()
    }
    return ordered
  }
}

extension ScenarioName {
  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` if the text is not a valid scenario name.
  package static func argument(_ text: String) throws(ArgumentError) -> ScenarioName {
    guard let reason = reasonAgainst(text) else { return ScenarioName(unchecked: text) }
    if let other = ScenarioReference(text), let catalog = other.catalog {
      throw ArgumentError(
        "it is a scenario of the catalog \(catalog), which only includes can name; "
          + "give \(other.name), and that catalog's file with --catalog")
    }
    if text.hasSuffix("/"), reasonAgainst(String(text.dropLast())) == nil {
      throw ArgumentError(
        "name one scenario, such as \(text)NAME; 'stubdb list \(text)' lists those below it")
    }
    throw ArgumentError(reason)
  }
}

extension ScenarioReference {
  /// Reads a command line argument that names what a scenario includes.
  package static func argument(_ text: String) throws(ArgumentError) -> ScenarioReference {
    if let reason = reasonAgainst(text) { throw ArgumentError(reason) }
    return ScenarioReference(unchecked: text)
  }
}
