internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBJobs
internal import StubDBModel

/// Merges three versions of a catalog by meaning.
///
/// Edits of different places never conflict. The result does not depend on which side is called ours: without conflicts
/// the content is the same, and otherwise the same scenarios and places conflict. Only scenarios that both sides
/// changed are read in all three versions.
package struct CatalogMerge: Sendable {
  typealias Identity = MergeIdentity<ScenarioName>

  /// The conflicts of a scenario outside its content.
  enum Aspect: Sendable {
    case existence
    case name
    case includes
  }

  /// A scenario in the course of the merge.
  struct Part: Sendable {
    var base: ScenarioEntry?
    var ours: ScenarioEntry?
    var theirs: ScenarioEntry?
    /// The name in the merged catalog; nil if it is removed.
    var name: ScenarioName?
    /// The included scenarios.
    var includes: [MergedInclude] = []
    /// The content, unless it is exactly our version; its name and includes are not used.
    var content: Scenario?
    /// The conflicts in the content.
    var conflicts: [Conflict] = []
    var contested: Set<Aspect> = []
    /// The conflicts of the base's version that both sides have settled.
    var disputed: [Conflict] = []

    var isKept: Bool { name != nil }
  }

  let base: any ScenarioSource & Sendable
  let ours: any ScenarioSource & Sendable
  let theirs: any ScenarioSource & Sendable
  var parts: [Identity: Part] = [:]
  /// The scenario that a name means in each version.
  private var baseNames: [ScenarioName: Identity] = [:]
  private(set) var ourNames: [ScenarioName: Identity] = [:]
  private(set) var theirNames: [ScenarioName: Identity] = [:]

  /// Merges; `progress` is called with the number of scenarios that have been merged and their total.
  ///
  /// The open conflicts of the three versions decide where the base has a value that both sides began with. It has
  /// none where it has a conflict that both sides have settled, as the merge of two common ancestors has that git
  /// makes for branches which were merged in both directions: if they settled it differently, they conflict again.
  package static func merge(
    base: any ScenarioSource & Sendable, ours: any ScenarioSource & Sendable,
    theirs: any ScenarioSource & Sendable, open: OpenConflicts = OpenConflicts(),
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> MergedScenarios {
    var merge = CatalogMerge(base: base, ours: ours, theirs: theirs)
    try merge.identify()
    merge.dispute(open)
    try merge.mergeParts(progress: progress)
    try merge.makeConsistent()
    return try merge.result()
  }

  /// Identifies the scenarios of the three versions with each other.
  private mutating func identify() throws {
    for entry in try base.entries {
      parts[.base(entry.name)] = Part(base: entry)
      baseNames[entry.name] = .base(entry.name)
    }
    let (left, right) = (try ours.entries, try theirs.entries)
    var leftRenames = try ScenarioRenames.names(from: base, to: ours)
    var rightRenames = try ScenarioRenames.names(from: base, to: theirs)
    SharedRenames.complete(
      &leftRenames, &rightRenames, ours: Set(left.map(\.name)), theirs: Set(right.map(\.name)))
    ourNames = add(left, renames: leftRenames, to: \.ours)
    theirNames = add(right, renames: rightRenames, to: \.theirs)
  }

  private mutating func add(
    _ entries: [ScenarioEntry], renames: [ScenarioName: ScenarioName],
    to side: WritableKeyPath<Part, ScenarioEntry?>
  ) -> [ScenarioName: Identity] {
    var identities: [ScenarioName: Identity] = [:]
    for entry in entries {
      let identity = baseNames[renames[entry.name] ?? entry.name] ?? .added(entry.name)
      identities[entry.name] = identity
      parts[identity, default: Part()][keyPath: side] = entry
    }
    return identities
  }

  /// Merges the scenarios, several at a time: none depends on another, and reading and merging them is most of the work.
  private mutating func mergeParts(progress: (Int, Int) -> Void) throws {
    let identities = parts.keys.sorted()
    let originals = identities.compactMap { parts[$0] }
    let merge = self
    let showProgress = { progress($0, originals.count) }
    let merged = ParallelWork.values(originals.count, perThread: 2, progress: showProgress) {
      index in Result { try merge.merged(originals[index]) }
    }
    for (identity, part) in zip(identities, merged) { parts[identity] = try part?.get() }
  }

  private func merged(_ original: Part) throws -> Part {
    var part = original
    let (base, ours, theirs) = (part.base, part.ours, part.theirs)
    part.includes = mergedIncludes(of: part)
    let isDisputed = !part.disputed.isEmpty
    if ours?.digest == theirs?.digest || (!isDisputed && theirs?.digest == base?.digest) {
      part.name = ours?.name
    } else if !isDisputed, ours?.digest == base?.digest {
      part.name = theirs?.name
      part.content = try theirs.map { try self.theirs.scenario(named: $0.name) }
    } else if let ours, let theirs {
      if part.isDisputed(JSONPointer()) {
        // Our version stays as a whole until the conflict is settled.
        part.contested.insert(.existence)
        part.includes = includes(of: part, in: .ours)
        part.name = ours.name
        return part
      }
      contestDisputedIncludes(of: &part)
      let name = mergedName(&part, ours, theirs)
      part.name = name
      (part.content, part.conflicts) = ScenarioMerge.merge(
        base: try base.map { try self.base.scenario(named: $0.name) },
        ours: try self.ours.scenario(named: ours.name),
        theirs: try self.theirs.scenario(named: theirs.name), disputed: part.disputed, name: name)
    } else {
      // Edited on one side and removed on the other: the edited version stays until the conflict is settled.
      try keep(&part)
    }
    return part
  }

  /// Keeps the version of the side that has the scenario, and records a conflict about its removal.
  func keep(_ part: inout Part) throws {
    guard let entry = part.ours ?? part.theirs else { return }
    part.name = entry.name
    part.includes = includes(of: part, in: part.ours == nil ? .theirs : .ours)
    if part.ours == nil { part.content = try theirs.scenario(named: entry.name) }
    part.contested.insert(.existence)
  }

  /// The name of a scenario that both sides have; if each side renamed it differently, the base name.
  private func mergedName(
    _ part: inout Part, _ ours: ScenarioEntry, _ theirs: ScenarioEntry
  ) -> ScenarioName {
    guard let base = part.base, ours.name != theirs.name else { return ours.name }
    if !part.isDisputed(JSONPointer(["scenario"])) {
      if theirs.name == base.name { return ours.name }
      if ours.name == base.name { return theirs.name }
    }
    part.contested.insert(.name)
    return base.name
  }

  /// The included scenarios by identity, so that renaming one makes no difference.
  private func mergedIncludes(of part: Part) -> [MergedInclude] {
    let old = part.base.map { identities(of: $0.includes, in: baseNames) } ?? []
    guard part.ours != nil else { return includes(of: part, in: .theirs) }
    let ours = includes(of: part, in: .ours)
    guard part.theirs != nil else { return ours }
    let theirs = includes(of: part, in: .theirs)
    if ours == theirs || theirs == old { return ours }
    if ours == old { return theirs }
    let merged = SetMerge.merge(base: old, ours: ours, theirs: theirs)
    let order = OrderMerge.order(base: old, ours: ours, theirs: theirs, surviving: merged)
    // Where the sides give no order, names do, so that the result does not depend on the side.
    return order ?? merged.sorted()
  }

  /// The includes of a scenario on one side; empty if the side does not have it.
  func includes(of part: Part, in side: ConflictSettlement.Side) -> [MergedInclude] {
    switch side {
    case .ours: identities(of: part.ours?.includes ?? [], in: ourNames)
    case .theirs: identities(of: part.theirs?.includes ?? [], in: theirNames)
    }
  }

  private func identities(
    of includes: [ScenarioReference], in side: [ScenarioName: Identity]
  ) -> [MergedInclude] {
    includes.map { include in
      include.ownName.map { .own(side[$0] ?? .added($0)) } ?? .other(include)
    }
  }

  /// What an include is written as in the result; nil for a scenario that it does not have.
  private func reference(to include: MergedInclude) -> ScenarioReference? {
    switch include {
    case .own(let identity): parts[identity]?.name.map(ScenarioReference.init(_:))
    case .other(let reference): reference
    }
  }

  private func result() throws -> MergedScenarios {
    var removed: Set<ScenarioName> = []
    var written: [Scenario] = []
    var conflicts: [Conflict] = []
    for part in parts.values {
      guard let name = part.name else {
        if let old = part.ours?.name { removed.insert(old) }
        continue
      }
      conflicts += try self.conflicts(of: part, name)
      let includes = part.includes.compactMap(reference(to:))
      if part.content == nil, part.ours?.name == name, part.ours?.includes == includes { continue }
      guard var scenario = try part.content ?? part.ours.map({ try ours.scenario(named: $0.name) })
      else { continue }
      scenario.name = name
      scenario.includes = includes
      if let old = part.ours?.name, old != name { removed.insert(old) }
      written.append(scenario)
    }
    // A name that one side has freed may be used again on the other.
    removed.subtract(written.map(\.name))
    return MergedScenarios(
      removed: removed.sorted(), written: written.sorted { $0.name < $1.name },
      conflicts: conflicts.sorted(),
      newNames: (newNames(in: baseNames), newNames(in: ourNames), newNames(in: theirNames)))
  }

  /// What the scenarios of one version are called after the merge, where that is something else.
  private func newNames(in side: [ScenarioName: Identity]) -> MergedScenarios.NewNames {
    var names: MergedScenarios.NewNames = [:]
    for (old, identity) in side {
      if let new = parts[identity]?.name, new != old { names[old] = new }
    }
    return names
  }

  private func conflicts(of part: Part, _ name: ScenarioName) throws -> [Conflict] {
    func references(_ includes: [MergedInclude]) -> [ScenarioReference] {
      includes.map { reference(to: $0) ?? $0.reference }
    }
    func texts(_ includes: [MergedInclude]) -> JSONValue {
      .array(references(includes).map { .string($0.rawValue) })
    }
    func document(
      _ entry: ScenarioEntry?, _ source: any ScenarioSource, _ includes: [MergedInclude]
    ) throws -> JSONValue? {
      guard let entry else { return nil }
      var scenario = try source.scenario(named: entry.name)
      scenario.includes = references(includes)
      return scenario.documentValue
    }
    let old = part.base.map { identities(of: $0.includes, in: baseNames) } ?? []
    let (left, right) = (includes(of: part, in: .ours), includes(of: part, in: .theirs))
    var conflicts = part.conflicts
    for index in conflicts.indices { conflicts[index].scenario = name }
    if part.contested.contains(.existence) {
      conflicts.append(
        Conflict(
          scenario: name,
          base: part.disputed.isEmpty ? try document(part.base, base, old) : nil,
          ours: try document(part.ours, ours, left),
          theirs: try document(part.theirs, theirs, right)))
    } else if part.contested.contains(.includes) {
      conflicts.append(
        Conflict(
          scenario: name, pointer: JSONPointer(["includes"]),
          base: part.isDisputed(.includes) ? nil : part.base.map { _ in texts(old) },
          ours: part.ours.map { _ in texts(left) }, theirs: part.theirs.map { _ in texts(right) }))
    }
    if part.contested.contains(.name) { conflicts.append(Self.conflictOfNames(part, name)) }
    return conflicts
  }

  private static func conflictOfNames(_ part: Part, _ name: ScenarioName) -> Conflict {
    Conflict(
      scenario: name, pointer: JSONPointer(["scenario"]),
      base: part.base.map { .string($0.name.rawValue) },
      ours: part.ours.map { .string($0.name.rawValue) },
      theirs: part.theirs.map { .string($0.name.rawValue) })
  }
}
