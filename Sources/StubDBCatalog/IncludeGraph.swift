internal import StubDBModel
internal import StubDBSupport

/// The graph of which scenarios include which.
///
/// Traversed without recursion, because a hostile file may contain a chain of any length.
struct IncludeGraph {
  /// The names that a scenario includes, in order; nil if the scenario does not exist.
  let includes: (ScenarioName) throws -> [ScenarioName]?
  /// All names, to suggest the nearest for a missing one.
  let names: () throws -> [ScenarioName]

  /// The scenarios that one includes, directly or indirectly, each once, in the order in which they answer.
  ///
  /// Depth first: the includes of an included scenario follow it directly.
  func closure(of name: ScenarioName) throws -> [ScenarioName] {
    var closure: [ScenarioName] = []
    var visited: Set<ScenarioName> = []
    try walk(from: name, &visited, entering: { closure.append($0) }, problem: { throw $0 })
    return Array(closure.dropFirst())
  }

  /// Every dangling include, and at least one circle of each group of scenarios that include each other, as errors.
  func problems() throws -> [CatalogError] {
    var problems: [CatalogError] = []
    var visited: Set<ScenarioName> = []
    for name in try names() where !visited.contains(name) {
      try walk(from: name, &visited, entering: { _ in }, problem: { problems.append($0) })
    }
    return problems
  }

  /// Throws the first of the ``problems()``.
  ///
  /// All of them can take long: each missing name is compared with all names.
  func requireNoProblem() throws {
    var visited: Set<ScenarioName> = []
    for name in try names() where !visited.contains(name) {
      try walk(from: name, &visited, entering: { _ in }, problem: { throw $0 })
    }
  }

  /// A scenario on the current path, and those of its includes that are still to be visited.
  private struct Step {
    let name: ScenarioName
    var rest: ArraySlice<ScenarioName>
  }

  private func walk(
    from start: ScenarioName, _ visited: inout Set<ScenarioName>,
    entering: (ScenarioName) -> Void, problem: (CatalogError) throws -> Void
  ) throws {
    var way: [Step] = []
    // The index of each scenario on the current path; none is on it twice.
    var places: [ScenarioName: Int] = [:]
    var next: ScenarioName? = start
    while true {
      if let name = next {
        if let place = places[name] {
          try problem(Self.circle(way[place...].map(\.name) + [name]))
        } else if !visited.contains(name) {
          if let included = try includes(name) {
            visited.insert(name)
            entering(name)
            places[name] = way.count
            way.append(Step(name: name, rest: included[...]))
          } else {
            try problem(dangling(way.map(\.name) + [name]))
          }
        }
      }
      guard let last = way.indices.last else { return }
      next = way[last].rest.popFirst()
      if next == nil {
        places[way[last].name] = nil
        way.removeLast()
      }
    }
  }

  private func dangling(_ way: [ScenarioName]) throws -> CatalogError {
    let name = way.last?.rawValue ?? ""
    return CatalogError(
      .danglingInclude,
      "the catalog has no scenario \"\(name)\", which is included: \(Self.text(of: way))",
      suggestions: try names().map(\.rawValue).nearest(to: name).map { [$0] } ?? [])
  }

  private static func circle(_ way: [ScenarioName]) -> CatalogError {
    CatalogError(.includeCycle, "scenarios include each other in a circle: \(text(of: way))")
  }

  /// The path as text; a very long one is shortened in the middle.
  private static func text(of way: [ScenarioName]) -> String {
    let names = way.map(\.rawValue)
    let shown = names.count <= 12 ? names : names.prefix(6) + ["…"] + names.suffix(5)
    return shown.joined(separator: " -> ")
  }
}

extension IncludeGraph {
  /// The whole graph of a catalog, for checks of everything.
  init(reading reader: ScenarioReader) throws {
    let names = try reader.names()
    let known = Set(names)
    let includes = try reader.includesByScenario()
    self.init(
      includes: { known.contains($0) ? includes[$0] ?? [] : nil },
      names: { names })
  }
}
