internal import StubDBModel

/// Which scenarios include which.
struct IncludeGraph {
  let names: Set<ScenarioName>
  let includes: [ScenarioName: [ScenarioName]]

  /// The scenarios that one includes, directly or not, each once, in the order in which they answer.
  ///
  /// Depth first: an include's own includes come right behind it.
  func closure(of name: ScenarioName) throws -> [ScenarioName] {
    var closure: [ScenarioName] = []
    try visit(name, trail: []) { closure.append($0) }
    return Array(closure.dropFirst())
  }

  /// Every dangling include and every cycle, each once, as errors.
  func problems() -> [CatalogError] {
    var problems: [CatalogError] = []
    var reported: Set<Set<ScenarioName>> = []
    for name in includes.keys.sorted() {
      for included in includes[name] ?? [] where !names.contains(included) {
        problems.append(dangling(included, trail: [name]))
      }
      if let cycle = cycle(from: name), reported.insert(Set(cycle)).inserted {
        problems.append(Self.cycleError(cycle))
      }
    }
    return problems
  }

  private func visit(
    _ name: ScenarioName, trail: [ScenarioName], _ found: (ScenarioName) -> Void
  ) throws {
    var visited: Set<ScenarioName> = []
    try visit(name, trail: trail, &visited, found)
  }

  private func visit(
    _ name: ScenarioName, trail: [ScenarioName], _ visited: inout Set<ScenarioName>,
    _ found: (ScenarioName) -> Void
  ) throws {
    if let start = trail.firstIndex(of: name) {
      throw Self.cycleError(Array(trail[start...]) + [name])
    }
    guard names.contains(name) else { throw dangling(name, trail: trail) }
    guard visited.insert(name).inserted else { return }
    found(name)
    for included in includes[name] ?? [] {
      try visit(included, trail: trail + [name], &visited, found)
    }
  }

  /// A way from the scenario back to itself; nil where there is none.
  private func cycle(from start: ScenarioName) -> [ScenarioName]? {
    var visited: Set<ScenarioName> = []
    func search(_ name: ScenarioName, _ trail: [ScenarioName]) -> [ScenarioName]? {
      for included in includes[name] ?? [] {
        if included == start { return trail + [start] }
        if visited.insert(included).inserted, let found = search(included, trail + [included]) {
          return found
        }
      }
      return nil
    }
    return search(start, [start])
  }

  private func dangling(_ name: ScenarioName, trail: [ScenarioName]) -> CatalogError {
    let way = (trail + [name]).map(\.rawValue).joined(separator: " -> ")
    return CatalogError(
      .danglingInclude, "the catalog has no scenario \"\(name)\", which is included: \(way)",
      suggestions: names.map(\.rawValue).sorted().nearest(to: name.rawValue).map { [$0] } ?? [])
  }

  private static func cycleError(_ way: [ScenarioName]) -> CatalogError {
    CatalogError(
      .includeCycle,
      "scenarios include each other in a circle: "
        + way.map(\.rawValue).joined(separator: " -> "))
  }
}
