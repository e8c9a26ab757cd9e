internal import StubDBModel

// Finds what is consistent on each side but not in the merged catalog: two scenarios of one name, includes of missing
// scenarios, and scenarios that include each other in a circle. The parts involved become conflicts. So that every
// conflict can be settled, consistency is required of the merged catalog and of both catalogs that result from settling
// all conflicts for one side.

extension CatalogMerge {
  /// A catalog that must be consistent.
  private enum Version: CaseIterable {
    case merged
    case ours
    case theirs

    var side: ConflictSettlement.Side? {
      switch self {
      case .merged: nil
      case .ours: .ours
      case .theirs: .theirs
      }
    }
  }

  /// Adds conflicts until the catalogs are consistent.
  ///
  /// This terminates: if everything conflicts, each settled version is one side's own catalog.
  mutating func makeConsistent() throws {
    var count: Int
    repeat {
      count = contestedCount
      for version in Version.allCases {
        separateNames(in: version)
        try restoreIncluded(in: version)
        breakCircles(in: version)
      }
    } while contestedCount != count
  }

  private var contestedCount: Int { parts.values.reduce(0) { $0 + $1.contested.count } }

  private func name(of part: Part, in version: Version) -> ScenarioName? {
    guard let side = version.side else { return part.name }
    let entry = side == .ours ? part.ours : part.theirs
    if part.contested.contains(.existence), entry == nil { return nil }
    return part.contested.contains(.name) ? entry?.name ?? part.name : part.name
  }

  /// The included scenarios of the merged catalogs; those of others do not depend on the merge.
  private func includes(of part: Part, as version: Version) -> [Identity] {
    guard let side = version.side,
      part.contested.contains(.existence) || part.contested.contains(.includes)
    else { return part.includes.compactMap(\.identity) }
    return includes(of: part, in: side).compactMap(\.identity)
  }

  /// Gives scenarios that would get the same name their base names.
  private mutating func separateNames(in version: Version) {
    var owners: [ScenarioName: [Identity]] = [:]
    for (identity, part) in parts {
      if let name = name(of: part, in: version) { owners[name, default: []].append(identity) }
    }
    for (name, identities) in owners where identities.count > 1 {
      for identity in identities {
        guard var part = parts[identity] else { continue }
        if let base = part.base, base.name != name {
          part.contested.insert(.name)
          part.name = base.name
        } else if part.ours == nil || part.theirs == nil {
          part.contested.insert(.existence)
        }
        parts[identity] = part
      }
    }
  }

  /// Keeps scenarios that one side removed and the other one includes.
  private mutating func restoreIncluded(in version: Version) throws {
    var queue = parts.keys.sorted()
    while let identity = queue.popLast() {
      guard let part = parts[identity], name(of: part, in: version) != nil else { continue }
      for included in includes(of: part, as: version) {
        guard var missing = parts[included], name(of: missing, in: version) == nil else { continue }
        if !missing.isKept {
          try keep(&missing)
          parts[included] = missing
          queue += [included, identity]
        } else if part.contested.isDisjoint(with: [.existence, .includes]) {
          contestIncludes(of: identity)
        }
      }
    }
  }

  /// Makes conflicts of the includes of the scenarios in a circle.
  private mutating func breakCircles(in version: Version) {
    var graph: [Identity: [Identity]] = [:]
    for (identity, part) in parts where name(of: part, in: version) != nil {
      graph[identity] = includes(of: part, as: version)
    }
    for identity in IncludeCircles.scenarios(in: graph) {
      guard let part = parts[identity], !part.contested.contains(.includes),
        includes(of: part, in: .ours) != includes(of: part, in: .theirs)
      else { continue }
      contestIncludes(of: identity)
    }
  }

  /// Our version stays until the conflict is settled, if our side has the scenario.
  private mutating func contestIncludes(of identity: Identity) {
    guard var part = parts[identity] else { return }
    part.contested.insert(.includes)
    if part.ours != nil { part.includes = includes(of: part, in: .ours) }
    parts[identity] = part
  }
}

/// The circles in a graph of which scenario includes which.
enum IncludeCircles {
  /// The scenarios that are in circles or on paths between circles; empty if there are no circles.
  static func scenarios<Node: Hashable>(in graph: [Node: [Node]]) -> Set<Node> {
    var includes: [Node: [Node]] = [:]
    var including: [Node: [Node]] = [:]
    for (node, included) in graph {
      let known = included.filter { graph[$0] != nil }
      includes[node] = known
      for other in known { including[other, default: []].append(node) }
    }
    // A scenario without remaining includes is in no circle, nor is one that no remaining scenario includes.
    let rest = rest(of: Set(graph.keys), leaving: includes, entering: including)
    return self.rest(of: rest, leaving: including, entering: includes)
  }

  /// The nodes that remain after those without outgoing edges are removed repeatedly.
  private static func rest<Node: Hashable>(
    of nodes: Set<Node>, leaving: [Node: [Node]], entering: [Node: [Node]]
  ) -> Set<Node> {
    var rest = nodes
    var ways = rest.reduce(into: [Node: Int]()) { ways, node in
      ways[node] = (leaving[node] ?? []).filter(nodes.contains).count
    }
    var queue = ways.filter { $0.value == 0 }.map(\.key)
    while let node = queue.popLast() {
      rest.remove(node)
      for other in entering[node] ?? [] where rest.contains(other) {
        let count = (ways[other] ?? 0) - 1
        ways[other] = count
        if count == 0 { queue.append(other) }
      }
    }
    return rest
  }
}
