import ArgumentParser
import StubDBCatalog
import StubDBCatalogEditing
import StubDBModel

/// What `rename` and `copy` are told: scenarios, and the names they get.
struct ScenarioTargets {
  /// The scenarios with their new names, in an order in which no new name is that of a scenario still to be renamed.
  let pairs: [(old: ScenarioName, new: ScenarioName)]

  /// Throws a `ValidationError` for words that no catalog makes sense of.
  static func validate(_ words: [String]) throws {
    try validateNames(words)
    guard let target = words.last, words.count > 1 else {
      throw ValidationError(
        "Give what there is and the new name, such as checkout/paid checkout/accepted.")
    }
    let sources = try words.dropLast().map(ExportSelection.init(argument:))
    if case .scenario(let name) = try ExportSelection(argument: target) {
      guard sources.count == 1, case .scenario = sources[0] else {
        throw ValidationError(
          "Several scenarios need an area to go to: end it with /, as \(name)/.")
      }
    }
  }

  /// Throws a `ValidationError` for the first word that is neither a scenario's name nor an area.
  static func validateNames(_ words: [String]) throws {
    for word in words {
      do {
        _ = try ExportSelection(argument: word)
      } catch {
        throw ValidationError("\(TerminalText.quoted(word)) is not a scenario name: \(error)")
      }
    }
  }

  /// The last word is the new name, or the area of the new names if it ends with `/`.
  init(_ words: [String], in catalog: Catalog, for purpose: String) throws {
    let sources = try words.dropLast().map(ExportSelection.init(argument:))
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
    of old: ScenarioName, from source: ExportSelection, at target: String
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
