import ArgumentParser
import StubDBCatalog
import StubDBModel

extension CompletionKind {
  /// The scenarios of the catalog that the command line being completed works on.
  static var scenarioNames: CompletionKind {
    .custom { words, _, prefix in
      scenarios(for: words).map(\.name.rawValue).filter { $0.hasPrefix(prefix) }
    }
  }

  /// The keys of the scenario that the command line being completed names.
  static var stubKeys: CompletionKind {
    .custom { words, _, prefix in
      let scenarios = scenarios(for: words)
      guard
        let name = scenarios.map(\.name).first(where: { words.contains($0.rawValue) }),
        let scenario = try? CatalogLocator().open(option(in: words)).scenario(named: name)
      else { return [] }
      return scenario.stubs.map(\.key).filter { $0.hasPrefix(prefix) }
    }
  }

  /// None where there is no catalog to read: completion has nobody to tell.
  private static func scenarios(for words: [String]) -> [ScenarioSummary] {
    (try? CatalogLocator().open(option(in: words)).scenarios()) ?? []
  }

  private static func option(in words: [String]) -> String? {
    guard let index = words.firstIndex(of: "--catalog"), index + 1 < words.count else { return nil }
    return words[index + 1]
  }
}
