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
    try walk(
      from: name, &visited, entering: { closure.append($0) },
      problem: { throw try error(of: $0, suggests: true) })
    return Array(closure.dropFirst())
  }

  /// Those of the scenarios that can be played and do not include `target`, directly or indirectly.
  ///
  /// A scenario that has a dangling or circular include cannot be played, and neither can one that includes it. Each
  /// scenario is visited once, whatever the number of `names`.
  func playable(
    _ names: [ScenarioName], without target: ScenarioName
  ) throws -> [ScenarioName] {
    var visited: Set<ScenarioName> = []
    var unusable: Set = [target]
    for name in names where name != target {
      try walk(
        from: name, &visited, entering: { _ in },
        leaving: { name in
          if try includes(name)?.contains(where: unusable.contains) ?? true {
            unusable.insert(name)
          }
        },
        problem: { unusable.insert($0.name) })
    }
    return names.filter { !unusable.contains($0) }
  }

  /// For how many missing names the nearest one is suggested, since each of them is compared with all names.
  static let suggestionLimit = 20

  /// Every dangling include, and at least one circle of each group of scenarios that include each other, as errors.
  ///
  /// The cost is proportional to the number of scenarios and includes.
  func problems() throws -> [CatalogError] {
    var problems: [CatalogError] = []
    try walkAll {
      problems.append(try error(of: $0, suggests: problems.count < Self.suggestionLimit))
    }
    return problems
  }

  /// Throws the first of the ``problems()``.
  func requireNoProblem() throws {
    try walkAll { throw try error(of: $0, suggests: true) }
  }

  private func walkAll(_ problem: (Problem) throws -> Void) throws {
    var visited: Set<ScenarioName> = []
    for name in try names() where !visited.contains(name) {
      try walk(from: name, &visited, entering: { _ in }, problem: problem)
    }
  }

  /// A scenario on the current path, and those of its includes that are still to be visited.
  private struct Step {
    let name: ScenarioName
    var rest: ArraySlice<ScenarioName>
  }

  /// What is wrong with an include: the path to it, and the included name.
  private enum Problem {
    case dangling(ArraySlice<Step>, ScenarioName)
    case circle(ArraySlice<Step>, ScenarioName)

    var name: ScenarioName {
      switch self {
      case .dangling(_, let name), .circle(_, let name): name
      }
    }
  }

  private func walk(
    from start: ScenarioName, _ visited: inout Set<ScenarioName>,
    entering: (ScenarioName) -> Void, leaving: (ScenarioName) throws -> Void = { _ in },
    problem: (Problem) throws -> Void
  ) throws {
    var way: [Step] = []
    // The index of each scenario on the current path; no scenario is on it twice.
    var places: [ScenarioName: Int] = [:]
    var next: ScenarioName? = start
    while true {
      if let name = next {
        if let place = places[name] {
          try problem(.circle(way[place...], name))
        } else if !visited.contains(name) {
          if let included = try includes(name) {
            visited.insert(name)
            entering(name)
            places[name] = way.count
            way.append(Step(name: name, rest: included[...]))
          } else {
            try problem(.dangling(way[...], name))
          }
        }
      }
      guard let last = way.indices.last else { return }
      next = way[last].rest.popFirst()
      if next == nil {
        let name = way.removeLast().name
        places[name] = nil
        try leaving(name)
      }
    }
  }

  private func error(of problem: Problem, suggests: Bool) throws -> CatalogError {
    switch problem {
    case .dangling(let way, let name):
      let known = suggests ? try names().map(\.rawValue) : []
      return CatalogError(
        .danglingInclude,
        "the catalog has no scenario \"\(name)\", which is included: \(Self.text(of: way, name))",
        suggestions: known.nearest(to: name.rawValue).map { [$0] } ?? [])
    case .circle(let way, let name):
      return CatalogError(
        .includeCycle, "scenarios include each other in a circle: \(Self.text(of: way, name))")
    }
  }

  /// The path as text; a very long one is shortened in the middle.
  private static func text(of way: ArraySlice<Step>, _ last: ScenarioName) -> String {
    let shown =
      way.count < 12
      ? way.map(\.name.rawValue)
      : way.prefix(6).map(\.name.rawValue) + ["…"] + way.suffix(4).map(\.name.rawValue)
    return (shown + [last.rawValue]).joined(separator: " -> ")
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
