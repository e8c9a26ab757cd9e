package import StubDBCatalog
package import StubDBDocuments
internal import StubDBJSON
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
  /// Nil where counting would take too long, and where one of them is of another catalog, which is not opened.
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
  /// The numbers that are known of scenarios that are not part of a circle.
  private var counts: [ScenarioName: Int] = [:]
  /// How many more includes are followed: a hostile catalog has scenarios that all include each other.
  private(set) var budget: Int

  init(_ all: [ScenarioSummary], budget: Int = 1_000_000) {
    self.budget = budget
    guard all.contains(where: { !$0.includes.isEmpty }) else { return }
    scenarios = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of stubs that a scenario includes; nil for includes of other catalogs, and once the budget is used up.
  ///
  /// Names that the catalog does not have, and circles, count as nothing here: `check` reports them. A scenario with one
  /// include takes a single step once the number of the included one is known, so that a chain takes as many steps as it
  /// has scenarios.
  mutating func count(of scenario: ScenarioSummary) -> Int? {
    if scenario.includes.isEmpty { return 0 }
    var chain: [ScenarioSummary] = []
    var last = scenario
    while counts[last.name] == nil, last.includes.count == 1,
      let next = last.includes[0].ownName.flatMap({ scenarios[$0] })
    {
      // A circle would never end.
      guard budget > 0, chain.count < scenarios.count else { return walk(from: scenario)?.count }
      budget -= 1
      chain.append(last)
      last = next
    }
    if counts[last.name] == nil {
      guard let end = walk(from: last) else { return nil }
      guard !end.isCircle || chain.isEmpty else { return walk(from: scenario)?.count }
      if end.isCircle { return end.count }
      counts[last.name] = end.count
    }
    guard var count = counts[last.name] else { return nil }
    for including in chain.reversed() {
      count += last.stubCount
      counts[including.name] = count
      last = including
    }
    return count
  }

  /// The number of stubs that a scenario includes, and whether it includes itself; nil as above.
  private mutating func walk(
    from scenario: ScenarioSummary
  ) -> (count: Int, isCircle: Bool)? {
    var seen: Set = [scenario.name]
    var next = scenario.includes
    var (count, isCircle) = (0, false)
    while let include = next.popLast() {
      guard budget > 0, let name = include.ownName else { return nil }
      budget -= 1
      if name == scenario.name { isCircle = true }
      guard seen.insert(name).inserted, let included = scenarios[name] else { continue }
      count += included.stubCount
      next += included.includes
    }
    return (count, isCircle)
  }
}
