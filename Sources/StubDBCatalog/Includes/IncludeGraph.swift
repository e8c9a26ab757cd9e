internal import StubDBModel
internal import StubDBSupport

/// The graph of which scenarios include which.
///
/// Traversed without recursion, because a hostile file may contain a chain of any length.
package struct IncludeGraph<Name: Hashable & CustomStringConvertible> {
  /// The names that a scenario includes, in order; nil if the scenario does not exist.
  package let includes: (Name) throws -> [Name]?
  /// All names, to suggest the nearest for a missing one.
  package let names: () throws -> [Name]
  /// The catalog that a name should be in, for messages.
  package var owner: (Name) -> String = { _ in "the catalog" }

  /// The scenarios that one includes, directly or indirectly, each once, in the order in which they answer.
  ///
  /// Depth first: the includes of an included scenario follow it directly.
  package func closure(of name: Name) throws -> [Name] {
    var closure: [Name] = []
    var visited: Set<Name> = []
    try walk(
      from: name, &visited, entering: { closure.append($0) },
      problem: { throw try error(of: $0, suggests: true) })
    return Array(closure.dropFirst())
  }

  /// Those of the scenarios that can be played and do not include `target`, directly or indirectly.
  ///
  /// A scenario that has a dangling or circular include cannot be played, and neither can one that includes it. Each
  /// scenario is visited once, whatever the number of `names`.
  package func playable(
    _ names: [Name], without target: Name
  ) throws -> [Name] {
    var visited: Set<Name> = []
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
  private static var suggestionLimit: Int { 20 }

  /// Every dangling include, and at least one circle of each group of scenarios that include each other, as errors.
  ///
  /// The cost is proportional to the number of scenarios and includes.
  package func problems() throws -> [CatalogError] {
    var problems: [CatalogError] = []
    try walkAll {
      problems.append(try error(of: $0, suggests: problems.count < Self.suggestionLimit))
    }
    return problems
  }

  private func walkAll(_ problem: (Problem) throws -> Void) throws {
    var visited: Set<Name> = []
    for name in try names() where !visited.contains(name) {
      try walk(from: name, &visited, entering: { _ in }, problem: problem)
    }
  }

  /// A scenario on the current path, and those of its includes that are still to be visited.
  private struct Step {
    let name: Name
    var rest: ArraySlice<Name>
  }

  /// What is wrong with an include: the path to it, and the included name.
  private enum Problem {
    case dangling(ArraySlice<Step>, Name)
    case circle(ArraySlice<Step>, Name)

    var name: Name {
      switch self {
      case .dangling(_, let name), .circle(_, let name): name
      }
    }
  }

  private func walk(
    from start: Name, _ visited: inout Set<Name>,
    entering: (Name) -> Void, leaving: (Name) throws -> Void = { _ in },
    problem: (Problem) throws -> Void
  ) throws {
    var way: [Step] = []
    // The index of each scenario on the current path; no scenario is on it twice.
    var places: [Name: Int] = [:]
    var next: Name? = start
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
      let known = suggests ? try names().map(\.description) : []
      return CatalogError(
        .danglingInclude,
        "\(owner(name)) has no scenario \"\(name)\", which is included: \(Self.text(of: way, name))",
        suggestions: known.nearest(to: name.description).map { [$0] } ?? [])
    case .circle(let way, let name):
      return CatalogError(
        .includeCycle, "scenarios include each other in a circle: \(Self.text(of: way, name))")
    }
  }

  /// The path as text; a very long one is shortened in the middle.
  private static func text(of way: ArraySlice<Step>, _ last: Name) -> String {
    let shown =
      way.count < 12
      ? way.map(\.name.description)
      : way.prefix(6).map(\.name.description) + ["…"] + way.suffix(4).map(\.name.description)
    return (shown + [last.description]).joined(separator: " -> ")
  }
}

extension IncludeGraph<ScenarioName> {
  /// The whole graph of a catalog, for checks of everything; other catalogs are not looked into.
  package init(reading reader: ScenarioReader) throws {
    let names = try reader.names()
    let known = Set(names)
    let includes = try reader.includesByScenario()
    self.init(
      includes: { known.contains($0) ? includes[$0]?.ownNames ?? [] : nil },
      names: { names })
  }
}
