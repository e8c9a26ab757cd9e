internal import StubDBModel

/// Merges three versions of a catalog by meaning.
///
/// Edits that do not touch the same place never conflict; whichever side is called ours, a merge
/// without conflicts has the same content. Only scenarios that both sides changed are read from all
/// three.
package struct CatalogMerge {
  /// A scenario on its way into the merged catalog.
  struct Part {
    var base: ScenarioEntry?
    var ours: ScenarioEntry?
    var theirs: ScenarioEntry?
    /// The name it gets; nil where it is removed.
    var name: ScenarioName?
    /// The identities of what it includes.
    var includes: [String] = []
    /// Its content, where that is not our version as it is; the name and includes do not count.
    var content: Scenario?

    var isKept: Bool { name != nil }
  }

  let base: any ScenarioSource
  let ours: any ScenarioSource
  let theirs: any ScenarioSource
  /// By identity: the name in the base, or for what the base has not its own name behind a line break.
  var parts: [String: Part] = [:]
  var conflicts: [Conflict] = []
  private(set) var names = IncludedNames()

  /// Merges; `progress` is told how many of how many scenarios have been merged.
  package static func merge(
    base: any ScenarioSource, ours: any ScenarioSource, theirs: any ScenarioSource,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> MergedScenarios {
    var merge = CatalogMerge(base: base, ours: ours, theirs: theirs)
    try merge.identify()
    let identities = merge.parts.keys.sorted()
    for (index, identity) in identities.enumerated() {
      try merge.merge(identity)
      progress(index + 1, identities.count)
    }
    merge.keepNamesApart()
    try merge.bringBackWhatIsIncluded()
    merge.breakCircles()
    return try merge.result()
  }

  private init(
    base: any ScenarioSource, ours: any ScenarioSource, theirs: any ScenarioSource
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// Finds out which scenario of one version is which of another.
  private mutating func identify() throws {
    for entry in try base.entries {
      parts[entry.name.rawValue] = Part(base: entry)
      names.base[entry.name] = entry.name.rawValue
    }
    let (left, right) = (try ours.entries, try theirs.entries)
    var leftRenames = try ScenarioRenames.names(from: base, to: ours)
    var rightRenames = try ScenarioRenames.names(from: base, to: theirs)
    SharedRenames.complete(
      &leftRenames, &rightRenames, ours: Set(left.map(\.name)), theirs: Set(right.map(\.name)))
    names.ours = add(left, renames: leftRenames, to: \.ours)
    names.theirs = add(right, renames: rightRenames, to: \.theirs)
  }

  private mutating func add(
    _ entries: [ScenarioEntry], renames: [ScenarioName: ScenarioName],
    to side: WritableKeyPath<Part, ScenarioEntry?>
  ) -> [ScenarioName: String] {
    var identities: [ScenarioName: String] = [:]
    for entry in entries {
      let old = renames[entry.name] ?? entry.name
      let identity = names.base[old] ?? "\n" + entry.name.rawValue
      identities[entry.name] = identity
      parts[identity, default: Part()][keyPath: side] = entry
    }
    return identities
  }

  private mutating func merge(_ identity: String) throws {
    guard var part = parts[identity] else { return }
    defer { parts[identity] = part }
    let (base, ours, theirs) = (part.base, part.ours, part.theirs)
    part.includes = includes(of: part)
    if ours?.digest == theirs?.digest || theirs?.digest == base?.digest {
      part.name = ours?.name
    } else if ours?.digest == base?.digest {
      part.name = theirs?.name
      part.content = try theirs.map { try self.theirs.scenario(named: $0.name) }
    } else if let ours, let theirs {
      let name = mergedName(base, ours, theirs)
      part.name = name
      let (scenario, found) = ScenarioMerge.merge(
        base: try base.map { try self.base.scenario(named: $0.name) },
        ours: try self.ours.scenario(named: ours.name),
        theirs: try self.theirs.scenario(named: theirs.name), name: name)
      part.content = scenario
      conflicts += found
    } else {
      try keepWhatIsLeft(&part)
    }
  }

  /// Edited on one side and removed on the other: what is left stays until a person decides.
  private mutating func keepWhatIsLeft(_ part: inout Part) throws {
    part.name = part.ours?.name ?? part.theirs?.name
    part.includes = (part.ours ?? part.theirs).map { names.identities(of: $0.includes, part) } ?? []
    let left = try part.ours.map { try ours.scenario(named: $0.name) }
    let right = try part.theirs.map { try theirs.scenario(named: $0.name) }
    if left == nil { part.content = right }
    guard let name = part.name else { return }
    conflicts.append(
      Conflict(
        scenario: name, base: try part.base.map { try base.scenario(named: $0.name).documentValue },
        ours: left?.documentValue, theirs: right?.documentValue))
  }

  private mutating func mergedName(
    _ base: ScenarioEntry?, _ ours: ScenarioEntry, _ theirs: ScenarioEntry
  ) -> ScenarioName {
    if ours.name == theirs.name || theirs.name == base?.name { return ours.name }
    if ours.name == base?.name { return theirs.name }
    note(
      ours.name, "scenario", base.map { .string($0.name.rawValue) }, .string(ours.name.rawValue),
      .string(theirs.name.rawValue))
    return ours.name
  }

  /// The included scenarios by identity, so that a renamed one is the same one.
  private func includes(of part: Part) -> [String] {
    let old = part.base.map { names.identities(of: $0.includes, in: names.base) } ?? []
    guard let ours = part.ours.map({ names.identities(of: $0.includes, in: names.ours) }) else {
      return part.theirs.map { names.identities(of: $0.includes, in: names.theirs) } ?? []
    }
    guard let theirs = part.theirs.map({ names.identities(of: $0.includes, in: names.theirs) })
    else { return ours }
    if ours == theirs || theirs == old { return ours }
    if ours == old { return theirs }
    let merged = SetMerge.merge(base: old, ours: ours, theirs: theirs)
    let order = OrderMerge.order(base: old, ours: ours, theirs: theirs, surviving: merged)
    // What cannot be ordered by both sides is ordered by name, whichever side is ours.
    return order ?? merged.sorted()
  }

  mutating func note(
    _ name: ScenarioName, _ member: String, _ base: JSONValue?, _ ours: JSONValue?,
    _ theirs: JSONValue?
  ) {
    conflicts.append(
      Conflict(
        scenario: name, pointer: JSONPointer([member]), base: base, ours: ours, theirs: theirs))
  }

  private func result() throws -> MergedScenarios {
    var removed: Set<ScenarioName> = []
    var written: [Scenario] = []
    for part in parts.values {
      guard let name = part.name else {
        if let old = part.ours?.name { removed.insert(old) }
        continue
      }
      let includes = part.includes.compactMap { parts[$0]?.name }
      if part.content == nil, part.ours?.name == name, part.ours?.includes == includes { continue }
      guard var scenario = try part.content ?? part.ours.map({ try ours.scenario(named: $0.name) })
      else { continue }
      scenario.name = name
      scenario.includes = includes
      if let old = part.ours?.name, old != name { removed.insert(old) }
      written.append(scenario)
    }
    // A name that is free on one side may be given again on the other.
    removed.subtract(written.map(\.name))
    return MergedScenarios(
      removed: removed.sorted(), written: written.sorted { $0.name < $1.name },
      conflicts: unique(conflicts).sorted())
  }

  /// One conflict a place; the first one says most.
  private func unique(_ conflicts: [Conflict]) -> [Conflict] {
    var places: Set<String> = []
    return conflicts.filter { places.insert($0.description).inserted }
  }
}
