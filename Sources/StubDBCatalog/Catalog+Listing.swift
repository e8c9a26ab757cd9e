package import StubDBJSON
internal import StubDBModel

extension Catalog {
  /// The scenarios, ordered by name, with the number of stubs that they include.
  ///
  /// The numbers come from the catalog's list of scenarios; no stub is read.
  /// - Parameters: As of ``scenarios(prefix:tags:)``.
  package func listedScenarios(
    prefix: String? = nil, tags: [String] = []
  ) throws(CatalogError) -> [ListedScenario] {
    let all = try scenarios()
    var included = IncludedStubs(all)
    return Self.filtered(all, prefix: prefix, tags: tags).map {
      ListedScenario(summary: $0, includedStubCount: included.count(of: $0))
    }
  }
}

/// A scenario as lists show it.
package struct ListedScenario: Hashable, Sendable {
  package let summary: ScenarioSummary
  /// The number of stubs of the scenarios that it includes, directly or indirectly, each counted once.
  ///
  /// Nil where counting would take too long.
  package let includedStubCount: Int?

  /// Its own stubs, and what it includes: `1`, or `1+7`.
  package var stubsText: String {
    if summary.includes.isEmpty { return String(summary.stubCount) }
    return "\(summary.stubCount)+\(includedStubCount.map(String.init) ?? "?")"
  }

  /// The summary for programs, without digests.
  package var json: OrderedJSON {
    .object([
      ("scenario", .string(summary.name.rawValue)),
      ("summary", .string(summary.summary)),
      ("tags", .strings(summary.tags)),
      ("includes", .strings(summary.includes.map(\.rawValue))),
      ("stubs", .integer(summary.stubCount)),
      ("includedStubs", includedStubCount.map { .integer($0) } ?? .json(.null)),
    ])
  }
}

/// Counts the stubs of included scenarios.
struct IncludedStubs {
  private var scenarios: [ScenarioName: ScenarioSummary] = [:]
  /// How many more includes are followed: a hostile catalog has scenarios that all include each other.
  private var budget: Int

  init(_ all: [ScenarioSummary], budget: Int = 1_000_000) {
    self.budget = budget
    guard all.contains(where: { !$0.includes.isEmpty }) else { return }
    scenarios = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of stubs that a scenario includes; nil once the budget is used up.
  ///
  /// Names that the catalog does not have, and circles, count as nothing here: `check` reports them.
  mutating func count(of scenario: ScenarioSummary) -> Int? {
    var seen: Set = [scenario.name]
    var next = scenario.includes
    var count = 0
    while let name = next.popLast() {
      guard budget > 0 else { return nil }
      budget -= 1
      guard seen.insert(name).inserted, let included = scenarios[name] else { continue }
      count += included.stubCount
      next += included.includes
    }
    return count
  }
}
