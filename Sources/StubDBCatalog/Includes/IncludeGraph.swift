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
  package var owner: (Name) -> String

  package init(
    includes: @escaping (Name) throws -> [Name]?, names: @escaping () throws -> [Name],
    owner: @escaping (Name) -> String = { _ in "the catalog" }
  ) {
    (self.includes, self.names, self.owner) = (includes, names, owner)
  }

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

  /// A scenario on the current path, and those of its includes that are still to be visited.
  package struct Step {
    fileprivate let name: Name
    fileprivate var rest: ArraySlice<Name>
  }

  /// What is wrong with an include: the path to it, and the included name.
  package enum Problem {
    case dangling(ArraySlice<Step>, Name)
    case circle(ArraySlice<Step>, Name)

    fileprivate var name: Name {
      switch self {
      case .dangling(_, let name), .circle(_, let name): name
      }
    }
  }

  /// Visits a scenario and all that it includes, depth first; those in `visited` are left out.
  package func walk(
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

  /// The error for a problem; `suggests` says whether it names the nearest scenario.
  package func error(of problem: Problem, suggests: Bool) throws -> CatalogError {
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
